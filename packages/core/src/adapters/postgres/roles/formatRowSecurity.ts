/** SQL statements that enable or disable row-level security between organizations. */
import { quoteIdentifier } from "../backup/backupTables.ts"
import type { Grantee } from "./Grantee.ts"
import type { RoleFacts } from "./readRoleFacts.ts"
import { everyOrganization, tenantPolicy } from "./rowScope.ts"

/** The policy of the roles that may see all organizations. */
const openPolicy = "sov_every_organization"

/**
 * The condition for reading and writing a row. The setting is read once per statement, not once per row. If it is
 * missing, the statement fails with an error.
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
 * The statements for the tables' owner. With `on`, a role of `sov serve` sees only the rows of the organization that
 * its session names; worker roles and the owner see all rows. Running them again changes nothing.
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
