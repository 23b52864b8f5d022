/** The statements that keep organizations apart by row-level security, or no longer do. */
import { quoteIdentifier } from "../backup/backupTables.ts"
import type { Grantee } from "./Grantee.ts"
import type { RoleFacts } from "./readRoleFacts.ts"
import { everyOrganization, tenantPolicy } from "./rowScope.ts"

/** That of the roles that see all. */
const openPolicy = "sov_every_organization"

/**
 * Whether a row may be seen and written. The setting is read once for a statement, not for each row. Without it
 * Postgres ends the statement with an error.
 */
const formatCondition = (column: string): string =>
  `(select current_setting('sov.organization') = '${everyOrganization}') or ${column} = ` +
  `(select nullif(current_setting('sov.organization'), '${everyOrganization}')::uuid)`

const formatPolicy = (name: string, table: string, roles: ReadonlyArray<Grantee>, condition: string): string =>
  `create policy ${name} on ${quoteIdentifier(table)} to ${
    roles.map((role) => quoteIdentifier(role.name)).join(", ")
  } ` +
  `using (${condition})`

const formatDrop = (table: string): ReadonlyArray<string> =>
  [tenantPolicy, openPolicy].map((name) => `drop policy if exists ${name} on ${quoteIdentifier(table)}`)

/**
 * What the owner of the tables runs: with `on`, a role that serves sees the rows of the organization that its session
 * names, and one that works sees all. The owner of the tables sees all, too. Running it again changes nothing.
 */
export const formatRowSecurity = (
  { organizationTables }: Pick<RoleFacts, "organizationTables">,
  grantees: ReadonlyArray<Grantee>,
  on: boolean
): ReadonlyArray<string> => {
  const columns = [
    ...organizationTables.map((table) => [table, "organization_id"] as const),
    ["organization", "id"] as const
  ]
  const [serving, working] = [grantees.filter(({ access }) => access), grantees.filter(({ access }) => !access)]
  return columns.flatMap(([table, column]) => [
    ...formatDrop(table),
    ...on
      ? [
        ...serving.length === 0 ? [] : [formatPolicy(tenantPolicy, table, serving, formatCondition(column))],
        ...working.length === 0 ? [] : [formatPolicy(openPolicy, table, working, "true")],
        `alter table ${quoteIdentifier(table)} enable row level security`
      ]
      : [`alter table ${quoteIdentifier(table)} disable row level security`]
  ])
}
