import { makeExcerpt, type NamedMention } from "@sov/core"
import { describe, expect, it } from "vitest"

const mention = (text: string, name: string, who: NamedMention["who"] = "brand"): NamedMention => {
  const start = text.indexOf(name)
  return { start, end: start + name.length, who, competitorId: null, name }
}
/** Names in braces. */
const shown = (text: string, mentions: ReadonlyArray<NamedMention>, length = 500) =>
  makeExcerpt(text, mentions, length).parts.map((part) => part.who === null ? part.text : `{${part.text}}`).join("")

describe("excerpt", () => {
  it("an excerpt has no Markdown marks but keeps the marked text", () => {
    const text =
      "## Best anvils\n\n1. **Acme** – sturdy[2], see [the guide](https://guide.example/a \"Guide\").\n- `cast` *or* forged\n> quoted"
    expect(shown(text, [mention(text, "Acme")])).toBe(
      "Best anvils {Acme} – sturdy, see the guide. cast or forged quoted"
    )
  })

  it("an excerpt has no marks around a name, even if the name is a link's label", () => {
    const text = "Globex: [Globex](https://globex.example) ships, Acme - the old one - does not; 2. place"
    const linked = text.indexOf("[Globex") + 1
    const names: ReadonlyArray<NamedMention> = [
      { start: linked, end: linked + 6, who: "competitor", competitorId: null, name: "Globex" },
      mention(text, "Acme")
    ]
    expect(shown(text, names)).toBe("Globex: {Globex} ships, {Acme} - the old one - does not; 2. place")
  })

  it("an excerpt shows a table as its cells", () => {
    const text = "| Acme | 4.5/5 |\n|------|------:|\n| Initech | 4.1/5 |"
    expect(shown(text, [mention(text, "Acme")]).replace(/\s+/g, " ").trim()).toBe("{Acme} 4.5/5 Initech 4.1/5")
  })

  it("an excerpt begins shortly before the brand's first mention, cuts no word, and marks where the text continues", () => {
    const filler = "lorem ipsum dolor sit amet ".repeat(30)
    const text = `${filler}Then Acme leads. ${filler}`
    const excerpt = makeExcerpt(text, [mention(text, "Acme")], 120)
    const words = excerpt.parts.map((part) => part.text).join("").trim().split(" ")
    expect(excerpt).toMatchObject({ cutBefore: true, cutAfter: true })
    expect(words).toContain("Acme")
    expect(text.split(/[\s]+/)).toEqual(expect.arrayContaining(words))
    expect(words.join(" ").length).toBeLessThan(170)
    expect(makeExcerpt("Short.", [], 120)).toEqual({
      parts: [{ text: "Short.", who: null }],
      cutBefore: false,
      cutAfter: false
    })
  })

  it("an excerpt never becomes markup: text that looks like an element stays text", () => {
    const text = "<img src=x onerror=alert(1)> Acme"
    expect(shown(text, [mention(text, "Acme")])).toBe("<img src=x onerror=alert(1)> {Acme}")
  })
})
