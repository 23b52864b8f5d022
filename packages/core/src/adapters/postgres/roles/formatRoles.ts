/** SQL statements that separate the roles of a server: the owner of the tables, `sov serve`, and `sov worker`. */
import { quoteIdentifier } from "../backup/backupTables.ts"
import { formatRowSecurity } from "./formatRowSecurity.ts"
import type { Grantee } from "./Grantee.ts"
import type { RoleFacts } from "./readRoleFacts.ts"
import { tablePrivileges } from "./tablePrivileges.ts"

/** The roles of an installation. */
export interface RoleNames {
  readonly owner: string
  /** The role of `sov serve` and of commands. */
  readonly api: string
  /** The role of `sov worker`. */
  readonly worker: string
}

/** The default names. */
export const defaultRoleNames: RoleNames = { owner: "sov_owner", api: "sov_api", worker: "sov_worker" }

/** Whether sov accepts this role name in SQL. */
export const isRoleName = (name: string): boolean => /^(?!pg_|public$)[A-Za-z_][A-Za-z0-9_.@-]{0,62}$/.test(name)

/** Creates a role with login if it is missing. It has no password; set one with `\password`. */
const formatCreateRole = (name: string): string =>
  `do $$ begin if not exists (select from pg_roles where rolname = '${name}') then ` +
  `create role ${quoteIdentifier(name)} login; end if; end $$`

const list = (values: ReadonlyArray<string>): string => values.map(quoteIdentifier).join(", ")

/** Leaves out columns that a pending migration will add; `renewGrants` grants them later. */
const formatVerbs = (table: string, columns: RoleFacts["columns"]): string => {
  const { delete: removes, insert, update: all } = tablePrivileges[table]!
  const update = all?.filter((column) => columns[table]?.includes(column) === true)
  return [
    "select",
    ...insert === true ? ["insert"] : [],
    ...update === undefined || update.length === 0 ? [] : [`update (${list(update)})`],
    ...removes === true ? ["delete"] : []
  ].join(", ")
}

/** Writes one GRANT for all tables with the same privileges. */
const formatTableGrants = (
  { columns, tables }: Pick<RoleFacts, "columns" | "tables">,
  grantees: ReadonlyArray<Grantee>
): ReadonlyArray<string> => {
  const alike = Map.groupBy(
    tables,
    (table) => `${tablePrivileges[table]!.access === true} ${formatVerbs(table, columns)}`
  )
  return [...alike.values()].flatMap((same) => {
    const [first] = same as [string, ...Array<string>]
    const needsAccess = tablePrivileges[first]!.access === true
    const to = grantees.filter(({ access }) => access || !needsAccess).map(({ name }) => name)
    return to.length === 0 ? [] : [`grant ${formatVerbs(first, columns)} on table ${list(same)} to ${list(to)}`]
  })
}

/** The grants that the tables' owner makes, after revoking all earlier grants. Running them again changes nothing. */
export const formatGrants = (
  { columns, schema, schemaOpen, sequences, tables }: Pick<
    RoleFacts,
    "columns" | "schema" | "schemaOpen" | "sequences" | "tables"
  >,
  grantees: ReadonlyArray<Grantee>
): ReadonlyArray<string> => {
  const all = list(grantees.map(({ name }) => name))
  return [
    `revoke create on schema ${quoteIdentifier(schema)} from ${schemaOpen ? "public, " : ""}${all}`,
    `grant usage on schema ${quoteIdentifier(schema)} to ${all}`,
    `revoke all on table ${list(tables)} from ${all}`,
    ...formatTableGrants({ columns, tables }, grantees),
    ...sequences.length === 0 ? [] : [`grant usage on sequence ${list(sequences)} to ${all}`]
  ]
}

const applicationRoles = ({ api, worker }: RoleNames): ReadonlyArray<Grantee> => [
  { name: api, access: true },
  { name: worker, access: false }
]

/** Makes `owner` the owner of the database and of everything that migrations have created. */
const formatTransfer = (
  { database, functions, owner: before, schema, schemaOwner, tables, views }: RoleFacts,
  owner: string
): ReadonlyArray<string> => [
  `alter database ${quoteIdentifier(database)} owner to ${quoteIdentifier(owner)}`,
  // The owner of a schema may drop everything in it
  schemaOwner === before
    ? `alter schema ${quoteIdentifier(schema)} owner to ${quoteIdentifier(owner)}`
    : `grant usage, create on schema ${quoteIdentifier(schema)} to ${quoteIdentifier(owner)}`,
  ...tables.map((table) => `alter table ${quoteIdentifier(table)} owner to ${quoteIdentifier(owner)}`),
  ...functions.map((name) => `alter function ${quoteIdentifier(name)}() owner to ${quoteIdentifier(owner)}`),
  ...views.map(([kind, name]) => `alter ${kind} ${name} owner to ${quoteIdentifier(owner)}`)
]

/**
 * The statements in order: `create` is for a role that may create roles, `grant` for the tables' owner or a superuser.
 * `rowSecurity` enables or disables row-level security; if left out, it stays as it is.
 */
export const formatRoles = (
  facts: RoleFacts,
  names: RoleNames,
  rowSecurity?: boolean
): { readonly create: ReadonlyArray<string>; readonly grant: ReadonlyArray<string> } => ({
  create: Object.values(names).map(formatCreateRole),
  grant: facts.tables.length === 0
    ? [
      // A migration creates the schema of the views
      `grant create on database ${quoteIdentifier(facts.database)} to ${quoteIdentifier(names.owner)}`,
      `grant usage, create on schema ${quoteIdentifier(facts.schema)} to ${quoteIdentifier(names.owner)}`
    ]
    : [
      ...facts.owner === names.owner ? [] : formatTransfer(facts, names.owner),
      ...formatGrants(facts, applicationRoles(names)),
      ...rowSecurity === undefined && !facts.rowSecurity
        ? []
        : formatRowSecurity(facts, applicationRoles(names), rowSecurity ?? true)
    ]
})
