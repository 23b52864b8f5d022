/** Roles on a server: what an application's role is refused, and that it can do its work all the same. */
import { AuditLog } from "@sov/core"
import {
  applyRoles,
  layerServer,
  layerStores,
  migrate,
  migrateServer,
  planRoles,
  readOwnRole,
  RolesRefused,
  SchemaOlder
} from "@sov/core/postgres"
import { seedAnswers, seedOrganization, seedScan } from "@sov/core/testing"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { migrateTo, newestVersion } from "../../packages/core/src/adapters/postgres/migrate.ts"
import { tablePrivileges } from "../../packages/core/src/adapters/postgres/roles/tablePrivileges.ts"
import { archiveStoreContract } from "../contracts/archiveStoreContract.ts"
import { auditEntry } from "../contracts/auditLogContract.ts"
import { sealStoreContract } from "../contracts/sealStoreContract.ts"
import { postgresUrl } from "../support/homes.ts"
import { onServer } from "../support/serverTemplate.ts"
import { emptyDatabase, freshDatabase, openStorage } from "../support/storage.ts"
import { withSecureRandom } from "../support/tenants.ts"

/** What nobody but the owner of the tables may do, and with which SQLSTATE it is refused. */
const forbidden: ReadonlyArray<string> = [
  "update answer set raw_response = 'another'",
  "delete from answer",
  "truncate answer cascade",
  "alter table answer disable trigger user",
  "alter table answer disable trigger answer_append_only",
  "drop trigger answer_append_only on answer",
  "drop table answer cascade",
  "alter table answer rename to was_answer",
  "alter table answer drop column payload",
  "alter table answer enable row level security",
  "alter table answer disable row level security",
  "alter table answer no force row level security",
  "drop policy sov_organization on answer",
  "alter policy sov_organization on answer using (true)",
  "create policy mine on answer using (true)",
  "alter table answer owner to current_user",
  "create rule keep as on delete to answer do instead nothing",
  "create trigger mine before insert on answer for each row execute function append_only()",
  "create or replace function append_only() returns trigger language plpgsql as 'begin return new; end'",
  "alter function append_only() rename to was_append_only",
  "drop function append_only() cascade",
  "update seal set root = hash",
  "delete from seal",
  "truncate seal",
  "update measurement set sov_score = 1",
  "delete from measurement",
  "delete from answer_sources",
  "update tracked_set set brand = '{}'",
  "delete from score",
  "update event set body = null",
  "update audit_entry set actor = null",
  "update card_change set value = null",
  "delete from scan",
  "update scan set started_at = now()",
  "delete from cell",
  "update keyword set text = 'another question'",
  "update instance set value = '\\x00'",
  "delete from sov_migrations",
  "insert into answer select * from answer on conflict (organization_id, id) do update set raw_response = 'another'",
  "merge into answer a using (select 1) one on true when matched then delete",
  "create function mine() returns int language sql as 'select 1'",
  "create table mine (id int)",
  "create schema mine",
  "create extension pgcrypto",
  "create role mine",
  "alter role current_user superuser",
  "set session_replication_role = replica",
  "copy answer to program 'cat'",
  "copy answer to '/tmp/answer'",
  "copy answer from '/etc/passwd'",
  "select pg_read_file('/etc/passwd')",
  "set role postgres",
  "set session authorization postgres",
  "reassign owned by postgres to current_user"
]

const access: ReadonlyArray<string> = [
  "select hash from api_key",
  "insert into api_key select * from api_key",
  "select hash from operator_key",
  "insert into operator_key select * from operator_key",
  "insert into login_link (hash) values ('')",
  "insert into session (hash) values ('')",
  "update membership set role = 'owner'",
  "insert into person (id, name) values (gen_random_uuid(), 'me')",
  "delete from request_log"
]

const refusalOf = (statement: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const error: SqlError.SqlError = yield* Effect.flip(sql.unsafe(statement))
    return error.reason.cause as { readonly code: string }
  })

