/** An organization is deleted as a whole or not at all, with nothing of another one. */
import {
  cancelDeletion,
  deleteOrganization,
  isTombstoneSigned,
  listDeletionRequests,
  listTombstones,
  makeUpkeepKind,
  OrganizationData,
  type OrganizationId,
  OrganizationStore,
  requestDeletion,
  SealStore
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { readOrganizationRows, uuidsIn } from "../support/organizationRows.ts"
import { openStorage, storeRole } from "../support/storage.ts"
import { tenants } from "../support/tenants.ts"

const own = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Makes a request older, as only the owner of the tables can. */
  age: (id: OrganizationId, days: number) =>
    sql`update deletion_request set requested_at = now() - ${`${days} days`}::interval where organization_id = ${id}`,
  /** Every table as text. */
  everything: Effect.gen(function*() {
    const names = yield* sql<{ readonly name: string }>`
      select table_name::text as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'
    `
    const rows = yield* Effect.forEach(names, ({ name }) =>
      Effect.map(
        sql.unsafe<{ readonly row: string }>(`select to_jsonb(t)::text as row from "${name}" t`),
        (found) => found.map(({ row }) => `${name} ${row}`)
      ))
    return rows.flat()
  })
}))

describe.each(homes)("deletion on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("a deletion leaves no row that names the organization, and other organizations keep their rows", () =>
    storage.run(Effect.gen(function*() {
      const { a } = yield* tenants
      const other = yield* tenants
      const kept = yield* readOrganizationRows(other.a.organizationId)
      const keptHead = yield* (yield* SealStore).head(other.a.organizationId)
      const gone = yield* readOrganizationRows(a.organizationId)
      const head = yield* (yield* SealStore).head(a.organizationId)
      const counts = yield* (yield* OrganizationData).count(a.organizationId)

      const stone = yield* deleteOrganization(a.organizationId, { atOnce: true })
      expect(stone).toMatchObject({
        organization_id: a.organizationId,
        head: { sequence: head!.sequence, hash: Buffer.from(head!.hash).toString("hex") },
        requested_by: "a",
        deleted_by: "command line",
        rows: counts
      })
      expect(Object.keys(counts)).toEqual(
        Object.keys(gone.tables).filter((name) => gone.tables[name]!.length > 0).toSorted()
      )
      const { everything } = yield* own
      const theirs = uuidsIn(kept)
      const named = [...uuidsIn(gone)].filter((id) => !theirs.has(id))
      expect(named).toContain(a.organizationId)
      expect(named).toContain(a.personId)
      const left = (yield* everything).filter((row) => named.some((id) => row.includes(id)))
      expect(left.map((row) => row.split(" ")[0])).toEqual(["tombstone"])
      expect(yield* readOrganizationRows(other.a.organizationId)).toEqual(kept)
      expect(yield* (yield* SealStore).head(other.a.organizationId)).toEqual(keptHead)
      expect(yield* deleteOrganization(a.organizationId, { atOnce: true })).toBeNull()
    })))

  it("every table with organizations refers to the organization by foreign keys, so that no row can remain", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      expect(
        yield* sql`
          with recursive bound as (
            select 'organization'::regclass::oid as oid
            union
            select f.conrelid from bound join pg_constraint f on f.confrelid = bound.oid and f.contype = 'f'
          )
          select c.relname from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'organization_id'
          where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and not t.attisdropped
            and c.oid not in (select oid from bound)
        `
      ).toEqual([])
    })))

  it("a deletion request is due after seven days, and nothing is deleted before that", () =>
    storage.run(Effect.gen(function*() {
      const { age } = yield* own
      const { id } = yield* seedOrganization()
      const request = yield* requestDeletion(id)
      expect(request).toMatchObject({ requestedBy: "command line", due: false })
      yield* age(id, 6.9)
      expect(yield* Effect.flip(deleteOrganization(id, { atOnce: false }))).toMatchObject({ reason: "constraint" })
      expect(yield* requestDeletion(id)).toMatchObject({ due: false })
      yield* age(id, 7.01)
      expect((yield* listDeletionRequests()).find(({ organizationId }) => organizationId === id)).toMatchObject({
        due: true
      })
      expect(yield* cancelDeletion(id)).toBe(true)
      expect(yield* cancelDeletion(id)).toBe(false)
      expect(yield* Effect.flip(deleteOrganization(id, { atOnce: false }))).toMatchObject({ reason: "constraint" })
      yield* requestDeletion(id)
      yield* age(id, 7.01)
      expect(yield* deleteOrganization(id, { atOnce: false })).toMatchObject({ organization_id: id })
      expect(yield* listDeletionRequests()).not.toContainEqual(expect.objectContaining({ organizationId: id }))
    })))

  it("the task that removes old rows deletes only organizations whose grace period is over", () =>
    storage.run(Effect.gen(function*() {
      const { age } = yield* own
      const [{ id: due }, { id: early }] = [yield* seedOrganization(), yield* seedOrganization()]
      yield* Effect.forEach([due, early], requestDeletion)
      yield* age(due, 7.01)
      yield* age(early, 6.9)
      const upkeep = makeUpkeepKind()
      const queues = yield* upkeep.look("all", new Map())
      const mine = queues.filter(({ organizationId }) => organizationId === due || organizationId === early)
      expect(mine).toHaveLength(2)
      for (const queue of mine) {
        const next = yield* upkeep.run(queue, queue, { markEnded: () => undefined })
        expect(next === null).toBe(queue.organizationId === due)
      }
      const left = (yield* (yield* OrganizationStore).list).map(({ id }) => id)
      expect([left.includes(due), left.includes(early)]).toEqual([false, true])
      expect((yield* listTombstones()).find((stone) => stone.organization_id === due)).toMatchObject({
        deleted_by: "upkeep",
        requested_by: "command line"
      })
      yield* cancelDeletion(early)
    })))

  it("the signature of a tombstone detects any change, and the database refuses to change or remove a tombstone", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { a } = yield* tenants
      const stone = yield* deleteOrganization(a.organizationId, { atOnce: true })
      expect((yield* listTombstones()).find((one) => one.organization_id === a.organizationId)).toEqual(stone)
      expect(isTombstoneSigned(stone!)).toBe(true)
      for (const changed of [{ rows: { ...stone!.rows, answer: 9 } }, { head: null }, { deleted_by: "other" }]) {
        expect(isTombstoneSigned({ ...stone!, ...changed })).toBe(false)
      }
      for (const statement of ["delete from tombstone", "truncate tombstone", "update tombstone set rows = '{}'"]) {
        const { reason } = yield* Effect.flip(sql.unsafe(statement))
        expect(reason.cause).toMatchObject({ code: "23001" })
      }
    })))

  it("no part of an organization can be deleted with another organization's tombstone, or an earlier transaction's", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { a } = yield* tenants
      const { id } = yield* seedOrganization()
      const attempt = sql.withTransaction(Effect.gen(function*() {
        yield* sql`insert into tombstone (id, at_once, deleted_by) values (${id}, true, 'x')`
        yield* sql`delete from score where organization_id = ${a.organizationId}`
      }))
      expect((yield* Effect.flip(attempt)).reason.cause).toMatchObject({ code: "23001" })
      expect(yield* (yield* OrganizationData).count(a.organizationId)).toHaveProperty("score", 1)
    })))
})

