/** Parts of statements whose text is made of values: what is no value of ours never gets into a statement. */
import { Statement } from "effect/sql"
import { describe, expect, it } from "vitest"
import {
  literalBoolean,
  literalInteger,
  literalLimit,
  literalNames
} from "../../packages/core/src/adapters/postgres/values.ts"

const textOf = ({ segments }: Statement.Fragment) => segments

const hostile: ReadonlyArray<unknown> = [
  "1; drop table answer",
  "1",
  "true",
  "' or 1 = 1 --",
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  [1],
  { toString: () => "1" },
  null,
  undefined
]

describe("literals", () => {
  it("integers and booleans are written literally", () => {
    expect(textOf(literalInteger(-51))).toEqual([Statement.literal("-51")])
    expect(textOf(literalBoolean(false))).toEqual([Statement.literal("false")])
    expect(textOf(literalNames(["assistant_a", "assistant_b"]))).toEqual([
      Statement.literal("'{assistant_a,assistant_b}'::text[]")
    ])
  })

  it.each(hostile)("the value %j is neither an integer nor a boolean", (value) => {
    expect(() => literalInteger(value as number)).toThrow(RangeError)
    expect(() => literalBoolean(value as boolean)).toThrow(TypeError)
  })

  it.each(["", "a,b", "a}'", "A", "ä", "a b", "a\"", "a\\", "a\n"])("the text %j is refused as a name", (name) => {
    expect(() => literalNames(["assistant_a", name])).toThrow(RangeError)
  })

  it("an unusual limit becomes a parameter, so that clients cannot create many statements", () => {
    const limits = Array.from({ length: 1_002 }, (_, n) => n)
    const literal = limits.filter((limit) => textOf(literalLimit(limit))[0]?._tag === "Literal")
    expect(literal.length).toBeLessThan(25)
    expect(literal).toEqual(expect.arrayContaining([2, 10, 11, 50, 51, 200, 201]))
    expect(textOf(literalLimit(37))).toEqual([Statement.parameter(37)])
  })
})
