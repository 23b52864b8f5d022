/** Roles on a server: made and granted by `sov db roles --apply`, granted again when migrations have run. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatGrants, formatRoles, type RoleNames } from "./formatRoles.ts"
import { formatRowSecurity } from "./formatRowSecurity.ts"
import type { Grantee } from "./Grantee.ts"
import { readRoleFacts, type RoleFacts } from "./readRoleFacts.ts"

/**
 * The roles cannot be kept apart like this; `message` is one line for the operator. `unfit` a role could do what its
 * grants withhold · `administrator` the connected role may not do it, and somebody who may has to run what
 * `sov db roles --print` prints.
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
    // Tables that are about to be handed over to somebody else
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

/** The names that are meant: who owns the tables already stays their owner unless another is named. */
const completeNames = (facts: RoleFacts, names: RoleNames, ownerChosen: boolean): RoleNames =>
  ownerChosen || facts.owner === null ? names : { ...names, owner: facts.owner }

/** The statements for these names, and the names; fails where the roles would not be apart. Changes nothing. */
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
 * Makes the roles that are missing and grants what each may: all of it or nothing. `rowSecurity` puts row-level
 * security in force or out of it; without it that stays as it is.
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
 * Who serves and who works, read off the grants themselves: who may add answers, with API keys and without. A role that
 * only reads is neither.
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
 * Grants again, to the roles that had grants before, what this schema asks for. Run by the owner after migrations: a
 * table that they made gives nobody anything yet. Returns the roles.
 */
export const renewGrants = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const grantees = yield* findGrantees
  if (grantees.length === 0) return []
  const facts = yield* readRoleFacts
  // Postgres would only warn who may grant nothing
  if (!facts.ownsTables) return []
  const statements = [
    ...formatGrants(facts, grantees),
    ...facts.rowSecurity ? formatRowSecurity(facts, grantees, true) : []
  ]
  yield* sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
  return grantees.map(({ name }) => name)
}).pipe(withStoreErrors("renew grants"))
