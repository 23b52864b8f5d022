/** Backups on both homes: one moment, nothing lost on the way to the other home, nothing restored that is not whole. */
import {
  addView,
  annotate,
  ArchiveStore,
  BusinessCardStore,
  createApiKey,
  createOperatorKey,
  deleteOrganization,
  DeliveryStore,
  hashLeaf,
  IdempotencyStore,
  ignoreSuggestion,
  makeSeal,
  MeasurementStore,
  QuotaLedger,
  requestDeletion,
  ResolvedUrlStore,
  ScanStore,
  ScheduleStore,
  ScoreStore,
  SealStore,
  tagKeywords,
  TrafficStore,
  UsageStore,
  wordKeyword
} from "@sov/core"
import {
  type BackupSummary,
  checkBackup,
  layerInProcess,
  layerServer,
  readMigrationStatus,
  restoreBackup,
  takeBackup
} from "@sov/core/postgres"
import {
  addScan,
  answerTo,
  at,
  cardDecision,
  cardEdit,
  chargeOf,
  failureOf,
  hostileTexts,
  measurementOf,
  scoreOf,
  seedAnswers,
  type SeededScan,
  seedOrganization,
  seedScan,
  type Stores,
  trafficLine
} from "@sov/core/testing"
import { Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { seedActions } from "../contracts/actionStoreContract.ts"
import { seedAlerts } from "../contracts/alertStoreContract.ts"
import { seedSharing } from "../contracts/brandingStoreContract.ts"
import { seedDigest } from "../contracts/digestStoreContract.ts"
import { seedEnd } from "../contracts/experimentEndsContract.ts"
import { resolvedUrlOf } from "../contracts/resolvedUrlStoreContract.ts"
import { scheduleOf, skippedRun } from "../contracts/scheduleStoreContract.ts"
import { outcomeOf, seedDelivery } from "../contracts/webhookSeeds.ts"
import { type Home, homes, journeyHomes } from "../support/homes.ts"
import { keptDetailOf } from "../support/keptDetails.ts"
import { seedMembership } from "../support/people.ts"
import { emptyDatabase, layerHome, openStorage } from "../support/storage.ts"

const lines = (text: string): Stream.Stream<string> => Stream.fromIterable(text.trimEnd().split("\n"))

const backup = (home: Home, onPiece: (text: string) => Promise<unknown> = async () => undefined) =>
  Effect.gen(function*() {
    let text = ""
    const summary = yield* takeBackup({ singleSession: home === "embedded" }, (piece) => {
      text += piece.text
      return Effect.promise(() => onPiece(piece.text))
    })
    return { summary, text }
  })

const check = (text: string) => checkBackup(lines(text), Effect.void)
const restore = (text: string) =>
  Effect.flatMap(check(text), (summary) => restoreBackup(summary, lines(text), Effect.void))

/** A database of its own, closed when the test ends: migrated with its stores, or without a table. */
const fresh = (home: Home) => {
  // A restore is an act of the tables' owner
  const runtime = ManagedRuntime.make(layerHome(home, "superuser"))
  onTestFinished(() => runtime.dispose())
  return <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient.SqlClient>): Promise<A> => runtime.runPromise(effect)
}
const withoutTables = (home: Home) => {
  const runtime = ManagedRuntime.make(
    home === "embedded"
      ? layerInProcess()
      : Layer.unwrap(Effect.map(emptyDatabase(), ({ url }) => layerServer({ url: Redacted.make(url) })))
  )
  onTestFinished(() => runtime.dispose())
  return <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> => runtime.runPromise(effect)
}

const answer = Effect.fnUntraced(function*(seeded: SeededScan, texts: ReadonlyArray<string>) {
  const archive = yield* ArchiveStore
  const { cells } = yield* addScan(seeded.organizationId, seeded.keywords, { samples: 1 })
  return yield* Effect.forEach(cells.slice(0, texts.length), (cell, n) =>
    Effect.gen(function*() {
      const made = yield* answerTo(cell, { rawResponse: texts[n]!, createdAt: at(40 + n) })
      yield* archive.append(seeded.organizationId, made)
      return made
    }))
})

