/** A claim reads few rows of a new scan, although the database has no statistics about its cells yet. */
import { CellStore } from "@sov/core"
import { at, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("a claim of four cells reads fewer than forty of a thousand", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { organizationId, scan } = yield* seedScan()
      yield* sql`
        insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, due_at)
        select organization_id, gen_random_uuid(), scan_id, keyword_id, platform, 1 + n, 'open', due_at
        from cell, generate_series(1, 250) n
      `
      const read = Effect.map(
        sql<{ readonly rows: number }>`
          select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'cell'
        `,
        ([row]) => row!.rows
      )
      const { claim } = yield* CellStore
      yield* sql.withTransaction(Effect.gen(function*() {
        const before = yield* read
        const queue = { organizationId, scanId: scan.id }
        const claimed = yield* claim(queue, "assistant_a", { now: at(11), limit: 4, inFlight: [] })
        expect(claimed).toHaveLength(4)
        expect((yield* read) - before).toBeLessThan(40)
      }))
    })))
})
