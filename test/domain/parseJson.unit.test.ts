/** Where a text stops being JSON. */
import { describeJsonFault, parseJson } from "@sov/core"
import { Result } from "effect"
import { expect, it } from "vitest"

const where = (text: string) => Result.mapError(parseJson(text), describeJsonFault)

it("JSON is parsed, even after a byte order mark", () => {
  expect(where("\uFEFF{\"a\":[1]}")).toEqual(Result.succeed({ a: [1] }))
})

it.each([
  ["{\n \"platforms\": {,}\n}", 2, 16],
  ["{\"a\":1", 1, 7],
  ["", 1, 1],
  ["{ \"brand\": 1,\n \"competitors\": [ }\n", 2, 19],
  ["[1,\n]\n", 2, 1],
  ["\n\n// at position 1\n{}", 3, 1],
  ["[nulL]", 1, 5],
  ["{\"key\":\"sk-secret\" oops}", 1, 20]
])("the error names line and column of %j, and quotes no text from it", (text, line, column) => {
  expect(where(text)).toEqual(Result.fail(`not valid JSON at line ${line}, column ${column}`))
})
