import { makeFairScheduler } from "@sov/core"
import { expect, it } from "vitest"

/** `a1` is member 1 of group a. */
const scheduler = () => makeFairScheduler<string>((item) => item[0]!, (item) => item)

it("groups take turns, and so do the members of a group, however many there are", () => {
  const { next } = scheduler()
  const candidates = ["a1", "a2", "a3", "b1"]
  expect(Array.from({ length: 8 }, () => next(candidates))).toEqual(["a1", "b1", "a2", "b1", "a3", "b1", "a1", "b1"])
})

it("a group that has never been served comes first", () => {
  const { next } = scheduler()
  next(["a1"])
  expect(next(["a1", "b1"])).toBe("b1")
  next(["a1"])
  expect(next(["a1", "a2"])).toBe("a2")
})

it("a group that has left the scheduler counts as never served", () => {
  const { next, retain } = scheduler()
  next(["a1"])
  next(["b1"])
  retain(["a1", "c1"])
  expect(next(["a1", "b1"])).toBe("b1")
})
