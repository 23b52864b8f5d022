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
          log.begin(now)
          log.end()
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
  for (let n = 0; n < 3; n++) {
    log.begin(0)
    free.push(log.free(0))
  }
  log.end()
  expect([...free, log.free(0)]).toEqual([3, 2, 1, 0, 1])
  expect([freed, log.next(7)]).toEqual([1, null])
})
