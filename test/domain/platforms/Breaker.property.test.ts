import {
  type Breaker,
  breakerState,
  closedBreaker,
  recordBreakerAnswer,
  recordBreakerFailure,
  tripsAfter
} from "@sov/core"
import fc from "fast-check"
import { expect, it } from "vitest"

const failures = (times: number, breaker: Breaker = closedBreaker, now = 0) => {
  for (let n = 0; n < times; n++) breaker = recordBreakerFailure(breaker, now, null)
  return breaker
}

it("the breaker trips at the fifth failure in a row, and an answer in between resets the count", () => {
  expect(tripsAfter).toBe(5)
  expect(breakerState(failures(4), 0)).toBe("closed")
  expect(breakerState(failures(5), 0)).toBe("open")
  expect(breakerState(failures(4, recordBreakerAnswer(failures(4), 0)), 0)).toBe("closed")
  expect(recordBreakerAnswer(closedBreaker, 9)).toBe(closedBreaker)
})

it("the breaker pauses for 5, 10, 20, 40 and then 60 seconds, and remembers when the failures began", () => {
  let breaker = failures(5, closedBreaker, 1_000)
  const pauses = [breaker.pauseMs]
  for (let n = 0; n < 5; n++) {
    expect(breakerState(breaker, breaker.retryAt! - 1)).toBe("open")
    expect(breakerState(breaker, breaker.retryAt!)).toBe("half-open")
    breaker = recordBreakerFailure(breaker, breaker.retryAt!, null)
    pauses.push(breaker.pauseMs)
  }
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect(breaker.failingSince).toBe(1_000)
})

it("the breaker waits as long as the platform itself requests", () => {
  expect(recordBreakerFailure(failures(4), 0, 30_000).retryAt).toBe(30_000)
  expect(recordBreakerFailure(failures(4), 0, 1).retryAt).toBe(5_000)
})

it("the breaker repeats its last pause if it trips again soon, and starts over after being closed for as long", () => {
  const flapping = recordBreakerAnswer(failures(7), 100_000)
  expect(flapping).toMatchObject({ failures: 0, failingSince: null, retryAt: null, pauseMs: 20_000 })
  expect(failures(5, flapping, 119_999).pauseMs).toBe(40_000)
  expect(failures(5, flapping, 120_000).pauseMs).toBe(5_000)
})

it("the breaker is closed if and only if there were fewer than five failures since the last answer", () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(100_000))), (steps) => {
    let [breaker, now, inARow] = [closedBreaker, 0, 0]
    for (const [answered, later] of steps) {
      now += later
      inARow = answered ? 0 : inARow + 1
      breaker = answered ? recordBreakerAnswer(breaker, now) : recordBreakerFailure(breaker, now, null)
      expect(breakerState(breaker, now)).toBe(inARow < 5 ? "closed" : "open")
      expect(breaker.failingSince === null).toBe(inARow === 0)
      if (breaker.retryAt !== null) {
        expect(breaker.retryAt - now).toBeGreaterThanOrEqual(5_000)
        expect(breaker.retryAt - now).toBeLessThanOrEqual(60_000)
      }
    }
  }))
})
