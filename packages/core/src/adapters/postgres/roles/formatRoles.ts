/** The statements that keep the roles of a server apart: who owns the tables, who serves, who works. */
import { quoteIdentifier } from "../backup/backupTables.ts"
import { formatRowSecurity } from "./formatRowSecurity.ts"
import type { Grantee } from "./Grantee.ts"
import type { RoleFacts } from "./readRoleFacts.ts"
import { tablePrivileges } from "./tablePrivileges.ts"

/** The roles of an installation. */
export interface RoleNames {
  readonly owner: string
  /** Of `sov serve` and of commands. */
  readonly api: string
  /** Of `sov worker`. */
  readonly worker: string
}

/** The names unless the operator chooses others. */
export const defaultRoleNames: RoleNames = { owner: "sov_owner", api: "sov_api", worker: "sov_worker" }

/** Whether sov writes this name of a role into SQL. */
export const isRoleName = (name: string): boolean => /^(?!pg_|public$)[A-Za-z_][A-Za-z0-9_.@-]{0,62}$/.test(name)

/** Creates a role that may log in, unless it is there. It has no password: setting one is left to `\password`. */
const formatCreateRole = (name: string): string =>
  `do $$ begin if not exists (select from pg_roles where rolname = '${name}') then ` +
  `create role ${quoteIdentifier(name)} login; end if; end $$`

const list = (values: ReadonlyArray<string>): string => values.map(quoteIdentifier).join(", ")

/** A column that a migration is still to add is granted once it has (`renewGrants`). */
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

/** One GRANT for all tables of which the same may be done. */
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

/**
 * What the owner of the tables grants, after all that was granted before is taken back: running it again changes
 * nothing.
 */
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

/** Makes `owner` the owner of the database and of everything that migrations have made. */
const formatTransfer = (
  { database, functions, owner: before, schema, schemaOwner, tables, views }: RoleFacts,
  owner: string
): ReadonlyArray<string> => [
  `alter database ${quoteIdentifier(database)} owner to ${quoteIdentifier(owner)}`,
  // Who owns a schema may drop what is in it
  schemaOwner === before
    ? `alter schema ${quoteIdentifier(schema)} owner to ${quoteIdentifier(owner)}`
    : `grant usage, create on schema ${quoteIdentifier(schema)} to ${quoteIdentifier(owner)}`,
  ...tables.map((table) => `alter table ${quoteIdentifier(table)} owner to ${quoteIdentifier(owner)}`),
  ...functions.map((name) => `alter function ${quoteIdentifier(name)}() owner to ${quoteIdentifier(owner)}`),
  ...views.map(([kind, name]) => `alter ${kind} ${name} owner to ${quoteIdentifier(owner)}`)
]

/**
 * The statements in their order: for who may create roles, and for who owns the tables (or is a superuser).
 * `rowSecurity` puts row-level security in force or out of it; without it that stays as it is.
 */
export const formatRoles = (
  facts: RoleFacts,
  names: RoleNames,
  rowSecurity?: boolean
): { readonly create: ReadonlyArray<string>; readonly grant: ReadonlyArray<string> } => ({
  create: Object.values(names).map(formatCreateRole),
  grant: facts.tables.length === 0
    ? [
      // A migration makes the schema of the views
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
