import { makeCallLimiter } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

it("at most requestsPerMinute calls begin in any 60 seconds, wherever they start", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.array(fc.record({ later: fc.integer({ min: 0, max: 40_000 }), wanted: fc.integer({ min: 1, max: 8 }) })),
    (requestsPerMinute, steps) => {
      const log = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute })
      const begun: Array<number> = []
      let now = 1_000
      for (const { later, wanted } of steps) {
        now += later
        const calls = Math.max(0, Math.min(wanted, log.countFree(now)))
        for (let n = 0; n < calls; n++) {
          const call = log.begin()
          call.markSent(now)
          call.markEnded("answered", now)
          begun.push(now)
        }
        for (const start of begun) {
          expect(begun.filter((at) => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(requestsPerMinute)
        }
        // A call that waits until `next` may begin one then, and not a millisecond earlier.
        const next = log.findNextStart(now) ?? now
        if (next > now) expect(log.countFree(next - 1)).toBe(0)
        expect(log.countFree(next)).toBeGreaterThan(0)
        now = next
      }
    }
  ))
})

it("as many calls are free as the concurrency limit leaves", () => {
  let freed = 0
  const log = makeCallLimiter({ simulated: true, concurrency: 3, requestsPerMinute: null }, () => freed++)
  const free = [log.countFree(0)]
  const calls = [0, 1, 2].map(() => {
    const call = log.begin()
    free.push(log.countFree(0))
    return call
  })
  // Only the end of one lets another begin: there is no time to wait for.
  expect(log.findNextStart(7)).toBe(null)
  calls[0]!.markEnded(null, 1)
  expect([...free, log.countFree(0)]).toEqual([3, 2, 1, 0, 1])
  expect([freed, log.findNextStart(7)]).toEqual([1, null])
})

const down = { retryAfterMs: null }
const tripped = () => {
  const log = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute: null })
  for (let n = 0; n < 5; n++) log.begin().markEnded(down, 0)
  return log
}

it("no call begins while the breaker is open; then calls are made one at a time until one is answered", () => {
  const log = tripped()
  expect([log.countFree(4_999), log.findNextStart(0), log.countFree(5_000)]).toEqual([0, 5_000, 1])
  const probe = log.begin()
  expect([log.countFree(5_001), log.findNextStart(5_001)]).toEqual([0, null])
  probe.markEnded(down, 6_000)
  expect([log.countFree(15_999), log.countFree(16_000)]).toEqual([0, 1])
  log.begin().markEnded("answered", 16_001)
  expect(log.countFree(16_001)).toBe(8)
})

it("another call may probe the platform if the probing call was cut off", () => {
  const log = tripped()
  log.begin().markEnded(null, 5_001)
  expect(log.countFree(5_001)).toBe(1)
})

it("results of calls that began before the breaker tripped or closed are ignored", () => {
  const log = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute: null })
  const [early, late] = [log.begin(), log.begin()]
  for (let n = 0; n < 5; n++) log.begin().markEnded(down, 0)
  early.markEnded("answered", 100)
  expect(log.countFree(100)).toBe(0)
  log.begin().markEnded("answered", 5_001)
  late.markEnded(down, 5_002)
  expect(log.readBreaker().failures).toBe(0)
})

it("a breaker restored from another process stays open for the rest of its pause, even one that the platform requested", () => {
  const log = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute: null })
  log.restoreBreaker(tripped().readBreaker(), 1_000)
  expect([log.countFree(4_999), log.findNextStart(1_000), log.countFree(5_000)]).toEqual([0, 5_000, 1])
  log.begin().markEnded({ retryAfterMs: 3_600_000 }, 5_000)
  const next = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute: null })
  next.restoreBreaker(log.readBreaker(), 60_000)
  expect([next.countFree(3_604_999), next.countFree(3_605_000)]).toEqual([0, 1])
})