// A worker's role makes no members and keys, which the organizations here have
describe.skipIf(storeRole === "worker").each(homes.filter((home) => home === "postgres"))(
  "deletion by a role that doesn't own the tables, on the %s home",
  (home) => {
    const storage = openStorage(home, "api")
    afterAll(storage.close)

    it("the role can delete nothing before the grace period is over", () =>
      storage.run(Effect.gen(function*() {
        const { a } = yield* tenants
        const before = yield* readOrganizationRows(a.organizationId)
        const refusedAtOnce = yield* Effect.flip(deleteOrganization(a.organizationId, { atOnce: true }))
        expect(refusedAtOnce).toMatchObject({ reason: "denied" })
        const refused = yield* Effect.flip(deleteOrganization(a.organizationId, { atOnce: false }))
        expect(refused).toMatchObject({ reason: "constraint" })
        const sql = yield* SqlClient.SqlClient
        yield* Effect.flip(sql`update deletion_request set requested_at = now() - interval '9 days'`)
        yield* sql`delete from deletion_request where organization_id = ${a.organizationId}`
        yield* sql`
          insert into deletion_request (organization_id, requested_at, requested_by)
          values (${a.organizationId}, now() - interval '9 days', 'a')
        `
        expect(yield* Effect.flip(deleteOrganization(a.organizationId, { atOnce: false }))).toMatchObject({
          reason: "constraint"
        })
        const { tables: { deletion_request: _, ...tables } } = yield* readOrganizationRows(a.organizationId)
        const { deletion_request: __, ...expected } = before.tables
        expect(tables).toEqual(expected)
      })))
  }
)
