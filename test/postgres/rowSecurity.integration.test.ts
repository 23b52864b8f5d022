/** Row-level security: a statement that forgets its filter sees and changes nothing of another organization. */
import { ArchiveStore, type OrganizationId, OrganizationStore, Transaction } from "@sov/core"
import {
  applyRoles,
  everyOrganization,
  layerServer,
  layerStores,
  migrateServer,
  readOwnRole,
  RowScope,
  takeBackup
} from "@sov/core/postgres"
import { seedAnswers, seedOrganization, seedScan } from "@sov/core/testing"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, inject, it } from "vitest"
import { postgresUrl } from "../support/homes.ts"
import { roleUrl, testRoles } from "../support/serverTemplate.ts"
import { freshDatabase, openStorage } from "../support/storage.ts"

const as = (organization: string) => Effect.provideService(RowScope, organization)

/** Two organizations, each with answers. */
const seedTwo = Effect.gen(function*() {
  const [one, other] = [yield* seedScan(), yield* seedScan()]
  yield* seedAnswers(one)
  yield* seedAnswers(other)
  return [one.organizationId, other.organizationId] as const
})

const countAnswers = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: OrganizationId; readonly answers: number }>`
    select organization_id as id, count(*)::int as answers from answer group by 1 order by 1`
  return rows.map(({ id }) => id)
})

describe.skipIf(postgresUrl === null)("the api role under row-level security", () => {
  const storage = openStorage("postgres", "api")
  afterAll(storage.close)

  it("a statement without a filter sees one organization, or all organizations if it asks for all", () =>
    storage.run(Effect.gen(function*() {
      const [one, other] = yield* seedTwo
      expect(yield* countAnswers.pipe(as(one))).toEqual([one])
      expect(yield* countAnswers.pipe(as(other))).toEqual([other])
      expect(yield* countAnswers.pipe(as(everyOrganization))).toEqual(expect.arrayContaining([one, other]))
    })))

  it("a statement without an organization fails instead of returning no rows", () =>
    storage.run(Effect.gen(function*() {
      yield* seedTwo
      const exit = yield* Effect.exit(countAnswers.pipe(as("")))
      expect(Exit.isFailure(exit)).toBe(true)
    })))

  it("rows of another organization can be neither changed nor added", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [one, other] = yield* seedTwo
      const states = sql`select id, state from cell where organization_id = ${other} order by id`
      const before = yield* states
      yield* sql`update cell set state = 'cancelled'`.pipe(as(one))
      expect(yield* states).toEqual(before)
      const exit = yield* Effect.exit(
        sql`insert into quota_usage (organization_id, period, used) values (${other}, '2026-01', 1)`.pipe(as(one))
      )
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("row-level security")
    })))

  it("the organization is unset after a rolled-back transaction and after a savepoint", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [one, other] = yield* seedTwo
      const failing = sql.withTransaction(Effect.andThen(countAnswers.pipe(as(other)), Effect.fail("undo" as const)))
      for (let i = 0; i < 3; i++) {
        expect(yield* countAnswers.pipe(as(one))).toEqual([one])
        expect(yield* Effect.flip(failing)).toBe("undo")
        expect(yield* countAnswers.pipe(as(one))).toEqual([one])
      }
      yield* sql.withTransaction(Effect.gen(function*() {
        expect(yield* countAnswers.pipe(as(one))).toEqual([one])
        expect(yield* Effect.flip(failing)).toBe("undo")
        expect(yield* countAnswers.pipe(as(other))).toEqual([other])
        expect(yield* countAnswers.pipe(as(one))).toEqual([one])
      }))
    })))

  it("simultaneous work on few connections stays separate, with and without transactions", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const asked = yield* seedTwo
      const seen = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => ({ organization: asked[n % 2]!, inTransaction: n % 3 === 0 })),
        ({ inTransaction, organization }) =>
          Effect.map(
            (inTransaction ? sql.withTransaction(countAnswers) : countAnswers).pipe(as(organization)),
            (found) => found.length === 1 && found[0] === organization
          ),
        { concurrency: 30 }
      )
      expect(seen.filter((own) => !own)).toEqual([])
    })))

  it("stores work for the organization that they are called for, even for several in one transaction", () =>
    storage.run(
      Effect.gen(function*() {
        const [one, other] = yield* seedTwo
        const archive = yield* ArchiveStore
        const counts = yield* (yield* Transaction).run(
          Effect.all([archive.count(one, {}), archive.count(other, {}), archive.count(one, {})])
        )
        expect(counts[0]).toBeGreaterThan(0)
        expect(counts).toEqual([counts[0], counts[0], counts[0]])
        expect((yield* (yield* OrganizationStore).list).map(({ id }) => id)).toEqual(
          expect.arrayContaining([one, other])
        )
      }).pipe(as(""))
    ))

  it("a backup contains every organization", () =>
    storage.run(
      Effect.gen(function*() {
        const found = yield* seedTwo
        let text = ""
        const { rows } = yield* takeBackup({ singleSession: false }, (piece) =>
          Effect.sync(() => {
            text += piece.text
          }))
        expect(rows["answer"]).toBeGreaterThan(0)
        for (const id of found) expect(text).toContain(id)
      }).pipe(as(""))
    ))
})