/** Something in every table, with what a careless copy changes. */
const seed = Effect.gen(function*() {
  const seeded = yield* seedScan()
  const { organizationId, scan } = seeded
  const [measured] = yield* seedAnswers(seeded)
  yield* (yield* MeasurementStore).noteFailure(organizationId, failureOf(measured!, { measureVersion: 5 }))
  const card = yield* BusinessCardStore
  const items = [...hostileTexts, { name: hostileTexts.join(""), url: "null" }]
  yield* card.append(organizationId, [cardEdit({ value: items }), cardEdit({ value: null })], at(30))
  yield* card.attest(organizationId, { by: hostileTexts.join(""), at: at(30), cardHash: "a".repeat(64) })
  yield* card.addDecisions(organizationId, [cardDecision(measured!.id)])
  yield* answer(seeded, hostileTexts.slice(0, 4))
  yield* answer(seeded, [...hostileTexts.slice(4), "\u2028\u2029\n\r\n}\n{\"end\":{}}"])
  const score = scoreOf(scan.id, { avgSov: 0.1 + 0.2, nobody: -0 })
  yield* (yield* ScoreStore).insert(organizationId, score, at(30))
  yield* (yield* ScoreStore).keepDetail(organizationId, score, keptDetailOf(scan.id, seeded.set))
  const leaves = yield* (yield* ArchiveStore).leaves(organizationId, scan.id)
  const seals = yield* SealStore
  const first = makeSeal({ scanId: scan.id, leaves, head: null, sealedAt: at(30) })
  yield* seals.insert(organizationId, first)
  yield* seals.insert(organizationId, makeSeal({ scanId: scan.id, leaves: [], head: first, sealedAt: at(31) }))
  yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(30))
  yield* (yield* QuotaLedger).take(organizationId, "2026-01", 5)
  yield* createApiKey(organizationId, "ci")
  yield* createOperatorKey("billing")
  yield* ignoreSuggestion(organizationId, "Initrode")
  yield* tagKeywords(organizationId, seeded.keywords.map(({ id }) => id), ["anvils, heavy", "Ünïcode"])
  yield* seedActions(organizationId)
  yield* addView(organizationId, { name: "germany", country: "DE", language: "de", context: "Ünïcode \"me\"" })
  yield* wordKeyword(organizationId, "germany", seeded.keywords[0]!.id, "Welcher Amboss?")
  yield* seedEnd(organizationId)
  yield* annotate(organizationId, { day: "2026-11-20", text: "Ünïcode \"note\"" })
  yield* seedSharing(organizationId)
  const lines = hostileTexts.map((path) => trafficLine({ path, id: "\u0000\u00ff\n'\\ab" + path.length % 10 }))
  yield* (yield* TrafficStore).add(organizationId, lines, "v1")
  yield* seedAlerts(organizationId, scan.id)
  yield* seedDelivery({}, organizationId)
  const sent = yield* seedDelivery({}, organizationId)
  yield* (yield* DeliveryStore).record([outcomeOf(sent, 31, { failure: "reset", response: hostileTexts[2]! })])
  yield* (yield* IdempotencyStore).add(organizationId, {
    key: hostileTexts[1]!,
    fingerprint: new Uint8Array(32).fill(255),
    scanId: scan.id,
    estimatedSeconds: 7,
    createdAt: at(10)
  }, at(0))
  yield* (yield* UsageStore).charge(organizationId, yield* chargeOf(scan.id))
  yield* (yield* ScheduleStore).save(organizationId, scheduleOf())
  yield* (yield* ScheduleStore).record(organizationId, skippedRun())
  yield* seedDigest(organizationId)
  yield* (yield* ResolvedUrlStore).insert(organizationId, resolvedUrlOf())
  yield* seedMembership(organizationId)
  yield* requestDeletion(organizationId)
  yield* deleteOrganization((yield* seedOrganization()).id, { atOnce: true })
  return seeded
})

const hex = (...hashes: ReadonlyArray<Uint8Array>) => hashes.map((hash) => Buffer.from(hash).toString("hex"))

/** What must be the same after a restore: every row of every table, as its hash. */
const contents = (text: string): unknown => {
  const { end } = JSON.parse(text.trimEnd().split("\n").at(-1)!) as { end: { tables: { deletion_request: object } } }
  // The grace of a request begins again
  return { ...end.tables, deletion_request: { ...end.tables.deletion_request, sha256: null } }
}

