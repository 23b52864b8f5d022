/** What is kept beside the newest score is what its answers make, at every moment, and is read instead of them. */
import {
  addCompetitor,
  type KeptDetail,
  MeasurementStore,
  type OrganizationId,
  planRescore,
  readMovements,
  rescore,
  type Scan,
  ScanId,
  scansInTrend,
  ScanStore,
  scoreDetailVersion,
  type ScoredScan,
  ScoreStore,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { addScan, at, newId, scoreOf, seedScan, trackedSet } from "@sov/core/testing"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { keptDetailOf } from "../../support/keptDetails.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const keptOf = Effect.fnUntraced(function*(id: OrganizationId, { id: scanId }: Scan) {
  const scores = yield* ScoreStore
  const score = (yield* scores.ofScan(id, scanId))!
  return { score, kept: yield* scores.findDetail(id, score) }
})

const said = ({ detail: { change, ...detail } }: KeptDetail) => ({ ...detail, trend: change?.trend ?? null })
const reported = Effect.fnUntraced(function*(id: OrganizationId, scan: Scan) {
  const { comparison, keywordShares, keywords, named, next } = yield* readMovements(
    id,
    wholeHistory,
    scan,
    (yield* (yield* ScoreStore).ofScan(id, scan.id))!
  )
  return { keywordShares, keywords, named, next, trend: comparison?.trend ?? null }
})

it("a completed scan has a detail that compares it with the scans before it", () =>
  storage.run(Effect.gen(function*() {
    const id = yield* seed
    const scans = yield* Effect.forEach([10, 20, 30, 40, 50, 60], (seconds) =>
      scanWith(id, seconds, (keyword) =>
        (keyword * 7 + seconds) % 4 === 0 ? "Globex." : "Acme Forge and Globex."))
    const newest = scans.at(-1)!
    const { kept } = yield* keptOf(id, newest)
    expect(kept!.scans).toEqual(scans.slice(1).map((scan) => ({ id: scan.id, measuredCount: 12 })))
    expect(kept!.series).toEqual(new Map(scans.slice(0, -1).reverse().map((scan) => [scan.id, true])))
    expect(said(kept!)).toEqual(yield* reported(id, newest))
    expect((yield* keptOf(id, scans[4]!)).kept).toBeNull()
  })))

it("measuring again creates a detail for the new names, also compared with scans that have them", () =>
  storage.run(Effect.gen(function*() {
    const id = yield* seed
    yield* scanWith(id, 10, () => "Acme Forge, or Hooli.")
    const newest = yield* scanWith(id, 20, (keyword) => keyword === 1 ? "Hooli." : "Acme Forge.")
    yield* addCompetitor(id, { name: "Hooli", aliases: [], domains: [] })
    yield* rescore(id, yield* planRescore(id, { scan: newest.id }), () => undefined)
    expect((yield* keptOf(id, newest)).kept).toMatchObject({
      scans: [{ id: newest.id, measuredCount: 12 }],
      detail: { change: null }
    })
    yield* rescore(id, yield* planRescore(id, {}), () => undefined)
    const { kept } = yield* keptOf(id, newest)
    expect(kept).toMatchObject({ detail: { change: { trackedSetVersion: 2, trend: { before: 50 } } } })
    expect(said(kept!)).toEqual(yield* reported(id, newest))
  })))

it("the stored detail is read instead of the answers, unless the window shows fewer scans", () =>
  storage.run(Effect.gen(function*() {
    const scores = yield* ScoreStore
    const { keywords, organizationId: id, scan: before, set } = yield* seedScan()
    const { scan: newest } = yield* addScan(id, keywords, { startedAt: at(12) })
    const score = scoreOf(newest.id)
    for (const one of [before, newest]) {
      yield* scores.insert(id, scoreOf(one.id), at(30))
      yield* (yield* ScanStore).end(id, one.id, "completed", at(31))
    }
    const kept = keptDetailOf(newest.id, set, [before.id])
    yield* scores.keepDetail(id, score, kept)
    const unread = MeasurementStore.of({ ...yield* MeasurementStore, rowsOfScans: () => Effect.die("answers") })
    const read = (since: Date | null) =>
      Effect.provideService(readMovements(id, { since }, newest, score), MeasurementStore, unread)
    const shown = yield* Effect.exit(read(at(12)))
    expect(Exit.isFailure(shown) && Cause.pretty(shown.cause)).toContain("answers")
    const { change, ...detail } = kept.detail
    expect(yield* read(null)).toMatchObject({ ...detail, comparison: { ...change, before: { id: before.id } } })
    expect(yield* scansInTrend(id, { scan: newest, score }, [{ scan: before, score: scoreOf(before.id) }]))
      .toHaveLength(1)
    // A rescore measures an answer of the earlier scan that its score omitted; another process keeps what it had read
    yield* scores.insert(id, scoreOf(before.id, { resultsCount: 4 }), at(32))
    yield* scores.keepDetail(id, score, kept)
    const later = yield* Effect.exit(read(null))
    expect(Exit.isFailure(later) && Cause.pretty(later.cause)).toContain("answers")
  })))

it("a trend keeps the scans that were known before the memory of pairs was full", () =>
  storage.run(Effect.gen(function*() {
    const scores = yield* ScoreStore
    const id = yield* seed
    const scans = yield* Effect.forEach([10, 20, 30], (seconds) => scanWith(id, seconds, () => "Acme Forge."))
    const scored = yield* Effect.forEach(
      scans,
      (scan) => Effect.map(scores.ofScan(id, scan.id), (score) => ({ scan, score: score! }))
    )
    // As another process, which has read nothing
    const sets = TrackedSetStore.of({ ...yield* TrackedSetStore })
    const [first, second, newest] = scored as [ScoredScan, ScoredScan, ScoredScan]
    const shown = (earlier: ReadonlyArray<ScoredScan>) =>
      scansInTrend(id, newest, earlier).pipe(
        Effect.map((trend) => trend.map(({ scan }) => scan.id)),
        Effect.provideService(TrackedSetStore, sets)
      )
    expect(yield* shown([first])).toEqual([first.scan.id])
    const ids = yield* Effect.replicateEffect(newId(ScanId), 19_999)
    const series = new Map(ids.map((one) => [one, true]))
    const kept = { ...keptDetailOf(newest.scan.id, yield* trackedSet()), series }
    yield* readMovements(id, wholeHistory, newest.scan, newest.score).pipe(
      Effect.provideService(ScoreStore, { ...scores, findDetail: () => Effect.succeed(kept) }),
      Effect.provideService(TrackedSetStore, sets)
    )
    expect(yield* shown([second, first])).toEqual([second.scan.id, first.scan.id])
  })))

it("a detail that was made by other rules is not used", () =>
  storage.run(Effect.gen(function*() {
    const id = yield* seed
    const newest = yield* scanWith(id, 10, () => "Acme Forge.")
    expect((yield* keptOf(id, newest)).kept).not.toBeNull()
    const sql = yield* SqlClient.SqlClient
    yield* sql`update score_detail set detail_version = ${scoreDetailVersion - 1} where organization_id = ${id}`
    expect((yield* keptOf(id, newest)).kept).toBeNull()
  })))
