import { makeCallLimiter } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

it("lets at most requestsPerMinute calls begin in any 60 seconds, wherever they start", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.array(fc.record({ later: fc.integer({ min: 0, max: 40_000 }), wanted: fc.integer({ min: 1, max: 8 }) })),
    (requestsPerMinute, steps) => {
      const log = makeCallLimiter({ concurrency: 8, requestsPerMinute })
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
  const log = makeCallLimiter({ concurrency: 3, requestsPerMinute: null }, () => freed++)
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
  const log = makeCallLimiter({ concurrency: 8, requestsPerMinute: null })
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

it("ignores the ends of calls that began before the breaker tripped or closed", () => {
  const log = makeCallLimiter({ concurrency: 8, requestsPerMinute: null })
  const [early, late] = [log.begin(), log.begin()]
  for (let n = 0; n < 5; n++) log.begin().ended(down, 0)
  early.ended("answered", 100)
  expect(log.free(100)).toBe(0)
  log.begin().ended("answered", 5_001)
  late.ended(down, 5_002)
  expect(log.breaker().failures).toBe(0)
})

it("continues another process's breaker with what is left of its pause, also of a pause that the platform asked for", () => {
  const log = makeCallLimiter({ concurrency: 8, requestsPerMinute: null })
  log.restore(tripped().breaker(), 1_000)
  expect([log.free(4_999), log.next(1_000), log.free(5_000)]).toEqual([0, 5_000, 1])
  log.begin().ended({ retryAfterMs: 3_600_000 }, 5_000)
  const next = makeCallLimiter({ concurrency: 8, requestsPerMinute: null })
  next.restore(log.breaker(), 60_000)
  expect([next.free(3_604_999), next.free(3_605_000)]).toEqual([0, 1])
})

it("waits no longer than a platform may ask for, whatever the other's clock said", () => {
  const log = makeCallLimiter({ concurrency: 8, requestsPerMinute: null })
  log.restore({ ...tripped().breaker(), retryAt: Date.UTC(2100) }, 1_000)
  expect(log.next(1_000)).toBe(3_601_000)
})

it("counts the end of a call once", () => {
  const log = makeCallLimiter({ concurrency: 1, requestsPerMinute: null })
  const call = log.begin()
  call.ended("answered", 0)
  call.ended(down, 0)
  expect([log.free(0), log.breaker().failures]).toEqual([1, 0])
})

describe("calls of another process", () => {
  const limits = { concurrency: 8, requestsPerMinute: 3 }

  it("count as those of this one, from the end of the second in which they were sent", () => {
    const first = makeCallLimiter(limits)
    for (const at of [5_300, 5_900, 20_000]) first.begin().sent(at)
    expect(first.sent()).toEqual({ bySecond: [[5, 2], [20, 1]], unsent: 0 })
    const log = makeCallLimiter(limits)
    log.restoreSent(first.sent(), 20_000, 21_000)
    expect([log.free(66_998), log.next(21_000), log.free(66_999), log.free(81_998)]).toEqual([0, 66_999, 2, 2])
  })

  it("count as sent shortly after it was heard of last where it was about to send them", () => {
    const first = makeCallLimiter(limits)
    first.begin()
    first.begin().sent(1_000)
    const log = makeCallLimiter(limits)
    log.restoreSent(first.sent(), 1_000, 2_000)
    expect(log.free(2_000)).toBe(1)
    expect([log.free(62_999), log.free(63_000)]).toEqual([2, 3])
    const late = makeCallLimiter(limits)
    late.restoreSent(first.sent(), 1_000, 30_000)
    expect([late.free(71_999), late.free(72_000)]).toEqual([2, 3])
  })

  it("count once where it was this one", () => {
    const log = makeCallLimiter(limits)
    log.begin().sent(1_000)
    log.begin().sent(2_000)
    log.restoreSent(log.sent(), 2_000, 3_000)
    expect(log.free(3_000)).toBe(1)
  })

  it("are no matter where there is no limit", () => {
    const log = makeCallLimiter({ concurrency: 2, requestsPerMinute: null })
    log.restoreSent({ bySecond: [[1, 100]], unsent: 100 }, 1_000, 1_000)
    expect(log.free(1_000)).toBe(2)
  })
})

it("counts a call from when it is sent, and not at all when it never is", () => {
  const log = makeCallLimiter({ concurrency: 8, requestsPerMinute: 2 })
  const [slow, never] = [log.begin(), log.begin()]
  expect(log.free(0)).toBe(0)
  slow.sent(5_000)
  never.ended(null, 5_000)
  expect(log.free(5_000)).toBe(1)
  log.begin().sent(6_000)
  expect([log.free(65_000), log.next(65_000)]).toEqual([0, 66_000])
})
