/** The export of an organization's rows: complete, of that organization alone, and without secrets. */
import { exportRecords } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { readOrganizationRows, uuidsIn } from "../support/organizationRows.ts"
import { openStorage, storeRole } from "../support/storage.ts"
import { tenants } from "../support/tenants.ts"

type Row = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Hashes of what everybody may know, and of nothing that lets somebody in. */
const openHashes = [
  "card_attestation.card_hash",
  "card_decision.fact_hash",
  "answer.leaf_hash",
  "answer.payload_sha256",
  "seal.hash",
  "seal.leaf_hashes"
]
/** They are exported in another form. */
const elsewhere = ["answer", "answer_sources", "audit_entry"]
/** What is not kept: how many requests were made lately. */
const unlogged = ["organization_request_log", "request_log"]

// A worker's role may not read keys
describe.skipIf(storeRole === "worker").each(homes)("rows of an organization on the %s home", (home) => {
  const storage = openStorage(home, storeRole)
  afterAll(storage.close)

  const readRecords = (organizationId: Parameters<typeof exportRecords>[0]) =>
    Effect.map(
      Stream.runCollect(exportRecords(organizationId)),
      (pages) => [...pages].flat().map((line) => JSON.parse(line) as Row)
    )

  it("every row is exported once, without rows of other organizations", () =>
    storage.run(Effect.gen(function*() {
      const { a, b } = yield* tenants
      const { tables } = yield* readOrganizationRows(a.organizationId)
      const records = yield* readRecords(a.organizationId)
      for (const [table, rows] of Object.entries(tables)) {
        const expected = elsewhere.includes(table) || unlogged.includes(table) ? 0 : rows.length
        expect(records.filter((record) => table in record), table).toHaveLength(expected)
      }
      expect(records.filter((record) => "organization" in record)).toHaveLength(1)
      expect(uuidsIn(records)).not.toContain(b)
      expect((yield* readRecords(b)).map((record) => Object.keys(record)[0])).toEqual(["organization"])
    })))

  it("rows that do not fit on one page are all exported", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* seedOrganization()
      yield* sql`
        insert into quota_usage (organization_id, period, used)
        select ${id}, to_char(timestamp '2000-01-01' + n * interval '1 month', 'YYYY-MM'), 0
        from generate_series(1, 2500) n
      `
      expect((yield* readRecords(id)).filter((record) => "quota_usage" in record)).toHaveLength(2500)
    })))

  it("no column with a secret is exported", () =>
    storage.run(Effect.gen(function*() {
      const { a } = yield* tenants
      const sql = yield* SqlClient.SqlClient
      const columns = (yield* sql<{ readonly table: string; readonly column: string }>`
        select table_name::text as "table", column_name::text as "column" from information_schema.columns
        where table_schema = current_schema()
      `).map(({ column, table }) => `${table}.${column}`)
      const secret = columns.filter((name) =>
        /secret|hash|token$|password|\.body_/.test(name) && !openHashes.includes(name)
      )
      expect(secret).toEqual(expect.arrayContaining(["api_key.hash", "webhook_endpoint.secret", "mail.body_html"]))
      const exported = (yield* readRecords(a.organizationId)).flatMap((record) =>
        Object.entries(record).flatMap(([table, row]) => Object.keys(row).map((column) => `${table}.${column}`))
      )
      expect(secret.filter((name) => exported.includes(name))).toEqual([])
    })))
})
