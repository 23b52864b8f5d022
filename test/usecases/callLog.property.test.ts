import { makeCallLog } from "@sov/core"
import fc from "fast-check"
import { expect, it } from "vitest"

it("lets at most requestsPerMinute calls begin in any 60 seconds, wherever they start", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.array(fc.record({ later: fc.integer({ min: 0, max: 40_000 }), wanted: fc.integer({ min: 1, max: 8 }) })),
    (requestsPerMinute, steps) => {
      const log = makeCallLog({ concurrency: 8, requestsPerMinute })
      const begun: Array<number> = []
      let now = 1_000
      for (const { later, wanted } of steps) {
        now += later
        const calls = Math.max(0, Math.min(wanted, log.free(now)))
        for (let n = 0; n < calls; n++) {
          const call = log.begin()
          call.sent(now)
          call.ended("answered", now)
          begun.push(now)
        }
        for (const start of begun) {
          expect(begun.filter((at) => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(requestsPerMinute)
        }
        // Whoever waits until `next` may begin one then, and not a millisecond earlier.
        const next = log.next(now) ?? now
        if (next > now) expect(log.free(next - 1)).toBe(0)
        expect(log.free(next)).toBeGreaterThan(0)
        now = next
      }
    }
  ))
})

it("leaves what the concurrency leaves", () => {
  let freed = 0
  const log = makeCallLog({ concurrency: 3, requestsPerMinute: null }, () => freed++)
  const free = [log.free(0)]
  const calls = [0, 1, 2].map(() => {
    const call = log.begin()
    free.push(log.free(0))
    return call
  })
  // Only the end of one lets another begin: there is no time to wait for.
  expect(log.next(7)).toBe(null)
  calls[0]!.ended(null, 1)
  expect([...free, log.free(0)]).toEqual([3, 2, 1, 0, 1])
  expect([freed, log.next(7)]).toEqual([1, null])
})

const down = { retryAfterMs: null }
const tripped = () => {
  const log = makeCallLog({ concurrency: 8, requestsPerMinute: null })
  for (let n = 0; n < 5; n++) log.begin().ended(down, 0)
  return log
}

it("lets no call begin while the breaker is open, then one at a time until one is answered", () => {
  const log = tripped()
  expect([log.free(4_999), log.next(0), log.free(5_000)]).toEqual([0, 5_000, 1])
  const probe = log.begin()
  expect([log.free(5_001), log.next(5_001)]).toEqual([0, null])
  probe.ended(down, 6_000)
  expect([log.free(15_999), log.free(16_000)]).toEqual([0, 1])
  log.begin().ended("answered", 16_001)
  expect(log.free(16_001)).toBe(8)
})

it("lets another call try when the one that tried was cut", () => {
  const log = tripped()
  log.begin().ended(null, 5_001)
  expect(log.free(5_001)).toBe(1)
})

it("hears nothing in calls that began before the breaker tripped or closed", () => {
  const log = makeCallLog({ concurrency: 8, requestsPerMinute: null })
  const [early, late] = [log.begin(), log.begin()]
  for (let n = 0; n < 5; n++) log.begin().ended(down, 0)
  early.ended("answered", 100)
  expect(log.free(100)).toBe(0)
  log.begin().ended("answered", 5_001)
  late.ended(down, 5_002)
  expect(log.breaker().failures).toBe(0)
})

it("goes on from another's breaker with one call that tries at once", () => {
  const log = makeCallLog({ concurrency: 8, requestsPerMinute: null })
  log.restore(tripped().breaker())
  expect(log.free(0)).toBe(1)
  log.begin().ended(down, 0)
  expect([log.free(9_999), log.free(10_000)]).toEqual([0, 1])
})

it("counts a call from when it is sent, and not at all when it never is", () => {
  const log = makeCallLog({ concurrency: 8, requestsPerMinute: 2 })
  const [slow, never] = [log.begin(), log.begin()]
  expect(log.free(0)).toBe(0)
  slow.sent(5_000)
  never.ended(null, 5_000)
  expect(log.free(5_000)).toBe(1)
  log.begin().sent(6_000)
  expect([log.free(65_000), log.next(65_000)]).toEqual([0, 66_000])
})
