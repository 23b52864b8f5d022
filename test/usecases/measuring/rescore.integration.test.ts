/** Measuring the archive again: what changes, what stays, and what blocks nobody. */
import {
  addCompetitor,
  ArchiveStore,
  cancelScan,
  compareScans,
  completeScan,
  IcuVersion,
  makeDirectAnalysis,
  MeasurementStore,
  measureVersion,
  type OrganizationId,
  planRescore,
  previewRescore,
  readMovements,
  readScan,
  removeCompetitor,
  rescore,
  type RescoreScope,
  type Scan,
  ScanStore,
  ScoreStore,
  setBrand,
  TrackedSetStore,
  Transaction,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, measurementOf, scoreOf, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, measurements, scanWith, scoresOf, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const rescoreAll = Effect.fnUntraced(function*(organizationId: OrganizationId, scope: RescoreScope = {}) {
  const progress: Array<number> = []
  const done = yield* rescore(organizationId, yield* planRescore(organizationId, scope), (n) => progress.push(n))
  expect(progress.reduce((sum, n) => sum + n, 0)).toBe(done.answers)
  return done
})

/** A completed scan as version 1 of the rules left it: its answers name nobody, says their measurement. */
const scanOfVersion1 = Effect.gen(function*() {
  const { cells, organizationId, scan, set } = yield* seedScan()
  for (const cell of cells) {
    const answer = yield* answerTo(cell)
    yield* (yield* ArchiveStore).archive(
      organizationId,
      answer,
      measurementOf(answer, {
        brandMentioned: false,
        mentionCount: 0,
        mentionPosition: null,
        sentiment: null,
        sovScore: 0,
        mentions: []
      })
    )
  }
  const competitors = set.competitors.map(({ id }) => ({ id, sov: 0 }))
  yield* (yield* ScoreStore).insert(organizationId, scoreOf(scan.id, { avgSov: 0, nobody: 100, competitors }), at(30))
  yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(30))
  return { organizationId, scan: (yield* (yield* ScanStore).find(organizationId, scan.id))! }
})

