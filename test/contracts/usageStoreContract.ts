import {
  type ArchivedAnswer,
  ArchiveStore,
  type Cell,
  CellStore,
  type Charge,
  KeywordStore,
  TrackedSetStore,
  UsageStore
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  chargeOf,
  keywords,
  measurementOf,
  type SeededScan,
  seedOrganization,
  seedScan,
  trackedSet
} from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** Later than the rows of other suites in the same database. */
const far = 50_000_000

const append = Effect.fnUntraced(function*(
  { organizationId }: Pick<SeededScan, "organizationId">,
  cell: Cell,
  fields: Partial<ArchivedAnswer>
) {
  yield* (yield* ArchiveStore).append(organizationId, yield* answerTo(cell, fields))
})

const charge = Effect.fnUntraced(function*(
  { organizationId, scan }: Pick<SeededScan, "organizationId" | "scan">,
  fields: Partial<Charge>
) {
  const made = yield* chargeOf(scan.id, fields)
  const usage = yield* UsageStore
  // A repetition after an outcome that is not known adds nothing
  yield* usage.charge(organizationId, made)
  yield* usage.charge(organizationId, made)
})

/** What every UsageStore must keep. */
export const usageStoreContract = storeContract("UsageStore", {
  "sums a scan by platform with its charges, and counts the replies whose cost is not known": Effect.fnUntraced(
    function*() {
      const usage = yield* UsageStore
      const seed = yield* seedScan()
      const [one, two] = seed.cells.filter(({ platform }) => platform === "assistant_a")
      const three = seed.cells.find(({ platform }) => platform === "assistant_b")
      assert.deepEqual(yield* usage.ofScan(seed.organizationId, seed.scan.id), [])
      yield* append(seed, one!, {
        usage: { inputTokens: 10, outputTokens: 20, costUsd: 0.5, requests: 2, searches: 3 }
      })
      yield* append(seed, two!, { usage: { inputTokens: null, outputTokens: 5, costUsd: 0.25 } })
      yield* append(seed, three!, { usage: { inputTokens: null, outputTokens: null, costUsd: null } })
      assert.deepEqual(yield* usage.ofScan(seed.organizationId, seed.scan.id), [
        {
          platform: "assistant_a",
          answers: 2,
          charges: 0,
          inputTokens: 10,
          outputTokens: 25,
          searches: 3,
          costUsd: 0.75,
          unpriced: 0
        },
        {
          platform: "assistant_b",
          answers: 1,
          charges: 0,
          inputTokens: 0,
          outputTokens: 0,
          searches: 0,
          costUsd: 0,
          unpriced: 1
        }
      ])
      yield* charge(seed, {
        platform: "assistant_a",
        usage: { inputTokens: 100, outputTokens: 200, costUsd: 2, requests: 3, searches: 4 }
      })
      yield* charge(seed, {
        platform: "assistant_c",
        kind: "judgement",
        usage: { inputTokens: 7, outputTokens: null, costUsd: null }
      })
      const empty = yield* addScan(seed.organizationId, seed.keywords)
      assert.deepEqual(
        yield* usage.spentByScans(seed.organizationId, [seed.scan.id, empty.scan.id]),
        new Map([[seed.scan.id, { costUsd: 2.75, unpriced: 2 }]])
      )
      const [first, , third] = yield* usage.ofScan(seed.organizationId, seed.scan.id)
      assert.deepEqual([first, third], [
        {
          platform: "assistant_a",
          answers: 2,
          charges: 1,
          inputTokens: 110,
          outputTokens: 225,
          searches: 7,
          costUsd: 2.75,
          unpriced: 0
        },
        {
          platform: "assistant_c",
          answers: 0,
          charges: 1,
          inputTokens: 7,
          outputTokens: 0,
          searches: 0,
          costUsd: 0,
          unpriced: 1
        }
      ])
    }
  ),

  "sums what was spent on a platform since, by everybody, not on what is made up, recorded or imported": Effect
    .fnUntraced(
      function*() {
        const usage = yield* UsageStore
        const platforms = { platforms: ["assistant_c"] } as const
        const [mine, theirs] = [yield* seedScan(platforms), yield* seedScan(platforms)]
        const madeUp = yield* addScan(mine.organizationId, mine.keywords, { ...platforms, simulated: true })
        const cost = (costUsd: number | null) => ({ inputTokens: 1, outputTokens: 1, costUsd })
        const spent = usage.spentSince("assistant_c", at(far))
        const before = yield* spent
        yield* append(mine, mine.cells[0]!, { createdAt: at(far - 0.001), usage: cost(4) })
        yield* append(mine, mine.cells[1]!, { createdAt: at(far), usage: cost(0.5) })
        yield* append(theirs, theirs.cells[0]!, { createdAt: at(far + 1), usage: cost(0.25) })
        yield* append(theirs, theirs.cells[1]!, { createdAt: at(far + 1), usage: cost(null) })
        yield* append(mine, madeUp.cells[0]!, { createdAt: at(far), usage: cost(8), simulated: true })
        const played = yield* addScan(mine.organizationId, mine.keywords, platforms)
        yield* append(mine, played.cells[0]!, { createdAt: at(far), usage: cost(null), adapter: "recorded" })
        const [imported] = (yield* addScan(mine.organizationId, mine.keywords, platforms)).cells
        yield* (yield* ArchiveStore).restore(mine.organizationId, [yield* answerTo(imported!, { createdAt: at(far) })])
        yield* charge(mine, { platform: "assistant_c", usage: cost(16), createdAt: at(far - 0.001) })
        yield* charge(mine, { platform: "assistant_c", usage: cost(32), createdAt: at(far) })
        yield* charge(theirs, { platform: "assistant_c", usage: cost(null), createdAt: at(far) })
        const after = yield* spent
        assert.deepEqual([after.costUsd - before.costUsd, after.unpriced - before.unpriced], [32.75, 2])
      }
    ),

  "reads the last hundred answers that each platform was asked for: time, usage, latency": Effect.fnUntraced(
    function*() {
      const usage = yield* UsageStore
      const { id: organizationId } = yield* seedOrganization()
      yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet())
      const texts = Array.from({ length: 101 }, (_, n) => `recent ${n}?`)
      const asked = yield* (yield* KeywordStore).add(organizationId, yield* keywords(texts))
      const { cells } = yield* addScan(organizationId, asked, { platforms: ["assistant_e"] })
      for (const [n, cell] of cells.entries()) {
        // The first one is older than the hundred, and would move every mean.
        const tokens = n === 0 ? 1_000_000 : n
        yield* append({ organizationId }, cell, {
          createdAt: at(2 * far + n),
          model: n > 90 ? "model-2" : "model-1",
          latencyMs: n === 0 ? 900_000 : n * 10,
          usage: {
            inputTokens: n % 2 === 0 ? tokens : null,
            outputTokens: tokens,
            costUsd: n === 0 ? 99 : 0.5,
            ...(n === 4 ? { requests: 3, searches: 5 } : {})
          }
        })
      }
      const again = yield* addScan(organizationId, asked.slice(0, 2), { platforms: ["assistant_e"] })
      const later = { createdAt: at(2 * far + 200) }
      yield* append({ organizationId }, again.cells[0]!, { ...later, adapter: "recorded" })
      yield* (yield* ArchiveStore).restore(organizationId, [yield* answerTo(again.cells[1]!, later)])
      const found = (yield* usage.recent(false)).find(({ platform }) => platform === "assistant_e")
      assert.deepEqual(found, {
        platform: "assistant_e",
        answers: 100,
        lastAt: at(2 * far + 100),
        answeredBy: ["model-2", "model-1"],
        latencyP50: 500,
        latencyP95: 950,
        mean: { inputTokens: 51, outputTokens: 50.5, requests: 1.02, searches: 0.05, costUsd: 0.5 }
      })
      assert.notDeepEqual((yield* usage.recent(true)).find(({ platform }) => platform === "assistant_e"), found)
    }
  ),

  "sums the newest scans of several organizations since a time": Effect.fnUntraced(function*() {
    const usage = yield* UsageStore
    const [seed, other, idle] = [
      yield* seedScan({ startedAt: at(10) }),
      yield* seedScan({ startedAt: at(9) }),
      yield* seedScan({ startedAt: at(10) })
    ]
    const { keywords, organizationId } = seed
    const older = yield* addScan(organizationId, keywords, { startedAt: at(5) })
    const simulated = yield* addScan(organizationId, keywords, { startedAt: at(12), simulated: true })
    const costing = (costUsd: number | null) => ({ usage: { inputTokens: 1, outputTokens: 1, costUsd } })
    yield* append(seed, seed.cells[0]!, costing(0.5))
    yield* append(seed, seed.cells[1]!, costing(null))
    yield* charge(seed, costing(0.25))
    yield* append(seed, older.cells[0]!, costing(8))
    yield* append(seed, simulated.cells[0]!, { ...costing(16), simulated: true })
    yield* append(other, other.cells[0]!, costing(2))
    const { id: none } = yield* seedOrganization()
    const asked = [organizationId, other.organizationId, idle.organizationId, none]
    const nothing = { costUsd: 0, unpriced: 0, more: false }
    assert.deepEqual(
      yield* usage.spentOnScans(asked, at(9), 2),
      new Map([
        [organizationId, { costUsd: 0.75, unpriced: 1, more: false }],
        [other.organizationId, { costUsd: 2, unpriced: 0, more: false }],
        [idle.organizationId, nothing]
      ])
    )
    const sumOwn = (since: Date, limit: number) => usage.spentOnScans([organizationId], since, limit)
    assert.deepEqual(yield* sumOwn(at(5), 2), new Map([[organizationId, { costUsd: 0.75, unpriced: 1, more: true }]]))
    assert.deepEqual(yield* sumOwn(at(5), 3), new Map([[organizationId, { costUsd: 8.75, unpriced: 1, more: false }]]))
    assert.deepEqual(yield* sumOwn(at(5), 1), new Map([[organizationId, { ...nothing, more: true }]]))
    assert.deepEqual(yield* usage.spentOnScans([], at(9), 2), new Map())
  }),

  "sums a month of each organization from its answers, charges, calls and scans": Effect.fnUntraced(function*() {
    const usage = yield* UsageStore
    const cells = yield* CellStore
    const month = { from: new Date("2031-03-01T00:00:00Z"), to: new Date("2031-04-01T00:00:00Z") }
    const inside = new Date("2031-03-31T23:59:59.999Z")
    const seed = yield* seedScan({ startedAt: month.from })
    const { organizationId } = seed
    const others = yield* seedScan({ startedAt: inside })
    const [one, two] = seed.cells.filter(({ platform }) => platform === "assistant_a")
    const [three, four] = seed.cells.filter(({ platform }) => platform === "assistant_b")
    const claim = (now: Date, limit = 9) =>
      cells.claim({ organizationId, scanId: seed.scan.id }, "assistant_a", { now, limit, inFlight: [] })
    // Two questions, one of them asked twice: three calls
    assert.equal((yield* claim(inside)).length, 2)
    yield* cells.postpone(organizationId, two!.id, at(0), {
      reason: "timeout",
      message: "late",
      excerpt: null,
      status: null
    })
    assert.equal((yield* claim(inside, 1)).length, 1)
    const priced = { inputTokens: 10, outputTokens: 20, costUsd: 0.5, searches: 2 }
    yield* append(seed, one!, { createdAt: inside, usage: priced })
    const second = yield* answerTo(two!, {
      createdAt: month.from,
      usage: { inputTokens: null, outputTokens: 5, costUsd: null }
    })
    yield* (yield* ArchiveStore).archive(organizationId, second, measurementOf(second))
    // Of the next month, simulated, imported: none of them is of this one
    yield* append(seed, three!, { createdAt: month.to, usage: priced })
    yield* append(seed, four!, { createdAt: inside, usage: priced, simulated: true })
    const imported = yield* addScan(organizationId, seed.keywords, { startedAt: inside })
    yield* (yield* ArchiveStore).restore(organizationId, [yield* answerTo(imported.cells[0]!, { createdAt: inside })])
    yield* charge(seed, {
      createdAt: inside,
      kind: "judgement",
      usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.25, requests: 4 }
    })
    const found = yield* usage.ofMonth(month.from, month.to)
    for (const id of [organizationId, others.organizationId]) {
      assert.deepEqual(
        yield* usage.ofMonth(month.from, month.to, id),
        found.filter((one) => one.organizationId === id)
      )
    }
    assert.deepEqual(found.find((one) => one.organizationId === organizationId), {
      organizationId,
      scans: 1,
      platforms: [{
        platform: "assistant_a",
        answers: 2,
        charges: 1,
        calls: 7,
        inputTokens: 11,
        outputTokens: 27,
        searches: 2,
        costUsd: 0.75,
        unpriced: 1
      }]
    })
    assert.deepEqual(found.find((one) => one.organizationId === others.organizationId), {
      organizationId: others.organizationId,
      scans: 1,
      platforms: []
    })
    assert.deepEqual(yield* usage.spentOf(organizationId, month.from), [
      { platform: "assistant_a", costUsd: 0.75, unpriced: 1 },
      { platform: "assistant_b", costUsd: 0.5, unpriced: 0 }
    ])
    assert.deepEqual(yield* usage.spentOf(others.organizationId, month.from), [])
    assert.deepEqual(yield* usage.callsOf(organizationId, false), [{
      platform: "assistant_a",
      calls: 3,
      failed: 1,
      lastFailure: { reason: "timeout", message: "late", at: inside }
    }])
    assert.deepEqual(yield* usage.callsOf(others.organizationId, false), [])
    const [recent] = yield* usage.recentOf(organizationId, false)
    assert.deepEqual([recent?.platform, recent?.answers], ["assistant_a", 2])
    assert.deepEqual(yield* usage.recentOf(others.organizationId, false), [])
  })
})
