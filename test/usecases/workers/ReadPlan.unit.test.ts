import { ReadPlan } from "@sov/core"
import { expect, it } from "vitest"

const makePlan = () => {
  const plan = new ReadPlan<string>((name) => name)
  expect(plan.take(0, false)).toBe("all")
  plan.recordRead(0, 0)
  return plan
}

it("the plan reads all queues at first, then every two seconds", () => {
  const plan = makePlan()
  expect([plan.findNext(false), plan.findNext(true)]).toEqual([2_000, 2_000])
  expect([plan.take(1_999, false), plan.take(2_000, true), plan.take(2_001, false)]).toEqual([null, "all", null])
})

it("the plan reads an announced queue once, and no other queue", () => {
  const plan = makePlan()
  plan.readAt("a", 0)
  plan.readAt("b", 0)
  plan.readAt("a", 0)
  expect(plan.findNext(false)).toBe(0)
  expect(plan.take(10, false)).toEqual(["a", "b"])
  expect(plan.take(10, false)).toBeNull()
  expect(plan.findNext(false)).toBe(2_000)
})

it("the plan reads a queue at the earliest announced time, and not before", () => {
  const plan = makePlan()
  plan.readAt("a", 900)
  plan.readAt("a", 700)
  plan.readAt("a", 800)
  plan.readAt("b", 701)
  expect(plan.findNext(false)).toBe(700)
  expect([plan.take(699, false), plan.take(700, false)]).toEqual([null, ["a"]])
  expect(plan.findNext(false)).toBe(701)
})

it("a queue that is announced during a read is read after it", () => {
  const plan = makePlan()
  plan.readAt("a", 0)
  expect(plan.take(10, false)).toEqual(["a"])
  plan.readAt("a", 0)
  plan.recordRead(10, 30)
  expect(plan.take(30, false)).toEqual(["a"])
})

it("reads take at most a tenth of the time while other queues have work, and an announced queue waits 0.25 s", () => {
  const plan = makePlan()
  plan.recordRead(100, 110)
  plan.readAt("a", 0)
  expect([plan.take(199, true), plan.take(200, true)]).toEqual([null, ["a"]])
  plan.recordRead(200, 300)
  plan.readAll()
  expect([plan.findNext(true), plan.findNext(false)]).toEqual([450, 0])
  expect([plan.take(449, true), plan.take(450, true)]).toEqual([null, "all"])
})

it("the plan reads all queues if no queue or too many are announced, and after a failed read", () => {
  const plan = makePlan()
  plan.readAll()
  plan.readAt("a", 0)
  plan.readAt("later", 900)
  expect(plan.take(1, false)).toBe("all")
  expect(plan.findNext(false)).toBe(900)
  for (let n = 0; n <= 100; n++) plan.readAt(`${n}`, 0)
  expect(plan.take(2, false)).toBe("all")
  plan.readAt("a", 0)
  expect(plan.take(3, false)).toEqual(["a"])
  plan.recordFailure()
  expect(plan.take(3, false)).toBe("all")
})
