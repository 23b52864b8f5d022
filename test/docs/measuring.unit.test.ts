/** Tests docs/measuring.md: each example is run and must return the value after `// =>`. */
import * as core from "@sov/core"
import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { expect, it } from "vitest"

const text = readFileSync(new URL("../../docs/measuring.md", import.meta.url), "utf8")
const code = [...text.matchAll(/^```js\n(.*?)^```/gms)].map((match) => match[1]!).join("\n")

/** Rounds numbers to two decimals, as on the page. */
const shown = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => typeof inner === "number" ? core.roundHalfUp(inner, 2) : inner)
  )

it("the examples on the page give the results that the page states", () => {
  const context = createContext({ ...core })
  let [pending, checked] = ["", 0]
  for (const line of code.split("\n")) {
    const [expression, expected] = line.split(" // => ")
    if (expected === undefined) {
      pending += `${line}\n`
      continue
    }
    runInContext(pending, context)
    pending = ""
    expect(shown(runInContext(expression!, context)), line).toEqual(runInContext(`(${expected})`, context))
    checked++
  }
  expect(pending.trim()).toBe("")
  expect(checked).toBeGreaterThanOrEqual(20)
})
