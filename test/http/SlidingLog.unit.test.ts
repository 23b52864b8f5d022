/** A SlidingLog never admits more events than its limit in any window, compared with a list of all times. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SlidingLog, SlidingLogs } from "../../packages/http/src/middleware/SlidingLog.ts"

describe("a sliding log of requests", () => {
  it("the log admits, counts and delays requests exactly like a list of all their times", () => {
    fc.assert(fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 80 }),
      (limit, steps) => {
        const log = new SlidingLog(limit, 100)
        const taken: Array<number> = []
        let now = 5
        for (const step of steps) {
          now += step
          const fresh = taken.filter((time) => time + 100 > now)
          expect(log.remaining(now)).toBe(limit - fresh.length)
          expect(log.reliefMs(now)).toBe(fresh.length === 0 ? 0 : fresh[0]! + 100 - now)
          const wait = log.take(now)
          expect(wait).toBe(fresh.length < limit ? 0 : fresh[0]! + 100 - now)
          if (wait === 0) taken.push(now)
        }
      }
    ))
  })

  it("the log that was used least recently is dropped when there are too many", () => {
    const logs = new SlidingLogs(1, 100, 2)
    expect([logs.of("a").take(0), logs.of("b").take(0), logs.of("a").take(1)]).toEqual([0, 0, 99])
    expect([logs.of("c").take(2), logs.of("a").take(2), logs.of("b").take(2)]).toEqual([0, 98, 0])
  })
})
