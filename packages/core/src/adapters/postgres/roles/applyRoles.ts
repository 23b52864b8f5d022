/** Database roles: created and granted by `sov db roles --apply`, and granted again after migrations. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatGrants, formatRoles, type RoleNames } from "./formatRoles.ts"
import { formatRowSecurity } from "./formatRowSecurity.ts"
import type { Grantee } from "./Grantee.ts"
import { readRoleFacts, type RoleFacts } from "./readRoleFacts.ts"

/**
 * The roles cannot be separated this way; `message` is one line for the operator. `unfit`: a role could bypass its
 * grants · `administrator`: the connected role lacks the necessary rights, so an administrator must run the output of
 * `sov db roles --print`.
 */
export class RolesRefused extends Schema.TaggedError<RolesRefused>()("RolesRefused", {
  reason: Schema.Literals(["unfit", "administrator"]),
  message: Schema.String
}) {}

const checkFit = (facts: RoleFacts, { api, owner, worker }: RoleNames): RolesRefused | undefined => {
  if (new Set([api, owner, worker]).size < 3) {
    return new RolesRefused({ reason: "unfit", message: "owner, api and worker have to be three roles" })
  }
  for (const name of [api, worker]) {
    const found = facts.roles.find((role) => role.name === name)
    // Whether the tables are about to be transferred to another owner
    const handedOver = found?.unfit === "owns the tables" && facts.owner === name
    if (found !== undefined && found.unfit !== null && !handedOver) {
      const why = found.unfit === "superuser" ? "is a superuser" : found.unfit
      return new RolesRefused({
        reason: "unfit",
        message: `the role ${name} ${why}: nothing could be withheld from it`
      })
    }
  }
  return undefined
}

/** Completes the role names: the current owner of the tables stays their owner unless another one is chosen. */
const completeNames = (facts: RoleFacts, names: RoleNames, ownerChosen: boolean): RoleNames =>
  ownerChosen || facts.owner === null ? names : { ...names, owner: facts.owner }

/**
 * Returns the statements for these names, and the completed names. Fails if the roles would not be separate. Changes
 * nothing.
 */
export const planRoles = Effect.fnUntraced(function*(given: RoleNames, ownerChosen: boolean, rowSecurity?: boolean) {
  const facts = yield* readRoleFacts
  const names = completeNames(facts, given, ownerChosen)
  const unfit = checkFit(facts, names)
  if (unfit !== undefined) return yield* unfit
  return { facts, names, ...formatRoles(facts, names, rowSecurity) }
})

const checkMayApply = (facts: RoleFacts, names: RoleNames): RolesRefused | undefined => {
  const missing = Object.values(names).filter((name) => facts.roles.every((role) => role.name !== name))
  if (missing.length > 0 && !facts.mayCreateRoles) {
    return new RolesRefused({
      reason: "administrator",
      message: `the role ${facts.role} may not create ${missing.join(", ")}`
    })
  }
  if (facts.tables.length > 0 && !facts.ownsTables) {
    return new RolesRefused({
      reason: "administrator",
      message: `the tables belong to ${facts.owner}, and ${facts.role} may not grant them`
    })
  }
  if (facts.owner !== null && facts.owner !== names.owner && !facts.superuser) {
    return new RolesRefused({
      reason: "administrator",
      message: `only a superuser hands the tables of ${facts.owner} over to ${names.owner}`
    })
  }
  return undefined
}

/**
 * Creates the missing roles and grants each role its rights, all or nothing. `rowSecurity` enables or disables
 * row-level security; if left out, it stays as it is.
 */
export const applyRoles = Effect.fnUntraced(function*(given: RoleNames, ownerChosen: boolean, rowSecurity?: boolean) {
  const sql = yield* SqlClient.SqlClient
  const { create, facts, grant, names } = yield* planRoles(given, ownerChosen, rowSecurity)
  const refused = checkMayApply(facts, names)
  if (refused !== undefined) return yield* refused
  const made = Object.values(names).filter((name) => facts.roles.every((role) => role.name !== name))
  const statements = [...made.length > 0 ? create : [], ...grant]
  yield* sql.withTransaction(
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  ).pipe(withStoreErrors("apply roles"))
  const granted = facts.tables.length > 0
  return { names, made, granted, rowSecurity: granted && (rowSecurity ?? facts.rowSecurity) }
})

/**
 * Finds the roles of servers and of workers by their grants: both may add answers, and only a server's role may add API
 * keys. A read-only role is neither.
 */
const findGrantees = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Grantee>`
    with adds as (
      select c.relname, a.grantee from pg_class c, aclexplode(c.relacl) a
      where c.oid in (to_regclass('answer'), to_regclass('api_key')) and a.privilege_type = 'INSERT'
        and a.grantee not in (0, c.relowner)
    )
    select r.rolname::text as name,
      exists (select from adds a where a.relname = 'api_key' and a.grantee = r.oid) as access
    from pg_roles r where r.oid in (select grantee from adds where relname = 'answer') order by 1
  `
})

/**
 * Renews the grants of the roles that already had grants, for the current schema. The owner runs it after migrations,
 * because new tables have no grants yet. Returns the roles.
 */
export const renewGrants = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const grantees = yield* findGrantees
  if (grantees.length === 0) return []
  const facts = yield* readRoleFacts
  // Without the right to grant, Postgres would only warn
  if (!facts.ownsTables) return []
  const statements = [
    ...formatGrants(facts, grantees),
    ...facts.rowSecurity ? formatRowSecurity(facts, grantees, true) : []
  ]
  yield* sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
  return grantees.map(({ name }) => name)
}).pipe(withStoreErrors("renew grants"))
