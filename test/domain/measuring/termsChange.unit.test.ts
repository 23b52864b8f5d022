/** Duty: which changes of names and which texts leave a measurement as it is, by example. */
import { compareTerms, type EntityTerms, type MeasuredNames, renumber } from "@sov/core"
import { describe, expect, it } from "vitest"

const entity = (name: string, terms: Partial<EntityTerms> = {}) => ({
  id: name,
  name,
  aliases: [],
  domains: [],
  ...terms
})
const names = (
  competitors: MeasuredNames["competitors"],
  { brand = entity("Velora"), excludes = [] }: Partial<MeasuredNames> = {}
): MeasuredNames => ({ brand, competitors, excludes })

/** Whether a competitor of this name that comes, or goes, may be in the text. */
const mayBeIn = (added: EntityTerms, text: string): boolean => {
  const [without, having] = [names([]), names([{ ...added, id: "added" }])]
  const found = [
    compareTerms(without, having)!.mayConcern(text, "Which?"),
    compareTerms(having, without)!.mayConcern(text, "Which?")
  ]
  expect(found[0]).toBe(found[1])
  return found[0]!
}

describe("a name may be in a text", () => {
  it.each([
    ["as it is", entity("Kestrin"), "Take Kestrin."],
    ["in other capitals, with an ending", entity("Kestrin"), "KESTRINs"],
    ["by its domain", entity("Kestrin", { domains: ["kst.example"] }), "See kst.example for more."],
    ["by an alias", entity("Kestrin", { aliases: ["Falco"] }), "Take Falco."],
    ["joined", entity("Kestrin Ware"), "Take KestrinWare."],
    ["with emphasis in it", entity("Kestrin"), "Take **Kes**trin."],
    ["with a link in it", entity("Kestrin"), "Take [Kes](https://a.example/x_(y))trin."],
    ["with a reference link in it", entity("Kestrin"), "Take [Kes][1]trin."],
    ["with a tag in it", entity("Kestrin"), "Take Kes<wbr>trin."],
    ["with a comment in it", entity("Kestrin"), "Take Kes<!-- a\nb -->trin."],
    ["with a tag and emphasis in it", entity("Kestrin"), "Take Kes*<b>*trin."],
    ["with a zero-width space in it", entity("Kestrin"), "Take Kes\u200btrin."],
    ["with a soft hyphen as reference in it", entity("Kestrin"), "Take Kes&shy;trin."],
    ["with a reference that a comment divides", entity("Kestrin"), "Take Kes&sh<!---->y;trin."],
    ["as character references", entity("Kestrin"), "Take &#75;estrin."],
    ["as escapes of JSON", entity("Kestrin"), "{\"a\": \"\\u004bestrin\"}"],
    ["in wide letters", entity("Kestrin"), "Take Ｋｅｓｔｒｉｎ."],
    ["in bold letters of mathematics", entity("Kestrin"), "Take 𝐊𝐞𝐬𝐭𝐫𝐢𝐧."],
    ["in bold letters whose halves are divided", entity("a"), "x \ud835**\udc1a x"],
    ["with a ligature", entity("Kesfin"), "Take Kesﬁn."],
    ["without its marks", entity("Késtrín"), "Take Kestrin."],
    ["with marks of its own", entity("Kestrin"), "Take Ke\u0301strin."],
    ["in composed syllables", entity("삼성".normalize("NFD")), "삼성 is one."],
    ["beside an apostrophe that has a mark", entity("oʼ\u0301Neil"), "Take oʼ\u0301Neil."]
  ])("a name may be in a text %s", (_, added, text) => {
    expect(mayBeIn(added, text)).toBe(true)
  })

  it.each([
    [
      "where it is not",
      entity("Kestrin"),
      "Take Velora & Co., [the best](https://velora.example) <br> of **all** (AT&amp;T)."
    ],
    ["where only one of its words is", entity("Kestrin Ware"), "Take Kestrin."],
    ["where it is divided", entity("Kestrin"), "Take Kes trin, or Kes-trin."],
    [
      "where a part of it stands before markup that ends a word",
      entity("Kestrin"),
      "A **K** or [kes](https://a.example)."
    ],
    ["in none", entity("滴滴"), "滴 and Velora 🚀"]
  ])("a name is not in a text %s", (_, added, text) => {
    expect(mayBeIn(added, text)).toBe(false)
  })

  it("a name is not in a text in which many possible beginnings of invisible text do not divide it", () => {
    expect(mayBeIn(entity("Kestrin Ware"), "q<q>".repeat(10_000))).toBe(false)
    expect(mayBeIn(entity("Kestrin Ware"), `${"q<q>".repeat(10_000)}Kest<q>rin Wa[re](x)`)).toBe(true)
  })

  it("a name may be in a text where the end of one word is another whole word", () => {
    // "abc" ends in "bc", which "bcd" goes on behind
    const [without, having] = [names([]), names([entity("zz abc"), entity("bcd")])]
    expect(compareTerms(without, having)!.mayConcern("x abc<b>d", "Which?")).toBe(true)
    expect(compareTerms(without, names([entity("zz abc")]))!.mayConcern("x abc<b>d", "Which?")).toBe(false)
  })

  it("a name may be in any text that is too long to search", () => {
    expect(mayBeIn(entity("Kestrin"), "x".repeat(65_537))).toBe(true)
  })
})

