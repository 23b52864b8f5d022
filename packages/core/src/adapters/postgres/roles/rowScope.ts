/**
 * Whose rows statements see on a server that keeps organizations apart by row-level security: a policy of each table
 * compares them with the setting `sov.organization` of the connection.
 */
import { Context } from "effect"

/** The setting under which every organization's rows are seen: for methods that look across organizations. */
export const everyOrganization = "all"

/**
 * The organization as which a fiber's statements run, or `everyOrganization`. Statements outside stores run as nobody:
 * there the policies fail with an error, so that nothing is taken for empty.
 */
export const RowScope = Context.Reference<string>("@sov/core/postgres/RowScope", { defaultValue: () => "" })

/** The policy of the roles that see one organization at a time. */
export const tenantPolicy = "sov_organization"