const insufficientPrivilege = "42501"

describe.skipIf(postgresUrl === null).each(["api", "worker"] as const)("the %s role", (role) => {
  const storage = openStorage("postgres", role)
  afterAll(storage.close)

  it("the role cannot grant itself more rights", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      expect(
        yield* sql`
          select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles
          where rolname = current_user`
      ).toEqual([
        { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false }
      ])
      expect(yield* sql`select from pg_auth_members where member = current_user::regrole`).toEqual([])
    })))

  it.each(forbidden)("the statement is refused to the role: %s", (statement) =>
    storage.run(Effect.gen(function*() {
      expect((yield* refusalOf(statement)).code).toBe(insufficientPrivilege)
    })))

  it("the role cannot grant its rights to others", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const grants = sql`select relacl::text from pg_class where relname = 'answer'`
      const before = yield* grants
      // Postgres warns, and grants nothing
      yield* Effect.ignore(sql`grant select, insert on answer to public`)
      expect(yield* grants).toEqual(before)
    })))

  it("the role cannot change the archive in any way", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* seedAnswers(yield* seedScan())
      const rows = sql`select to_jsonb(answer)::text as row from answer order by 1`
      const before = yield* rows
      expect(before.length).toBeGreaterThan(0)
      yield* Effect.forEach([...forbidden, ...access], (statement) => Effect.ignore(sql.unsafe(statement)))
      expect(yield* rows).toEqual(before)
    })))

  // The contracts of all stores: SOV_TEST_ROLE=api (or worker) npm run test:pg
  describe.each([archiveStoreContract, sealStoreContract])("keeps the contract of $port", ({ tests }) => {
    it.each(tests)("$name", ({ effect }) => storage.run(effect))
  })
})

describe.skipIf(postgresUrl === null)("the worker role", () => {
  const storage = openStorage("postgres", "worker")
  afterAll(storage.close)

  it.each(access)(
    "the worker role cannot decide who has access: %s",
    (statement) =>
      storage.run(Effect.gen(function*() {
        expect((yield* refusalOf(statement)).code).toBe(insufficientPrivilege)
      }))
  )

  it("the acts of the worker role are in the audit log", () =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const actor = { kind: "system", name: "worker", personId: null, keyId: null } as const
      yield* (yield* AuditLog).record(id, [yield* withSecureRandom(auditEntry(1, actor))])
    })))
})