it("a changed name concerns an answer even if only the prompt contains the name", () => {
  const change = compareTerms(names([]), names([entity("Kestrin")]))!
  expect(change.mayConcern("Take Velora.", "Is Kestrin good?")).toBe(true)
  expect(change.mayConcern("Take Velora.", "Is Velora good?")).toBe(false)
})

it("a change of context words concerns the names of their owner", () => {
  const before = names([entity("Puma", { context: ["shoe"] })])
  const after = names([entity("Puma", { context: ["shoe", "shirt"] })])
  for (const change of [compareTerms(before, after)!, compareTerms(after, before)!]) {
    expect(change.mayConcern("A shirt by Puma.", "Which?")).toBe(true)
    expect(change.mayConcern("A shirt by Velora.", "Which?")).toBe(false)
  }
})

it("an excluded term or an ambiguous spelling changes the measurement of the names that it contains", () => {
  const excluding = compareTerms(names([]), names([], { excludes: ["Velora Bank"] }))!
  expect(excluding.mayConcern("Velora Bank", "Which?")).toBe(true)
  expect(excluding.mayConcern("Velora", "Which?")).toBe(false)
  // "Kestrin" is no longer Kestrin GmbH's alone
  const [one, two] = [entity("Kestrin GmbH"), entity("Kestrin AG")]
  expect(compareTerms(names([one]), names([one, two]))!.mayConcern("Kestrin", "Which?")).toBe(true)
})

it("terms in another order are not compared, because the first term wins", () => {
  const [one, two] = [entity("Kestrin"), entity("Falco")]
  expect(compareTerms(names([one, two]), names([two, one]))).toBeUndefined()
  expect(compareTerms(names([one, two]), names([entity("Orbit"), one, two]))).toBeDefined()
})

it("mentions get the new numbers of their competitors, and mentions of a removed competitor are dropped", () => {
  const measured = {
    mentioned: true,
    count: 1,
    position: 2,
    sentiment: "neutral",
    mentions: [{ entity: 1, start: 0, end: 5 }, { entity: "brand", start: 9, end: 15 }]
  } as const
  const [one, two] = [entity("Kestrin"), entity("Falco")]
  expect(renumber(measured, compareTerms(names([one, two]), names([two]))!)).toEqual({
    ...measured,
    mentions: [{ entity: 0, start: 0, end: 5 }, { entity: "brand", start: 9, end: 15 }]
  })
  expect(renumber(measured, compareTerms(names([one, two]), names([one]))!)).toBeUndefined()
})

it("unchanged names leave every measurement unchanged", () => {
  const change = compareTerms(names([entity("Kestrin")]), names([entity("Kestrin")]))!
  expect(change.mayConcern("Kestrin, Velora &#75; \ud835", "Which?")).toBe(false)
})