const versionsOf = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly measure_version: number; readonly avg_sov: number }>`
    select measure_version, avg_sov from score
    where organization_id = ${organizationId} and scan_id = ${scan.id} order by measure_version
  `
  return rows.map((row) => [row.measure_version, Math.round(row.avg_sov)])
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("every ended scan is measured and scored once with the current tracked set, and earlier measurements stay", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const first = yield* scanWith(id, 10, () => "Acme Forge, or Hooli.")
      const second = yield* scanWith(id, 20, (keyword) => keyword === 0 ? null : "Acme Forge, or Hooli.")
      const cancelled = yield* answeredScan(id, 30, () => "Acme Forge, or Hooli.")
      yield* cancelScan(id, cancelled.id)
      const running = yield* answeredScan(id, 40, () => "Acme Forge, or Hooli.")
      expect(yield* measurements(id)).toBe(22)
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })

      expect(yield* planRescore(id, {})).toMatchObject({ scans: 3, answers: 34, measured: 0, unscored: 2 })
      expect(yield* rescoreAll(id)).toEqual({ answers: 34, kept: 0, scores: 2, sources: 17, unmeasurable: new Map() })
      expect(yield* measurements(id)).toBe(22 + 34)
      expect(yield* scoresOf(id, first)).toEqual([[1, 100], [2, 50]])
      expect(yield* scoresOf(id, second)).toEqual([[1, 100], [2, 50]])
      expect(yield* scoresOf(id, cancelled)).toEqual([])
      expect(yield* scoresOf(id, running)).toEqual([])
      expect(yield* planRescore(id, {})).toMatchObject({ measured: 34, unscored: 0 })
      expect(yield* rescoreAll(id)).toEqual({ answers: 0, kept: 0, scores: 0, sources: 0, unmeasurable: new Map() })
      expect(yield* measurements(id)).toBe(22 + 34)

      const latest = (yield* (yield* ScoreStore).ofScan(id, second.id))!
      expect(yield* readMovements(id, wholeHistory, second, latest)).toMatchObject({
        comparison: { trend: { delta: 0 } }
      })
    })))

  it("answers without a changed name keep their measurements, and measuring them again would give the same", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const texts = [
        "Globex is sturdy. **Acme Forge** is better, and I recommend it.",
        "Avoid Acme Forge: it is slow. Initech or Hooli are fine.",
        "Initech, Globex and Acme Forge.",
        "Ho**ol**i only.",
        "Nobody.",
        "[Hooli.com](https://hooli.com) or Initech"
      ]
      const scan = yield* scanWith(id, 10, (keyword) => texts[keyword]!)
      const namesOf = Effect.fnUntraced(function*(version: number) {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`
          select answer_id, measure_version, icu_version, brand_mentioned, mention_count, mention_position, sentiment,
            sentiment_by, sov_score, competitors_mentioned, mentions
          from measurement where organization_id = ${id} and tracked_set_version = ${version} order by answer_id
        `
      })
      /** Measures everything under this version with a measurer that has no earlier measurements to keep. */
      const measuredAnew = Effect.fnUntraced(function*(version: number) {
        const set = (yield* (yield* TrackedSetStore).find(id, version))!
        const analysis = makeDirectAnalysis()
        const answers = yield* (yield* MeasurementStore).newest(id, scan.id, 99)
        const entities = { brand: set.brand, competitors: set.competitors, excludes: set.brand.excludes }
        return yield* Effect.forEach(answers, ({ promptUsed, rawResponse }) =>
          Effect.map(
            analysis.measure(entities, { text: rawResponse, prompt: promptUsed }, "1 minute"),
            ({ count, mentions, position, sentiment }) => ({ count, mentions, position, sentiment })
          ))
      })
      const holds = Effect.fnUntraced(function*(version: number) {
        const rows = yield* namesOf(version)
        expect(rows.map((row) => ({
          count: row["mention_count"],
          mentions: row["mentions"],
          position: row["mention_position"],
          sentiment: row["sentiment"]
        }))).toEqual(yield* measuredAnew(version))
        return rows
      })
      const before = yield* holds(1)

      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: ["hooli.com"] })
      expect(yield* rescoreAll(id)).toMatchObject({ answers: 12, kept: 6 })
      yield* holds(2)
      // Competitors behind it are numbered again
      yield* removeCompetitor(id, "Globex")
      expect(yield* rescoreAll(id)).toMatchObject({ answers: 12, kept: 8 })
      const third = yield* holds(3)
      expect(new Set(third.flatMap((row) => row["competitors_mentioned"] as ReadonlyArray<string>)).size).toBe(2)
      yield* addCompetitor(id, { name: "Globex", aliases: ["Globex Corporation"], domains: [] })
      yield* removeCompetitor(id, "Hooli")
      expect(yield* rescoreAll(id)).toMatchObject({ answers: 12, kept: 2 })
      yield* holds(5)
      // The prompts of two answers alone have this name
      yield* addCompetitor(id, { name: "Workshop 3", aliases: [], domains: [] })
      expect(yield* rescoreAll(id)).toMatchObject({ answers: 12, kept: 10 })
      yield* holds(6)
      // A runtime that divides words in another way has measured nothing yet
      yield* addCompetitor(id, { name: "Umbrella", aliases: [], domains: [] })
      const other = rescoreAll(id, {}).pipe(Effect.provideService(IcuVersion, "0.1"))
      expect(yield* other).toMatchObject({ answers: 12, kept: 0 })
      yield* holds(7)
      expect(yield* namesOf(1)).toEqual(before)
    })))

  it("a rescore covers one scan, or all scans since a time, but never a running scan", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scans = [
        yield* scanWith(id, 10, () => "Acme Forge."),
        yield* scanWith(id, 20, () => "Acme Forge."),
        yield* scanWith(id, 30, () => "Acme Forge.")
      ]
      const running = yield* answeredScan(id, 40, () => "Acme Forge.")
      yield* setBrand(id, { name: "Forge", aliases: [], domains: [], excludes: [] })
      const counts = () => Effect.forEach(scans, (scan) => Effect.map(scoresOf(id, scan), (scores) => scores.length))
      expect(yield* rescoreAll(id, { scan: scans[0]!.id })).toEqual({
        answers: 12,
        kept: 0,
        scores: 1,
        sources: 6,
        unmeasurable: new Map()
      })
      expect(yield* counts()).toEqual([2, 1, 1])
      expect(yield* rescoreAll(id, { scan: "latest" })).toEqual({
        answers: 12,
        kept: 0,
        scores: 1,
        sources: 6,
        unmeasurable: new Map()
      })
      expect(yield* counts()).toEqual([2, 1, 2])
      expect(yield* rescoreAll(id, { since: at(30) })).toEqual({
        answers: 0,
        kept: 0,
        scores: 0,
        sources: 0,
        unmeasurable: new Map()
      })
      expect(yield* rescoreAll(id, { since: at(20) })).toEqual({
        answers: 12,
        kept: 0,
        scores: 1,
        sources: 6,
        unmeasurable: new Map()
      })
      expect(yield* counts()).toEqual([2, 2, 2])
      expect(yield* Effect.flip(planRescore(id, { scan: running.id }))).toMatchObject({ _tag: "Rejected" })
      expect(yield* Effect.flip(planRescore(id, { scan: "none" }))).toMatchObject({ _tag: "NotFound" })
      expect(yield* scoresOf(id, running)).toEqual([])
    })))

  it("a rescore is resumed after an interruption, even if several run concurrently", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scans = yield* Effect.forEach([10, 20, 30, 40], (seconds) => scanWith(id, seconds, () => "Acme Forge."))
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      const plan = yield* planRescore(id, {})
      yield* Effect.exit(rescore(id, plan, () => {
        throw new Error("cut")
      }))
      expect(yield* planRescore(id, {})).toMatchObject({ answers: 48, measured: 12, unscored: 4 })
      yield* Effect.all([rescoreAll(id), rescoreAll(id), rescoreAll(id)], { concurrency: 3 })
      expect(yield* measurements(id)).toBe(96)
      for (const scan of scans) expect(yield* scoresOf(id, scan)).toEqual([[1, 100], [2, 100]])
    })))

  it("the preview shows changes and stores nothing; simulated and real answers are counted separately", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const real = yield* scanWith(
        id,
        10,
        (keyword, platform) =>
          platform === "assistant_a" && keyword < 2
            ? "Acme Forge and Hooli."
            : keyword < 4
            ? "Acme Forge."
            : "Anvil Co."
      )
      const played = yield* scanWith(id, 20, () => "Acme Forge.", { simulated: true })
      const before = yield* measurements(id)
      yield* setBrand(id, { name: "Anvil Co", aliases: ["Hooli"], domains: [], excludes: [] })
      const plan = yield* planRescore(id, {})
      const read: Array<number> = []
      const preview = yield* previewRescore(id, plan, (n) => read.push(n))
      expect(read.reduce((sum, n) => sum + n, 0)).toBe(plan.answers)
      const tally = (
        answers: number,
        mentions: readonly [number, number],
        [gained, lost, otherwise]: readonly [number, number, number]
      ) => ({
        answers,
        mentions: { before: mentions[0], after: mentions[1] },
        changes: { gained, lost, otherwise, none: answers - gained - lost - otherwise, first: 0 }
      })
      // Two answers of assistant_a name the brand by another name: still named once, and alone
      expect(preview.platforms).toMatchObject([
        { platform: "assistant_a", simulated: false, tally: tally(6, [4, 4], [2, 2, 0]) },
        { platform: "assistant_b", simulated: false, tally: tally(6, [4, 2], [2, 4, 0]) },
        { platform: "assistant_a", simulated: true, tally: tally(6, [6, 0], [0, 6, 0]) },
        { platform: "assistant_b", simulated: true, tally: tally(6, [6, 0], [0, 6, 0]) }
      ])
      expect(preview.scans.map(({ after, before: now, scan }) => [scan.id, now?.avgSov, after.avgSov])).toEqual([
        [played.id, 100, 0],
        [real.id, expect.closeTo(200 / 3), 50]
      ])
      expect(preview.examples).toHaveLength(5)
      expect(preview.examples[0]).toMatchObject({
        simulated: true,
        before: { brandMentioned: true },
        after: { brandMentioned: false, sentiment: null }
      })
      expect(yield* measurements(id)).toBe(before)
      expect(yield* scoresOf(id, real)).toHaveLength(1)

      yield* rescoreAll(id)
      const again = yield* previewRescore(id, yield* planRescore(id, {}), () => undefined)
      expect(again.examples).toEqual([])
      expect(again.scans.map((one) => one.before?.avgSov)).toEqual([0, 50])
    })))

  it("measurements of rules version 1 stay readable, and are measured again with the current version", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId: id, scan } = yield* scanOfVersion1
      const { archived, score } = yield* readScan(id, scan.id)
      expect(archived).toEqual({ answers: 4, mentioned: 0 })
      expect(score).toMatchObject({ measureVersion: 1, avgSov: 0 })
      expect((yield* readMovements(id, wholeHistory, scan, score!)).keywordShares).toMatchObject([{ answers: 2 }, {
        answers: 2
      }])

      const other = yield* scanOfVersion1
      const compared = yield* compareScans(other.organizationId, wholeHistory, other.scan.id, other.scan.id)
      expect(compared).toMatchObject({ measureVersion, measuredAgain: [{ id: other.scan.id }] })

      expect(measureVersion).toBeGreaterThan(1)
      expect(yield* rescoreAll(id)).toEqual({ answers: 4, kept: 0, scores: 1, sources: 0, unmeasurable: new Map() })
      expect(yield* versionsOf(id, scan)).toEqual([[1, 0], [measureVersion, 100]])
      expect((yield* readScan(id, scan.id)).archived).toEqual({ answers: 4, mentioned: 4 })
    })))

  it("measuring happens outside the transaction that ends a scan", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const previous = yield* scanWith(id, 10, () => "Acme Forge, or Hooli.")
      yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
      const scan = yield* answeredScan(id, 20, () => "Acme Forge, or Hooli.")
      const [transaction, stored] = yield* Effect.all([Transaction, MeasurementStore])
      let [inside, during, before] = [false, 0, 0]
      yield* completeScan(id, scan.id).pipe(
        Effect.provideService(Transaction, {
          run: (effect) =>
            Effect.suspend(() => {
              inside = true
              return transaction.run(effect).pipe(Effect.ensuring(Effect.sync(() => inside = false)))
            })
        }),
        Effect.provideService(MeasurementStore, {
          ...stored,
          insert: (organizationId, rows) => {
            if (inside) during += rows.length
            else before += rows.length
            return stored.insert(organizationId, rows)
          }
        })
      )
      expect({ before, during }).toEqual({ before: 24, during: 0 })
      expect(yield* scoresOf(id, previous)).toEqual([[1, 100], [2, 50]])
      expect(yield* scoresOf(id, scan)).toEqual([[2, 50]])
    })))

  it("a page of a large scan is read without reading the entire scan", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [transaction, store] = yield* Effect.all([Transaction, MeasurementStore])
      const { cells, keywords, organizationId: id, scan } = yield* seedScan()
      const answer = yield* answerTo(cells[0]!)
      yield* (yield* ArchiveStore).append(id, answer)
      yield* addScan(id, keywords)
      yield* sql`
        insert into cell select (jsonb_populate_record(null::cell, to_jsonb(c) ||
          jsonb_build_object('id', gen_random_uuid(), 'sample', n))).*
        from cell c, generate_series(2, 3000) n where c.organization_id = ${id} and c.id = ${cells[0]!.id}
      `
      yield* sql`
        insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) ||
          jsonb_build_object('id', gen_random_uuid(), 'cell_id', c.id, 'sample', c.sample))).*
        from answer a join cell c using (organization_id, scan_id, keyword_id, platform)
        where a.organization_id = ${id} and c.sample > 1
      `
      const versions = { measureVersion, trackedSetVersion: 1 }
      const all = yield* store.unmeasured(id, scan.id, versions, 3000)
      expect(all).toHaveLength(3000)
      yield* store.insert(id, all.slice(0, 2000).map(({ answerId }) => measurementOf({ id: answerId }, versions)))

      /** Rows and index entries of a table that this connection has read; what it reads is told only after commits. */
      const readSoFar = (table: string) =>
        Effect.map(
          sql<{ readonly rows: number; readonly entries: number }>`
            select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows,
              (select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0)::int
                from pg_index where indrelid = relid) as entries
            from pg_stat_xact_user_tables where relname = ${table}
          `,
          ([row]) => row!
        )
      const reads = (table: string, effect: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
        transaction.run(Effect.gen(function*() {
          const before = yield* readSoFar(table)
          const found = yield* effect
          const after = yield* readSoFar(table)
          return { found: found.length, rows: after.rows - before.rows, entries: after.entries - before.entries }
        }))
      for (const statistics of [false, true]) {
        if (statistics) yield* sql`analyze answer, measurement`
        const page = store.unmeasured(id, scan.id, versions, 100, all[2200]!.answerId)
        expect(yield* reads("answer", page)).toEqual({ found: 100, rows: 100, entries: 100 })
        expect((yield* reads("measurement", page)).entries).toBe(0)
        // Of each answer its own measurement
        expect(yield* reads("measurement", store.rows(id, scan.id, versions))).toMatchObject({
          found: 2000,
          entries: 2000
        })
      }
    })))
})