describe.skipIf(postgresUrl === null)("roles", () => {
  /** Runs on a database as the role in its URL. */
  const on = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provide(effect, layerServer({ url: Redacted.make(url), maxConnections: 2 }))
  const as = (url: string, name: string): string => Object.assign(new URL(url), { username: name, password: name }).href

  /** Roles of one test, with the attributes given; gone with the scope, and what they own with the database before. */
  const makeRoles = (...attributes: ReadonlyArray<string>) =>
    Effect.acquireRelease(
      Effect.gen(function*() {
        const names = attributes.map((_, n) => `r${n}_${crypto.randomUUID().replaceAll("-", "")}`)
        yield* Effect.forEach(names, (name, n) =>
          onServer(postgresUrl!, `create role ${name} login password '${name}' ${attributes[n]}`))
        return names
      }),
      (names) =>
        Effect.ignore(Effect.forEach(names, (name) => onServer(postgresUrl!, `drop role if exists ${name}`)))
    )
  const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(effect))

  const execute = (statement: string) => SqlClient.SqlClient.use((sql) => sql.unsafe(statement))

  const privileges = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`
      select c.relname, c.relacl::text as acl, array(
        select attname || attacl::text from pg_attribute a where a.attrelid = c.oid and attacl is not null order by 1
      ) as columns from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1`
  })

  it("roles cover every table and every named column, and append-only tables are append-only for roles as well", () =>
    run(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const found = yield* on(
        url,
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          return yield* sql<{ name: string; columns: ReadonlyArray<string>; guarded: boolean }>`
            select c.relname::text as name,
              array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0) as columns,
              exists (
                select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                where t.tgrelid = c.oid and p.proname = 'append_only'
              ) as guarded
            from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
        })
      )
      expect(found.map(({ name }) => name)).toEqual(Object.keys(tablePrivileges).toSorted())
      // Of these a trigger lets rows go that are older than 28 days
      const prunable = new Set(["audit_entry", "digest_mail", "event", "schedule_run"])
      for (const { columns, guarded, name } of found) {
        expect(columns).toEqual(expect.arrayContaining([...tablePrivileges[name]!.update ?? []]))
        const mayGo = prunable.has(name) ? { delete: true } : {}
        if (guarded) expect({ name, ...tablePrivileges[name] }).toEqual({ name, insert: true, ...mayGo })
      }
    })))

  it("migrations grant the roles their rights on the tables that they create", () =>
    run(Effect.gen(function*() {
      const { url } = yield* emptyDatabase()
      const [owner = "", api = "", worker = ""] = yield* makeRoles("superuser", "", "")
      yield* on(url, migrateTo(newestVersion - 1))
      const { granted } = yield* on(url, applyRoles({ owner, api, worker }, false))
      expect(granted).toBe(true)
      const older = yield* Effect.flip(on(as(url, api), migrate))
      expect(older).toBeInstanceOf(SchemaOlder)
      expect(older).toMatchObject({ role: api, known: newestVersion })

      expect((yield* on(url, migrateServer)).roles).toEqual([api, worker].toSorted())
      expect(yield* on(as(url, api), migrateServer)).toEqual({ steps: [], roles: [] })
      const opened = Layer.build(Layer.provide(layerStores, layerServer({ url: Redacted.make(as(url, worker)) })))
      yield* Effect.scoped(Effect.provide(opened, SecureRandom.layerWebCrypto))
      const after = yield* on(url, privileges)

      // Again and again, and after somebody has granted more
      yield* on(url, execute(`grant update, delete, truncate on answer to ${api}`))
      yield* on(url, execute(`grant update (payload) on answer to ${worker}`))
      yield* on(url, migrateServer)
      yield* on(url, applyRoles({ owner, api, worker }, false))
      expect(yield* on(url, privileges)).toEqual(after)
    })))

  it("the owner role owns the views over the tables", () =>
    run(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const [owner = "", api = "", worker = ""] = yield* makeRoles("superuser", "", "")
      yield* on(url, applyRoles({ owner, api, worker }, true))
      expect(
        yield* on(
          url,
          execute(`
            select distinct pg_get_userbyid(relowner)::text as view, pg_get_userbyid(nspowner)::text as schema
            from pg_class join pg_namespace n on n.oid = relnamespace where nspname = 'sov_v1'`)
        )
      ).toEqual([{ view: owner, schema: owner }])
    })))

  it("the owner role takes over the schema from a role that owned both schema and tables", () =>
    run(Effect.gen(function*() {
      const { name, url: server } = yield* emptyDatabase()
      const [owner = "", api = "", worker = ""] = yield* makeRoles("", "", "")
      const url = Object.assign(new URL(server), { search: "options=-c%20search_path%3Dmine" }).href
      yield* on(server, execute(`create schema mine authorization ${api}`))
      yield* on(server, execute(`grant create on database ${name} to ${api}`))
      yield* on(server, execute(`grant create on schema mine to ${worker}`))
      yield* on(as(url, api), migrateServer)
      expect((yield* on(as(url, api), readOwnRole)).ownsArchive).toBe(true)
      yield* on(url, applyRoles({ owner, api, worker }, true))
      for (const role of [api, worker]) {
        expect((yield* on(as(url, role), readOwnRole)).ownsArchive).toBe(false)
        for (
          const statement of ["drop table answer cascade", "drop schema mine cascade", "create table mine.more ()"]
        ) {
          const { code } = yield* on(as(url, role), refusalOf(statement))
          expect([statement, code]).toEqual([statement, insufficientPrivilege])
        }
      }
      yield* onServer(postgresUrl!, `drop database ${name} with (force)`)
    })))

  it("roles are created on an empty database before its tables, by a role that is not a superuser", () =>
    run(Effect.gen(function*() {
      const [owner = "", worker = ""] = yield* makeRoles("createrole", "")
      const { name, url } = yield* emptyDatabase(`owner ${owner}`)
      const api = `${owner}_api`
      const names = { owner, api, worker }
      expect(yield* on(as(url, owner), applyRoles(names, true))).toEqual({
        names,
        made: [api],
        granted: false,
        rowSecurity: false
      })
      yield* on(as(url, owner), migrateServer)
      // Who owns the tables is their owner
      const given = { ...names, owner: "sov_owner" }
      expect(yield* on(as(url, owner), applyRoles(given, false))).toEqual({
        names,
        made: [],
        granted: true,
        rowSecurity: false
      })
      yield* onServer(postgresUrl!, `drop database ${name} with (force)`, `drop role ${api}`)
    })))

  it("roles can be created on another owner's empty database, which their owner role then migrates", () =>
    run(Effect.gen(function*() {
      const { name, url } = yield* emptyDatabase()
      const [owner = "", api = "", worker = ""] = yield* makeRoles("", "", "")
      expect(yield* on(url, applyRoles({ owner, api, worker }, true))).toMatchObject({ granted: false })
      yield* on(as(url, owner), migrateServer)
      expect(yield* on(as(url, owner), applyRoles({ owner, api, worker }, false))).toMatchObject({ granted: true })
      yield* onServer(postgresUrl!, `drop database ${name} with (force)`)
    })))

  it("a role that may not create roles, or does not own the tables, is refused", () =>
    run(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const [owner = "", api = "", worker = ""] = yield* makeRoles("", "", "")
      for (const names of [{ owner, api, worker }, { owner, api: "sov_absent", worker }]) {
        const error = yield* Effect.flip(on(as(url, owner), applyRoles(names, false)))
        expect(error).toBeInstanceOf(RolesRefused)
        expect(error).toMatchObject({ reason: "administrator" })
      }
    })))

  it("roles that would not be separate from each other are refused", () =>
    run(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const [owner = "", api = "", superuser = "", bypass = ""] = yield* makeRoles("", "", "superuser", "bypassrls")
      for (const worker of [superuser, bypass, api, "postgres"]) {
        expect(yield* Effect.flip(on(url, planRoles({ owner, api, worker }, false)))).toMatchObject({ reason: "unfit" })
      }
    })))

  it("the owner role takes the tables from a serving role, which continues to work without owning them", () =>
    run(Effect.gen(function*() {
      const [owner = "", served = "", worker = ""] = yield* makeRoles("", "", "")
      const { name, url } = yield* emptyDatabase(`owner ${served}`)
      yield* on(as(url, served), migrateServer)
      const names = { owner, api: served, worker }
      expect(yield* Effect.flip(on(as(url, served), applyRoles(names, true)))).toMatchObject({
        reason: "administrator"
      })
      expect(yield* on(url, applyRoles(names, true))).toMatchObject({ names, granted: true })
      const error = yield* Effect.flip(on(as(url, served), execute("alter table answer disable trigger user")))
      expect(error).toMatchObject({ reason: { cause: { code: insufficientPrivilege } } })
      expect(yield* on(as(url, served), migrate)).toEqual([])
      expect(yield* on(as(url, owner), migrateServer)).toMatchObject({ steps: [], roles: [served, worker].toSorted() })
      yield* onServer(postgresUrl!, `drop database ${name} with (force)`)
    })))
})
