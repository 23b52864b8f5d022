/** What the database itself refuses to every role: no statement changes or removes what the archive holds. */
import {
  BusinessCardStore,
  makeSeal,
  ResolvedUrlStore,
  ScanStore,
  ScheduleStore,
  ScoreStore,
  SealStore,
  UsageStore
} from "@sov/core"
import { addScan, at, cardDecision, cardEdit, chargeOf, scoreOf, seedAnswers, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { seedMembership } from "../support/people.ts"
import { openStorage } from "../support/storage.ts"
import { seedAlerts } from "./alertStoreContract.ts"
import { seedDigest } from "./digestStoreContract.ts"
import { resolvedUrlOf } from "./resolvedUrlStoreContract.ts"
import { skippedRun } from "./scheduleStoreContract.ts"
import { seedDelivery } from "./webhookSeeds.ts"

const tables = [
  "alert",
  "answer",
  "answer_sources",
  "audit_entry",
  "card_attestation",
  "card_change",
  "card_decision",
  "charge",
  "event",
  "measurement",
  "resolved_url",
  "digest_mail",
  "schedule_run",
  "score",
  "seal",
  "tracked_set"
]
const verbs = ["update", "delete", "truncate"] as const

const statementOf = (verb: (typeof verbs)[number], table: string): string =>
  ({
    update: `update ${table} set organization_id = organization_id`,
    delete: `delete from ${table}`,
    truncate: `truncate ${table} cascade`
  })[verb]

/** SQLSTATE and message with which the database refuses a statement. */
const refusalOf = (statement: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const error: SqlError.SqlError = yield* Effect.flip(sql.unsafe(statement))
    return error.reason.cause as { readonly code: string; readonly message: string }
  })

const rowsIn = (table: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.unsafe(`select to_jsonb(t)::text as row from ${table} t order by 1`)
  })

const seed = Effect.gen(function*() {
  const made = yield* seedScan()
  const [answer] = yield* seedAnswers(made)
  yield* (yield* UsageStore).charge(made.organizationId, yield* chargeOf(made.scan.id))
  yield* (yield* ScoreStore).insert(made.organizationId, scoreOf(made.scan.id), at(30))
  yield* (yield* SealStore).insert(
    made.organizationId,
    makeSeal({ scanId: made.scan.id, leaves: [], head: null, sealedAt: at(30) })
  )
  yield* (yield* BusinessCardStore).append(made.organizationId, [cardEdit()], at(30))
  yield* (yield* BusinessCardStore).addDecisions(made.organizationId, [cardDecision(answer!.id)])
  yield* (yield* BusinessCardStore).attest(made.organizationId, { by: "Ada", at: at(30), cardHash: "a".repeat(64) })
  yield* seedDelivery({}, made.organizationId)
  yield* seedAlerts(made.organizationId, made.scan.id)
  yield* (yield* ResolvedUrlStore).insert(made.organizationId, resolvedUrlOf())
  yield* (yield* ScheduleStore).record(made.organizationId, skippedRun())
  yield* seedDigest(made.organizationId)
  yield* seedMembership(made.organizationId)
  return made
})

/** Rows of these may go when they are older than 28 days. */
const retained = { audit_entry: "at", digest_mail: "created_at", event: "created_at", schedule_run: "scheduled_at" }

/** Makes those rows as young as rows are that the database refuses to remove. */
const renew = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const [table, column] of Object.entries(retained)) {
    yield* sql.unsafe(`alter table ${table} disable trigger ${table}_append_only`)
    yield* sql.unsafe(`with numbered as (select ctid as place, row_number() over () as n from ${table})
      update ${table} set ${column} = now() - interval '27 days' + n * interval '1 second'
      from numbered where ${table}.ctid = place`)
    yield* sql.unsafe(`alter table ${table} enable trigger ${table}_append_only`)
  }
})

describe.each(homes)("on the %s home", (home) => {
  // Its owner, whom only triggers refuse; roles that serve are refused before (postgres/roles)
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)

  describe.each(tables)("table %s is append-only", (table) => {
    it.each(verbs)("the statement %s is refused", (verb) =>
      storage.run(Effect.gen(function*() {
        yield* seed
        yield* renew
        const before = yield* rowsIn(table)
        expect(before).not.toEqual([])
        const refusal = yield* refusalOf(statementOf(verb, table))
        expect(refusal.code).toBe("23001")
        expect(refusal.message).toMatch(/^\w+ is append-only: (UPDATE|DELETE|TRUNCATE) is not allowed$/)
        expect(yield* rowsIn(table)).toEqual(before)
      })))
  })

  it.each(["completed", "failed", "cancelled"] as const)(
    "a %s scan cannot be changed",
    (status) =>
      storage.run(Effect.gen(function*() {
        const { organizationId, scan } = yield* seed
        yield* (yield* ScanStore).end(organizationId, scan.id, status, at(30))
        const where = `where id = '${scan.id}'`
        const changes = [
          `status = 'running', completed_at = null`,
          ...["completed", "failed", "cancelled"].filter((other) => other !== status).map((other) =>
            `status = '${other}'`
          ),
          `completed_at = now()`
        ]
        for (const change of changes) {
          expect((yield* refusalOf(`update scan set ${change} ${where}`)).code).toBe("23001")
        }
        expect((yield* refusalOf(`delete from scan ${where}`)).code).toBe("23503")
        const found = yield* (yield* ScanStore).find(organizationId, scan.id)
        expect(found).toEqual({ ...scan, status, completedAt: at(30) })
      }))
  )

  it.each([
    { what: "to a question, under another cell", column: "cell_id", other: (cell: string) => `'${cell}'` },
    { what: "of a cell, to another question", column: "sample", other: () => "sample + 1" }
  ])("a second answer $what is refused", ({ column, other }) =>
    storage.run(Effect.gen(function*() {
      const { cells: [cell], keywords, organizationId } = yield* seed
      const { cells: [open] } = yield* addScan(organizationId, keywords)
      const columns = yield* columnsOf("answer")
      const changed: { readonly [name: string]: string } = { id: "gen_random_uuid()", [column]: other(open!.id) }
      const copy = `insert into answer (${columns.join()})
        select ${columns.map((name) => changed[name] ?? name).join()} from answer where cell_id = '${cell!.id}'`
      expect((yield* refusalOf(copy)).code).toBe("23505")
    })))
})

const columnsOf = (table: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly name: string }>`
      select column_name::text as name from information_schema.columns
      where table_schema = current_schema() and table_name = ${table}
    `
    return rows.map(({ name }) => name)
  })