describe.each(homes)("from the %s home", (home) => {
  const source = openStorage(home, "superuser")
  afterAll(source.close)
  let seeded: Promise<SeededScan> | undefined
  const seededOnce = () => seeded ??= source.run(seed)

  it.each(homes)("a restore to the %s home brings back every row of every table", async (other) => {
    await seededOnce()
    const { summary, text } = await source.run(backup(home))
    for (const [table, rows] of Object.entries(summary.rows)) expect(rows, table).toBeGreaterThan(0)
    const target = withoutTables(other)
    expect(await target(restore(text))).toEqual({ deliveries: 2, emails: 1 })
    const again = await target(backup(other))
    expect(contents(again.text)).toEqual(contents(text))
    expect(await target(readMigrationStatus)).toMatchObject({ pending: [] })
  })

  it("a restore works into a migrated empty database, where seals are valid and the archive stays append-only", async () => {
    const { organizationId, scan } = await seededOnce()
    const { text } = await source.run(backup(home))
    const target = fresh(home)
    await target(restore(text))
    await target(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [seal] = yield* (yield* SealStore).ofScan(organizationId, scan.id)
      const archive = yield* ArchiveStore
      const stored = (yield* archive.leaves(organizationId, scan.id)).map(({ id }) => id)
      const answers = yield* archive.listSealed(organizationId, stored)
      const leaves = answers.map((answer) => ({ id: answer.id, hash: hashLeaf(answer) }))
      const again = makeSeal({ scanId: scan.id, leaves, head: null, sealedAt: seal!.sealedAt })
      expect(leaves).toHaveLength(4)
      expect(hex(again.root, again.hash)).toEqual(hex(seal!.root, seal!.hash))
      for (const statement of ["update answer set model = ''", "delete from seal", "truncate score cascade"]) {
        expect((yield* Effect.flip(sql.unsafe(statement))).reason.cause).toMatchObject({ code: "23001" })
      }
    }))
  })

  it.runIf(journeyHomes.includes(home))(
    "a backup shows the state of one moment even if rows are written during it",
    async () => {
      const own = fresh(home)
      const made = await own(seed)
      for (let i = 0; i < 15; i++) await own(answer(made, ["one", "two", "three", "four"]))
      const before = await own(backup(home))
      let written = 0
      const { summary, text } = await own(backup(home, async (piece) => {
        // On the embedded home nobody else gets a turn while the tables that change are read
        if (home === "embedded" && !/^\{"(answer|measurement|score|seal)"/.test(piece)) return
        written++
        await own(Effect.gen(function*() {
          const [one] = yield* answer(made, ["later"])
          yield* (yield* MeasurementStore).insert(made.organizationId, [measurementOf(one!)])
        }))
      }))
      expect(written).toBeGreaterThanOrEqual(5)
      expect(contents(text)).toEqual(contents(before.text))
      const after = await own(backup(home))
      expect(after.summary.rows["answer"]).toBe(summary.rows["answer"]! + written)
      await fresh(home)(restore(text))
    }
  )

  // On the embedded home a transaction that is open keeps everybody out, the backup too
  it.runIf(home === "postgres")(
    "a backup leaves out rows that were written before its moment and committed after it",
    async () => {
      const own = fresh(home)
      const made = await own(seed)
      const inserted = Promise.withResolvers<void>()
      const mayCommit = Promise.withResolvers<void>()
      const open = own(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* answer(made, ["open"])
          inserted.resolve()
          yield* Effect.promise(() => mayCommit.promise)
        }))
      }))
      await inserted.promise
      await own(answer(made, ["later, but committed"]))
      const before = await own(backup(home))
      const { text } = await own(backup(home, async (piece) => {
        if (!piece.startsWith("{\"keyword\"")) return
        mayCommit.resolve()
        await open
      }))
      expect(contents(text)).toEqual(contents(before.text))
      expect((await own(backup(home))).summary.rows["answer"]).toBe(before.summary.rows["answer"]! + 1)
    }
  )

  it("a backup omits tables that every database creates itself: those of the cluster, and foreign tables", async () => {
    const own = fresh(home)
    const { left, summary } = await own(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table guest (id integer primary key, note text)`
      const { summary } = yield* backup(home)
      const rows = yield* sql<{ readonly name: string }>`
        select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      `
      return {
        summary,
        left: rows.map(({ name }) => name).filter((name) =>
          summary.rows[name] === undefined && !name.startsWith("sov_cluster_")
        )
      }
    }))
    expect(left.toSorted()).toEqual([
      "guest",
      "login_link",
      "organization_request_log",
      "platform_health",
      "request_log",
      "server",
      "session",
      "sov_migrations",
      "worker"
    ])
    const names = Object.keys(summary.rows)
    expect(names.slice(names.indexOf("idempotency_key") + 1).toSorted()).toEqual(
      "alert answer answer_sources card_decision charge measurement schedule_run score seal told_name".split(" ")
    )
  })

  describe("a damaged backup is refused with a reason, and nothing is restored", () => {
    const rehashed = (text: string, change: (line: string) => string): string => {
      const all = text.trimEnd().split("\n").map((line, n, { length }) => n === length - 1 ? line : change(line))
      const { end } = JSON.parse(all.at(-1)!) as { end: { header: string; tables: Record<string, { sha256: string }> } }
      const sha256 = (value: string) => createHash("sha256").update(value).digest("hex")
      for (const [name, table] of Object.entries(end.tables)) {
        table.sha256 = sha256(all.filter((line) => line.startsWith(`{"${name}":`)).map((line) => `${line}\n`).join(""))
      }
      end.header = sha256(`${all[0]}\n`)
      return [...all.slice(0, -1), JSON.stringify({ end })].join("\n")
    }
    const without = (text: string, start: string) => {
      const all = text.split("\n")
      all.splice(all.findIndex((line) => line.startsWith(start)), 1)
      return all.join("\n")
    }
    const faults: ReadonlyArray<readonly [string, (text: string) => string, RegExp]> = [
      ["empty", () => "", /no backup of sov/],
      ["another file", () => "{\"id\":1}\n{\"id\":2}", /no backup of sov/],
      ["a later form", (text) => text.replace("\"sov_backup\":1", "\"sov_backup\":2"), /newer sov/],
      ["cut short", (text) => text.slice(0, text.lastIndexOf("{\"seal\"")), /cut short after line \d+, in seal/],
      [
        "cut in a line",
        (text) => text.slice(0, text.lastIndexOf("{\"seal\"") + 99),
        /line \d+ is no row, after those of/
      ],
      ["a row changed", (text) => text.replace("which forge?", "which porge?"), /rows of keyword were changed/],
      ["a row lost", (text) => without(text, "{\"answer\""), /has \d+ rows of answer, and had \d+/],
      ["rows swapped", (text) => {
        const all = text.split("\n")
        const n = all.findIndex((line) => line.startsWith("{\"answer\""))
        return [...all.slice(0, n), all[n + 1], all[n], ...all.slice(n + 2)].join("\n")
      }, /rows of answer were changed/],
      ["a table out of its place", (text) => {
        const row = text.split("\n").find((line) => line.startsWith("{\"organization\""))!
        return without(text, row).replace("\n{\"end\"", `\n${row}\n{"end"`)
      }, /line \d+ is no row/],
      [
        "the first line changed",
        (text) => text.replace("\"created_at\":\"", "\"created_at\":\"1"),
        /first line was changed/
      ],
      ["more after the end", (text) => `${text.trimEnd()}\n{"seal":{}}`, /comes after its end/],
      [
        "a newer schema",
        (text) => rehashed(text, (line) => line.replace(/"schema_version":\d+/, "\"schema_version\":999")),
        /999/
      ],
      [
        "an older schema",
        (text) => rehashed(text, (line) => line.replace(/"schema_version":\d+/, "\"schema_version\":0")),
        /version 0, the database \d+ already/
      ],
      [
        "a table too many",
        (text) =>
          rehashed(
            text,
            (line) => line.replace(/"tables":\[/, "\"tables\":[{\"name\":\"x; drop table answer\",\"columns\":[]},")
          ),
        /rows of|other tables|had 0/
      ],
      [
        "a column too many",
        (text) =>
          rehashed(text, (line) => line.replace(/\["organization_id",/, "[\"organization_id\",\"(select 1)\",")),
        /other columns of/
      ],
      [
        "a row that points to nothing",
        (text) =>
          rehashed(
            text,
            (line) => line.startsWith("{\"measurement\"") ? line.replace(/"answer_id":"./, "\"answer_id\":\"f") : line
          ),
        /foreign key/
      ]
    ]

    it("every fault in the list is refused", async () => {
      await seededOnce()
      const { text } = await source.run(backup(home))
      const target = fresh(home)
      const untouched = await target(backup(home))
      for (const [name, fault, says] of faults) {
        expect(fault(text), name).not.toBe(text)
        const error = await target(Effect.flip(restore(fault(text))))
        expect(error.message, name).toMatch(says)
      }
      expect(contents((await target(backup(home))).text)).toEqual(contents(untouched.text))
      await target(restore(rehashed(text, (line) => line)))
    })
  })

  it("a restore into a database with an organization is refused", async () => {
    await seededOnce()
    const { text } = await source.run(backup(home))
    const before = await source.run(backup(home))
    const error = await source.run(Effect.flip(restore(text)))
    expect(error).toMatchObject({
      _tag: "DatabaseNotEmpty",
      message: expect.stringContaining("1 organization already")
    })
    expect(contents((await source.run(backup(home))).text)).toEqual(contents(before.text))
  })

  it("a file that is replaced between the check and the restore is refused", async () => {
    await seededOnce()
    const { text } = await source.run(backup(home))
    const summary: BackupSummary = { ...await source.run(check(text)), created_at: "another" }
    const error = await fresh(home)(Effect.flip(restoreBackup(summary, lines(text), Effect.void)))
    expect(error.message).toMatch(/changed while it was read/)
  })
})
