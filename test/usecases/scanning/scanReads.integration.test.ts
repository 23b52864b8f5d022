/**
 * Scans as lists and pages show them: what they asked, answered and cost, why questions failed, what a new one would
 * take.
 */
import {
  AlertStore,
  type AnswerPlatform,
  AnswerPlatforms,
  DeliveryStore,
  estimateScan,
  EventId,
  findAlert,
  findShownScan,
  KeywordStore,
  listScanRows,
  readPortfolio,
  readScanDetail,
  setKeywordStatus,
  wholeHistory
} from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Duration, Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { dropAlert } from "../../contracts/alertStoreContract.ts"
import { seedDelivery } from "../../contracts/webhookSeeds.ts"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"
import { dropRule } from "../../support/tenants.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const half = () => "Acme Forge and Globex."

describe("listScanRows", () => {
  it("the list pages through the scans of the window, with share, number of questions and cost", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const old = yield* scanWith(id, 10, half)
      const played = yield* scanWith(id, 20, half, { simulated: true })
      const part = yield* scanWith(id, 30, (keyword) => keyword === 0 ? null : half())
      const running = yield* answeredScan(id, 40, (keyword) => keyword === 0 ? null : half())
      const list = (limit: number, cursor?: string) => listScanRows(id, wholeHistory, {}, { limit, cursor })
      const first = yield* list(2)
      expect(first.rows).toMatchObject([
        { scan: { id: running.id }, score: null, cells: { answered: 10, failed: 2, open: 0 } },
        { scan: { id: part.id }, score: { avgSov: 50 }, cells: { answered: 10, failed: 2 }, spent: { unpriced: 0 } }
      ])
      expect(first.rows[1]!.spent!.costUsd).toBeCloseTo(10 * 0.000123)
      const second = yield* list(2, first.nextCursor!)
      expect(second).toMatchObject({
        rows: [{ scan: { id: played.id }, spent: null }, { scan: { id: old.id } }],
        nextCursor: null,
        windowApplied: false
      })
      const completed = yield* listScanRows(id, { since: part.startedAt }, { status: "completed" }, { limit: 9 })
      expect(completed).toMatchObject({ rows: [{ scan: { id: part.id } }], nextCursor: null, windowApplied: true })
      const foreign = listScanRows(id, wholeHistory, { status: "failed" }, { limit: 2, cursor: first.nextCursor! })
      expect(yield* Effect.flip(foreign)).toMatchObject({ _tag: "BadCursor" })
    })))
})

describe("readScanDetail", () => {
  it("the detail shows why questions failed, which questions are still open, and the scan's seal", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scan = yield* scanWith(id, 10, (keyword) => keyword === 0 ? null : half())
      expect(yield* readScanDetail(id, wholeHistory, scan.id)).toMatchObject({
        scan: { id: scan.id, status: "completed" },
        score: { avgSov: 50 },
        failures: [{ reason: "timeout", count: 2, example: { message: "late" } }],
        backlog: null,
        seals: [{ scanId: scan.id, leafCount: 10 }]
      })
      const running = yield* answeredScan(id, 20, half)
      expect(yield* readScanDetail(id, wholeHistory, "latest")).toMatchObject({
        scan: { id: running.id },
        score: null,
        failures: [],
        backlog: { platforms: [] },
        seals: []
      })
      const behind = { since: at(11) }
      expect(yield* Effect.flip(readScanDetail(id, behind, scan.id))).toMatchObject({ _tag: "OutsideWindow" })
      expect((yield* findShownScan(id, behind, "latest")).id).toBe(running.id)
      const other = yield* seed
      expect(yield* Effect.flip(readScanDetail(other, wholeHistory, scan.id))).toMatchObject({ _tag: "NotFound" })
    })))
})

