/**
 * Determines which rows a statement sees on a server with row-level security: a policy on each table compares the rows
 * with the connection's setting `sov.organization`.
 */
import { Context } from "effect"

/** The value of the setting that shows the rows of all organizations, for methods that look across organizations. */
export const everyOrganization = "all"

/**
 * The organization for which a fiber's statements run, or `everyOrganization`. Statements outside stores run without a
 * value: the policies then fail with an error instead of showing no rows.
 */
export const RowScope = Context.Reference<string>("@sov/core/postgres/RowScope", { defaultValue: () => "" })

/** The policy for roles that see one organization at a time. */
export const tenantPolicy = "sov_organization"