it("a wait never exceeds the maximum that a platform may request, whatever the other process's clock says", () => {
  const log = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute: null })
  log.restoreBreaker({ ...tripped().readBreaker(), retryAt: Date.UTC(2100) }, 1_000)
  expect(log.findNextStart(1_000)).toBe(3_601_000)
})

it("the end of a call is counted once", () => {
  const log = makeCallLimiter({ simulated: true, concurrency: 1, requestsPerMinute: null })
  const call = log.begin()
  call.markEnded("answered", 0)
  call.markEnded(down, 0)
  expect([log.countFree(0), log.readBreaker().failures]).toEqual([1, 0])
})

describe("calls of another process", () => {
  const limits = { simulated: true, concurrency: 8, requestsPerMinute: 3 }

  it("calls of another process count like own calls, from the end of the second in which they were sent", () => {
    const first = makeCallLimiter(limits)
    for (const at of [5_300, 5_900, 20_000]) first.begin().markSent(at)
    expect(first.listSent()).toEqual({ bySecond: [[5, 2], [20, 1]], unsent: 0 })
    const log = makeCallLimiter(limits)
    log.restoreSent(first.listSent(), 20_000, 21_000)
    expect([log.countFree(66_998), log.findNextStart(21_000), log.countFree(66_999), log.countFree(81_998)]).toEqual([
      0,
      66_999,
      2,
      2
    ])
  })

  it("calls of another process that it was about to send count as sent shortly after its last record", () => {
    const first = makeCallLimiter(limits)
    first.begin()
    first.begin().markSent(1_000)
    const log = makeCallLimiter(limits)
    log.restoreSent(first.listSent(), 1_000, 2_000)
    expect(log.countFree(2_000)).toBe(1)
    expect([log.countFree(62_999), log.countFree(63_000)]).toEqual([2, 3])
    const late = makeCallLimiter(limits)
    late.restoreSent(first.listSent(), 1_000, 30_000)
    expect([late.countFree(71_999), late.countFree(72_000)]).toEqual([2, 3])
  })

  it("calls of another process count once if that process is this one", () => {
    const log = makeCallLimiter(limits)
    log.begin().markSent(1_000)
    log.begin().markSent(2_000)
    log.restoreSent(log.listSent(), 2_000, 3_000)
    expect(log.countFree(3_000)).toBe(1)
  })

  it("calls of another process are ignored if there is no limit", () => {
    const log = makeCallLimiter({ simulated: true, concurrency: 2, requestsPerMinute: null })
    log.restoreSent({ bySecond: [[1, 100]], unsent: 100 }, 1_000, 1_000)
    expect(log.countFree(1_000)).toBe(2)
  })
})

it("a call counts from the time it is sent, and not at all if it is never sent", () => {
  const log = makeCallLimiter({ simulated: true, concurrency: 8, requestsPerMinute: 2 })
  const [slow, never] = [log.begin(), log.begin()]
  expect(log.countFree(0)).toBe(0)
  slow.markSent(5_000)
  never.markEnded(null, 5_000)
  expect(log.countFree(5_000)).toBe(1)
  log.begin().markSent(6_000)
  expect([log.countFree(65_000), log.findNextStart(65_000)]).toEqual([0, 66_000])
})

it("an account without an answer for a minute is asked by two calls at a time until one call succeeds", () => {
  const log = makeCallLimiter({ simulated: false, concurrency: 8, requestsPerMinute: null })
  const free = [log.countFree(0)]
  const answer = (now: number) => log.begin().markEnded("answered", now)
  answer(1_000)
  free.push(log.countFree(1_000), log.countFree(60_999), log.countFree(61_000))
  log.begin()
  free.push(log.countFree(61_000))
  // Trouble that passes says nothing of the account
  log.begin().markEnded(down, 62_000)
  free.push(log.countFree(62_000))
  answer(63_000)
  free.push(log.countFree(63_000))
  log.begin().markEnded("unpaid", 64_000)
  free.push(log.countFree(64_000))
  expect(free).toEqual([2, 8, 8, 2, 1, 1, 7, 1])
})
