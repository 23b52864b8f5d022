/** docs/measuring.md stays true: each example is run and gives what stands behind `// =>`. */
import * as core from "@sov/core"
import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { expect, it } from "vitest"

const text = readFileSync(new URL("../../docs/measuring.md", import.meta.url), "utf8")
const code = [...text.matchAll(/^```js\n(.*?)^```/gms)].map((match) => match[1]!).join("\n")

/** Numbers to two decimals, as the page shows them. */
const shown = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => typeof inner === "number" ? core.roundHalfUp(inner, 2) : inner)
  )

it("the page's examples give the results that the page states", () => {
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