describe("estimateScan", () => {
  const platform = (fields: Partial<AnswerPlatform>) =>
    ({ id: "assistant_a", simulated: false, concurrency: 2, ...fields }) as AnswerPlatform
  const estimate = (
    organizationId: Parameters<typeof estimateScan>[0],
    all: ReadonlyArray<AnswerPlatform>,
    samples = 1
  ) =>
    estimateScan(organizationId, { samples }).pipe(
      Effect.provideService(AnswerPlatforms, { all: new Map(all.map((one) => [one.id, one])), digest: "any" })
    )

  it("an estimate shows the questions, time and cost of a scan, and starts nothing", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const [first] = yield* (yield* KeywordStore).list(id, ["active"])
      yield* setKeywordStatus(id, first!.id, "paused")
      const priced = platform({ prices: { perRequest: 0.01 } })
      const found = yield* estimate(id, [priced, platform({ id: "assistant_b", prices: { perRequest: 0.02 } })], 2)
      expect(found).toMatchObject({
        platforms: ["assistant_a", "assistant_b"],
        simulated: false,
        questions: 20,
        quota: { limit: 100, used: 0 }
      })
      expect(found.keywords).toHaveLength(5)
      expect(found.seconds).toBeGreaterThan(0)
      // With `requests` of the last answers on average, which other tests archive, too
      const { costUsd, costs } = found
      expect(costUsd).toBeCloseTo(costs.reduce((total, one) => total + one.costUsd!, 0))
      expect(costUsd).toBeGreaterThanOrEqual(0.3)
      expect((yield* listScanRows(id, wholeHistory, {}, { limit: 9 })).rows).toEqual([])
    })))

  it("a configured duration takes precedence over the durations of earlier answers", () =>
    storage.run(Effect.gen(function*() {
      const slow = platform({ simulated: true, concurrency: 1, latency: Duration.millis(600) })
      const fast = platform({ id: "assistant_b", simulated: true, latency: Duration.zero })
      expect((yield* estimate(yield* seed, [slow, fast])).seconds).toBe(4)
    })))

  it("a scan on simulated platforms costs nothing", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      expect(yield* estimate(id, [platform({ simulated: true })])).toMatchObject({
        costUsd: 0,
        costs: [],
        simulated: true
      })
      expect(yield* Effect.flip(estimate(id, []))).toMatchObject({ _tag: "NotReady", missing: "platforms" })
    })))
})

describe("findAlert", () => {
  it("an alert shows the deliveries of its own event, and is hidden outside the window", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      const scan = yield* scanWith(id, 10, half)
      yield* (yield* AlertStore).setRule(id, dropRule, at(0))
      const { delivery } = yield* seedDelivery({}, id)
      const [listed] = yield* (yield* DeliveryStore).list(id, { limit: 1 })
      const alert = { ...(yield* dropAlert(scan.id, at(41))), id: listed!.eventId }
      yield* (yield* AlertStore).insert(id, alert)
      expect(yield* findAlert(id, wholeHistory, alert.id)).toMatchObject({
        alert: { id: alert.id, rule: "sov_drop" },
        emails: [],
        deliveries: [{ id: delivery.id }]
      })
      expect(yield* Effect.flip(findAlert(id, { since: at(42) }, alert.id))).toMatchObject({ _tag: "OutsideWindow" })
      expect(yield* Effect.flip(findAlert(yield* seed, wholeHistory, alert.id))).toMatchObject({ _tag: "NotFound" })
      const unknown = yield* newId(EventId)
      expect(yield* Effect.flip(findAlert(id, wholeHistory, unknown))).toMatchObject({
        _tag: "NotFound",
        what: "alert"
      })
    })))
})

describe("readPortfolio", () => {
  it("the portfolio shows the newest headline of each organization within its own plan's window", () =>
    storage.run(Effect.gen(function*() {
      const [one, two, three] = [yield* seed, yield* seed, yield* seed]
      yield* scanWith(one, 10, half)
      const newest = yield* scanWith(one, 20, () => "Acme Forge.")
      yield* scanWith(two, 10, half)
      const found = yield* readPortfolio([
        { organizationId: two, window: { since: at(11) } },
        { organizationId: one, window: wholeHistory },
        { organizationId: three, window: wholeHistory }
      ])
      expect(found).toMatchObject([
        { organizationId: two, latest: null, outsideWindow: true },
        { organizationId: one, latest: { scan: { id: newest.id }, score: { avgSov: 100 } }, outsideWindow: false },
        { organizationId: three, latest: null, outsideWindow: false }
      ])
      expect(yield* readPortfolio([])).toEqual([])
    })))
})