describe.skipIf(postgresUrl === null)("the worker role under row-level security", () => {
  const storage = openStorage("postgres", "worker")
  afterAll(storage.close)

  it("the worker role is for every organization, and its statement without an organization does not fail", () =>
    storage.run(Effect.gen(function*() {
      expect((yield* readOwnRole).rowSecurity).toBe("every")
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`select from answer`).toEqual([])
    })))
})

it.skipIf(postgresUrl === null)(
  "row-level security can be enabled and disabled, and stays unchanged if the option is not given",
  () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const names = testRoles(inject("serverTemplate"))
      const owner = layerServer({ url: Redacted.make(url) })
      const api = () => layerServer({ url: Redacted.make(roleUrl(url, inject("serverTemplate"), "api")) })
      const state = Effect.suspend(() => Effect.map(Effect.provide(readOwnRole, api()), (role) => role.rowSecurity))
      const apply = (rowSecurity?: boolean) => Effect.provide(applyRoles(names, false, rowSecurity), owner)

      expect(yield* state).toBe("organization")
      expect((yield* apply(false)).rowSecurity).toBe(false)
      expect(yield* state).toBe("off")
      expect((yield* apply()).rowSecurity).toBe(false)
      expect(yield* state).toBe("off")
      expect((yield* apply(true)).rowSecurity).toBe(true)
      expect((yield* apply()).rowSecurity).toBe(true)
      expect(yield* state).toBe("organization")

      const required = (given: string) => layerServer({ url: Redacted.make(given), rowSecurity: "required" })
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(required(url))))
      expect(refused).toMatchObject({ _tag: "UnsupportedServer", reason: "row-security" })
      yield* Effect.scoped(Layer.build(required(roleUrl(url, inject("serverTemplate"), "api"))))

      // A migration's new table, and a server that asks for nothing but sees one organization at a time all the same
      yield* Effect.provide(
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sql`drop policy sov_organization on answer`
          yield* sql`drop policy sov_organization on score`
          yield* migrateServer
          expect(yield* sql`select from pg_policies where policyname = 'sov_organization' and tablename = 'score'`)
            .toHaveLength(1)
        }),
        owner
      )
      const seen = yield* Effect.gen(function*() {
        const { id } = yield* seedOrganization()
        return yield* Effect.exit((yield* ArchiveStore).count(id, {}))
      }).pipe(
        Effect.provide(layerStores.pipe(Layer.provideMerge(api()), Layer.provideMerge(SecureRandom.layerWebCrypto)))
      )
      expect(seen).toEqual(Exit.succeed(0))
    })))
)

it.skipIf(postgresUrl === null)(
  "every table with an organization has the policy",
  () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      yield* Effect.provide(
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const open = yield* sql<{ readonly name: string }>`
          select c.table_name::text as name from information_schema.columns c join pg_class t on t.relname = c.table_name
          where c.table_schema = 'public' and c.column_name = 'organization_id' and t.relkind = 'r'
            and (not t.relrowsecurity or not exists (
              select from pg_policies p where p.tablename = c.table_name and p.policyname = 'sov_organization'
            ))`
          expect(open).toEqual([])
          const [organization] = yield* sql`select relrowsecurity as on from pg_class where relname = 'organization'`
          expect(organization).toEqual({ on: true })
        }),
        layerServer({ url: Redacted.make(url) })
      )
    })))
)
