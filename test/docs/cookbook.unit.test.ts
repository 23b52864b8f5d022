/** The pages of docs/cookbook show the code that the tests run, and the code is as short as they say. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

it("custom-platform.md shows the adapter and its test unchanged, in under 60 lines", () => {
  const page = read("../../docs/cookbook/custom-platform.md")
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1])
  const adapter = read("customPlatform/companyAssistant.ts")
  expect(blocks[0]).toBe(adapter)
  expect(blocks[1]).toBe(read("customPlatform/companyAssistant.contract.test.ts"))
  expect(adapter.split("\n").length).toBeLessThan(60)
})
