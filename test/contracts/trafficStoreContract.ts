import { type TrafficLine, type TrafficRange, TrafficStore } from "@sov/core"
import { hostileTexts, seedOrganization, trafficLine } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const all: TrafficRange = { from: null, to: null }
const ids = (lines: ReadonlyArray<TrafficLine>) => lines.map(({ id }) => id).toSorted()
const hour = 3_600_000
const day = 24 * hour

/** What every TrafficStore must keep. */
export const trafficStoreContract = storeContract("TrafficStore", {
  "counts each line once, whatever else comes with it": Effect.fnUntraced(function*() {
    const store = yield* TrafficStore
    const { id } = yield* seedOrganization()
    const [one, two, three] = [trafficLine({ id: "00000001" }), trafficLine({ id: "00000002" }), trafficLine()]
    assert.deepEqual(ids(yield* store.listUncounted(id, [one, two])), ["00000001", "00000002"])
    assert.deepEqual(ids(yield* store.add(id, [one, two], "v1")), ["00000001", "00000002"])
    assert.deepEqual(ids(yield* store.add(id, [two, one], "v1")), [])
    assert.deepEqual(ids(yield* store.listUncounted(id, [one, three])), ids([three]))
    assert.deepEqual(ids(yield* store.add(id, [three, two, three], "v1")), ids([three]))
    assert.deepEqual(yield* store.days(id, all), [
      { signal: "referrer", source: "chatgpt", day: "2026-03-01", count: 3, tagged: 0, foreignReferrer: 0 }
    ])
    assert.deepEqual(yield* store.add(id, [], "v1"), [])
  }),

  "knows a line by its hour and id, of any bytes, in each organization": Effect.fnUntraced(function*() {
    const store = yield* TrafficStore
    const [mine, theirs] = [yield* seedOrganization(), yield* seedOrganization()]
    const bytes = Buffer.from([0, 255, 0x0a, 0x27, 0x5c, 0x80, 0, 1]).toString("latin1")
    const line = trafficLine({ id: bytes })
    const later = trafficLine({ id: bytes, time: line.time + hour })
    assert.equal((yield* store.add(mine.id, [line, later], "v1")).length, 2)
    assert.equal((yield* store.add(theirs.id, [line], "v1")).length, 1)
    assert.equal((yield* store.add(mine.id, [later, line], "v1")).length, 0)
  }),

  "sums by signal, source and UTC day, within a range of days": Effect.fnUntraced(function*() {
    const store = yield* TrafficStore
    const [{ id }, theirs] = [yield* seedOrganization(), yield* seedOrganization()]
    yield* store.add(theirs.id, [trafficLine({ source: "claude" })], "theirs")
    const { time } = trafficLine()
    const lines = [
      trafficLine({ tag: "chatgpt.com" }),
      trafficLine({ path: "/b" }),
      trafficLine({ time: time + day }),
      trafficLine({ signal: "tag", source: "claude", tag: "claude", foreignReferrer: true }),
      trafficLine({ signal: "tag", source: "claude", tag: "claude" }),
      trafficLine({ signal: "crawler", source: "GPTBot", path: "", time: time + 2 * day - 1 })
    ]
    yield* store.add(id, lines.slice(0, 4), "v1")
    yield* store.add(id, lines.slice(4), "v2+own-1")
    const chatgpt = { signal: "referrer", source: "chatgpt", foreignReferrer: 0 }
    const first = { ...chatgpt, day: "2026-03-01", count: 2, tagged: 1 }
    const second = { ...chatgpt, day: "2026-03-02", count: 1, tagged: 0 }
    const crawler = { signal: "crawler", source: "GPTBot", day: "2026-03-02", count: 1, tagged: 0, foreignReferrer: 0 }
    const tag = { signal: "tag", source: "claude", day: "2026-03-01", count: 2, tagged: 2, foreignReferrer: 1 }
    assert.deepEqual(yield* store.days(id, all), [crawler, first, second, tag])
    assert.deepEqual(yield* store.days(id, { from: "2026-03-02", to: null }), [crawler, second])
    assert.deepEqual(yield* store.days(id, { from: null, to: "2026-03-01" }), [first, tag])
    assert.deepEqual(yield* store.days(id, { from: "2026-03-03", to: "2026-03-09" }), [])
    assert.deepEqual(yield* store.sources(id, all), ["v1", "v2+own-1"])
    assert.deepEqual(yield* store.sources(id, { from: "2026-03-03", to: null }), [])
    assert.deepEqual(yield* store.sources(id, { from: null, to: "2026-02-28" }), [])
  }),

  "gives the landing pages with the most requests of each signal": Effect.fnUntraced(function*() {
    const store = yield* TrafficStore
    const { id } = yield* seedOrganization()
    const paths = ["/b", "/a", "/c", "/c"]
    yield* store.add(id, [
      ...paths.map((path) => trafficLine({ path })),
      trafficLine({ path: "/b", source: "claude" }),
      trafficLine({ signal: "tag", path: "/t", tag: "chatgpt" }),
      trafficLine({ signal: "crawler", path: "", source: "GPTBot" })
    ], "v1")
    assert.deepEqual(yield* store.pages(id, all, 2), [
      { signal: "referrer", path: "/b", count: 2 },
      { signal: "referrer", path: "/c", count: 2 },
      { signal: "tag", path: "/t", count: 1 }
    ])
    assert.deepEqual(yield* store.pages(id, { from: "2026-03-02", to: null }, 2), [])
  }),

  "keeps any path": Effect.fnUntraced(function*() {
    const store = yield* TrafficStore
    const { id } = yield* seedOrganization()
    const paths = [...hostileTexts, "/" + "é".repeat(511), "NULL", "{}"]
    yield* store.add(id, paths.map((path) => trafficLine({ path })), "v1")
    const found = yield* store.pages(id, all, 100)
    assert.deepEqual(found.map(({ path }) => path).toSorted(), paths.toSorted())
  }),

  "counts every line once when several add at the same time": Effect.fnUntraced(function*() {
    const store = yield* TrafficStore
    const { id } = yield* seedOrganization()
    // Several times: the first time each waits for a connection of its own
    for (let round = 1; round <= 5; round++) {
      const lines = Array.from({ length: 200 }, (_, n) => trafficLine({ path: `/${n % 7}` }))
      const added = yield* Effect.forEach(
        [lines, lines.slice(50).toReversed(), lines.slice(0, 150)],
        (some) => store.add(id, some, "v1"),
        { concurrency: "unbounded" }
      )
      assert.deepEqual(ids(added.flat()), ids(lines))
      assert.equal((yield* store.days(id, all))[0]?.count, 200 * round)
    }
  })
})
