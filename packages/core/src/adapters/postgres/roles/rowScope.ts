/**
 * Sets whose rows statements see on a server with row-level security: a policy on each table compares them with the
 * connection's setting `sov.organization`.
 */
import { Context } from "effect"

/** The setting that shows the rows of all organizations, for methods that look across organizations. */
export const everyOrganization = "all"

/**
 * The organization for which a fiber's statements run, or `everyOrganization`. Statements outside stores run without
 * one: the policies then fail with an error instead of showing no rows.
 */
export const RowScope = Context.Reference<string>("@sov/core/postgres/RowScope", { defaultValue: () => "" })

/** The policy for roles that see one organization at a time. */
export const tenantPolicy = "sov_organization"
