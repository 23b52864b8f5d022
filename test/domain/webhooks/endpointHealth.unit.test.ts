/** When an endpoint is disabled, and what its organization is told. */
import { type EndpointHealth, updateEndpointHealth } from "@sov/core"
import { describe, expect, it } from "vitest"

const day = 86_400
const at = (seconds: number) => new Date(seconds * 1000)

const healthy: EndpointHealth = {
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  notifiedAt: null
}

/** A try that takes a second. */
const tried = (seconds: number, status: number) => ({
  startedAt: at(seconds),
  endedAt: at(seconds + 1),
  status,
  failure: status === 200 ? null : "status" as const
})
const step = (
  before: Partial<EndpointHealth>,
  tries: ReadonlyArray<ReturnType<typeof tried>>,
  exhaustedAt: Date | null = null
) => updateEndpointHealth({ ...healthy, ...before }, tries, exhaustedAt)

describe("failing since", () => {
  it("an endpoint fails since the start of its first failed attempt", () => {
    expect(step({}, [tried(20, 500), tried(10, 500)]).health).toEqual({
      ...healthy,
      failingSince: at(10),
      lastFailureAt: at(21)
    })
  })

  it("an endpoint counts as failing while its attempts fail, until one succeeds", () => {
    expect(step({ failingSince: at(5) }, [tried(10, 500)]).health.failingSince).toEqual(at(5))
    expect(step({ failingSince: at(5) }, [tried(10, 500), tried(9, 200)]).health).toEqual({
      ...healthy,
      lastFailureAt: at(11),
      lastSuccessAt: at(10)
    })
  })

  it("the times of the last success and failure never move back", () => {
    const before = { lastSuccessAt: at(90), lastFailureAt: at(80) }
    expect(step(before, [tried(10, 500), tried(9, 200)]).health).toMatchObject(before)
  })
})

describe("disabling", () => {
  it("an answer of 410 disables the endpoint, even beside other answers", () => {
    for (const others of [[], [tried(40, 200)], [tried(40, 500)]]) {
      const { health, notice } = step({}, [tried(31, 410), ...others])
      expect(health.disabledReason).toBe("gone")
      expect(health.disabledAt).toEqual(health.lastFailureAt)
      expect(notice).toEqual({ trouble: "gone", failedSince: at(31) })
    }
  })

  it("an endpoint is disabled once every attempt has failed for five days, counted to the end of the last attempt", () => {
    const failing = { failingSince: at(31) }
    expect(step(failing, [tried(29 + 5 * day, 500)])).toMatchObject({ health: { disabledReason: null }, notice: null })
    expect(step(failing, [tried(30 + 5 * day, 500)])).toMatchObject({
      health: { disabledReason: "failing", disabledAt: at(31 + 5 * day) },
      notice: { trouble: "failing", failedSince: at(31) }
    })
    expect(step(failing, [tried(30 + 5 * day, 500), tried(40, 200)]).health.disabledReason).toBeNull()
  })

  it("a disabled endpoint keeps its first reason and time, and there are no further notices", () => {
    const before = { disabledReason: "operator", disabledAt: at(1) } as const
    for (const status of [410, 500]) {
      expect(step({ ...before, failingSince: at(0) }, [tried(9 * day, status)], at(9 * day))).toMatchObject({
        health: before,
        notice: null
      })
    }
  })
})

describe("a delivery that was given up", () => {
  const exhausted = (before: Partial<EndpointHealth>, seconds: number) =>
    step(before, [tried(seconds, 500)], at(seconds + 1))

  it("a delivery that was given up causes a notice at most once a day", () => {
    expect(exhausted({}, 10)).toMatchObject({
      notice: { trouble: "exhausted", failedSince: at(11) },
      health: { notifiedAt: at(11) }
    })
    expect(exhausted({ notifiedAt: at(11) }, day + 9)).toMatchObject({ notice: null, health: { notifiedAt: at(11) } })
    expect(exhausted({ notifiedAt: at(11) }, day + 10)).toMatchObject({
      notice: { trouble: "exhausted" },
      health: { notifiedAt: at(day + 11) }
    })
  })

  it("a given-up delivery causes no notice if its endpoint becomes disabled, because that has its own notice", () => {
    expect(step({}, [tried(10, 410)], at(11))).toMatchObject({
      notice: { trouble: "gone" },
      health: { notifiedAt: null }
    })
  })
})
