/** The worked examples in docs/measuring.md give the results that the page states. */
import { measureAnswer } from "@sov/core"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const page = readFileSync(new URL("../../docs/measuring.md", import.meta.url), "utf8")
const entity = (name: string) => ({ name, aliases: [], domains: [] })

describe("docs/measuring.md", () => {
  const rows = [...page.matchAll(/^\| `(.+?)`\s+\| `(positive|neutral|negative)`\s+\|$/gm)]
    .map(([, text, sentiment]) => ({ text: text!, sentiment }))

  it("the page has examples of each sentiment", () => {
    expect(new Set(rows.map((row) => row.sentiment)).size).toBe(3)
    expect(rows.length).toBeGreaterThanOrEqual(10)
  })

  it.each(rows)("the sentiment of the text is as the page says: $text is $sentiment", ({ sentiment, text }) => {
    expect(measureAnswer({ text, brand: entity("Velora"), competitors: [entity("Tandemly")] }).sentiment).toBe(
      sentiment
    )
  })
})
