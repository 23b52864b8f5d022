/** What alert rules still know after names, competitors or measuring rules have changed. */
import { adaptMemory, type CompetitorId, type FormerMeasurement, type TrackedSet } from "@sov/core"
import { describe, expect, it } from "vitest"
import { globex, scanOf } from "./support.ts"

const setOf = (brand: string, ...competitors: ReadonlyArray<readonly [id: string, name: string]>) =>
  ({ brand: { name: brand }, competitors: competitors.map(([id, name]) => ({ id, name })) }) as unknown as TrackedSet
const now = setOf("Acme", [globex, "Globex"])
const old = "globex of old" as string as CompetitorId

/** As it was measured then: the shares of the brand and of Globex, which had another id. */
const then = (sov: number, rival: number, set = setOf("Acme", [old, "Globex"])): FormerMeasurement => ({
  set,
  sov,
  competitors: new Map([[old, rival]])
})

describe("competitor_overtake", () => {
  const memory = (...ahead: ReadonlyArray<CompetitorId>) =>
    ({ rule: "competitor_overtake", memory: { ahead } }) as const
  const [isAhead, isBehind] = [scanOf(10, 15), scanOf(15, 10)]

  it.each([
    ["hardly ahead, not yet for the gate", isAhead, then(20, 30), memory(), []],
    ["hardly behind, still ahead for the gate", isBehind, then(30, 20), memory(old), [globex]],
    ["ahead by the new measurement alone", isAhead, then(30, 20), memory(), [globex]],
    ["behind by the new measurement alone", isBehind, then(20, 30), memory(old), []],
    ["another competitor then", isAhead, then(20, 30, setOf("Acme", [old, "Initech"])), memory(), [globex]]
  ])("the memory of competitors that are ahead follows a new measurement: %s", (_, scan, measured, kept, ahead) => {
    expect(adaptMemory(kept, scan, measured, now, null)).toEqual({ competitor_overtake: { ahead } })
  })

  it("the memory of a different brand is not used", () => {
    expect(adaptMemory(memory(old), isAhead, then(20, 30, setOf("Ajax", [old, "Globex"])), now, null)).toEqual({})
  })
})

describe("sov_drop", () => {
  const memory = { rule: "sov_drop", memory: { armed: true } } as const

  it("the memory is kept if a new measurement leaves the scan on the same side of the threshold", () => {
    expect(adaptMemory(memory, scanOf(15), then(35, 0), now, 40)).toEqual({ sov_drop: { armed: true } })
    expect(adaptMemory(memory, scanOf(15), then(45, 0), now, 40)).toEqual({})
    expect(adaptMemory(memory, scanOf(15), null, now, 40)).toEqual({ sov_drop: { armed: true } })
  })
})

it("new_competitor still waits for its names, even if other names are tracked or the scan is measured again", () => {
  const waiting = { rule: "new_competitor", memory: { waiting: { hooli: 3 } } } as const
  for (const measured of [null, then(20, 30), then(20, 30, setOf("Ajax"))]) {
    expect(adaptMemory(waiting, scanOf(10), measured, now, null)).toEqual({ new_competitor: waiting.memory })
  }
})
