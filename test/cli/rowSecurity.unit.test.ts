import { expect, it } from "vitest"
import { readRowSecurity } from "../../packages/cli/src/settings/rowSecurity.ts"

it.each([[undefined, undefined], ["", undefined], ["0", false], ["1", true]])(
  "the value SOV_RLS=%s is read as %s",
  (given, expected) => {
    expect(readRowSecurity(given === undefined ? {} : { SOV_RLS: given })).toBe(expected)
  }
)

it.each(["true", "yes", "2", " 1"])("the value SOV_RLS=%s is refused", (given) => {
  expect(() => readRowSecurity({ SOV_RLS: given })).toThrow("SOV_RLS is 1 or 0")
})
