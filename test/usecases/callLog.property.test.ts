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
        const calls = Math.max(0, Math.min(wanted, log.free(now, 0)))
        log.begin(now, calls)
        for (let n = 0; n < calls; n++) begun.push(now)
        for (const start of begun) {
          expect(begun.filter((at) => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(requestsPerMinute)
        }
        // Whoever waits until `next` may begin one then, and not a millisecond earlier.
        const next = log.next(now)
        if (next > now) expect(log.free(next - 1, 0)).toBe(0)
        expect(log.free(next, 0)).toBeGreaterThan(0)
        now = next
      }
    }
  ))
})

it("leaves what the concurrency leaves", () => {
  const log = makeCallLog({ concurrency: 3, requestsPerMinute: null })
  log.begin(0, 3)
  expect([log.free(0, 0), log.free(0, 2), log.free(0, 3), log.next(7)]).toEqual([3, 1, 0, 7])
})
