import { describe, expect, it } from "vitest"
import { findAll, type GivenAnswer, namesOf, searchAll } from "./searchAll.ts"

/** Answers to these texts, each to a keyword of its own, in turn on two platforms. */
const answersTo = (...texts: ReadonlyArray<string>): ReadonlyArray<GivenAnswer> =>
  texts.map((text, n) => ({
    id: `answer-${n}`,
    platform: n % 2 === 0 ? "assistant_a" : "assistant_b",
    prompt: `q${n}?`,
    text
  }))

const listed = (...texts: ReadonlyArray<string>) => searchAll(answersTo(...texts)).map(({ name }) => name).toSorted()

const trail = [
  "### Top picks\n1. **Zorvik Ridge 4** – light, with good grip on wet rock.\n2. **Hellem Terra 2** – soft, for long days.\n\n**Price:** about $140. The price of most is fair.",
  "- **Hellem Terra 2 GTX**: waterproof.\n- **Zorvik Ridge 4 Wide**: roomy.\n\n**Durability:** both last; durability is good, and the price is, too.",
  "Most runners like the Zorvik Ridge or a Hellem shoe. Hellem Swift 3: A fast one for races."
]

describe("a search for untracked brands", () => {
  it("the search finds names that stand out in answers to two keywords, and also counts them in plain text", () => {
    const found = searchAll(answersTo(...trail))
    expect(found.map(({ name }) => name).toSorted()).toEqual(["Hellem", "Zorvik"])
    expect(found.map(({ answers, cells, keywords, platforms }) => [answers, cells, keywords, platforms])).toEqual([
      [3, 3, 3, ["assistant_a", "assistant_b"]],
      [3, 3, 3, ["assistant_a", "assistant_b"]]
    ])
  })

  it("the search omits names that come from only one keyword", () => {
    expect(searchAll(answersTo(...trail).map((one) => ({ ...one, prompt: "the same?" })))).toEqual([])
  })

  it("a brand gets one name: the name that occurs alone, not those of its models", () => {
    expect(listed(...trail)).toEqual(["Hellem", "Zorvik"])
  })

  it("names of several words stay complete: with a joining word, a genitive, a first name or a plain word", () => {
    const found = listed(
      "- **Briggs & Ryle Baseline 22**: sturdy.\n- **Paula's Anvil Pro**: heavy.\n- **Bank of Globia Card**: free.\n- **Carl Vendrik Cabin**: light.",
      "- **Paula's Anvil Mini**: small.\n- **Carl Vendrik Trunk**: large.\n- **Bank of Globia Gold**: dear.\n- **Briggs & Ryle Sympatico**: wide."
    )
    expect(found).toEqual(["Bank of Globia", "Briggs & Ryle", "Carl Vendrik", "Paula's Anvil"])
  })

  it("features, sections, technologies and product lines are not suggested as brands", () => {
    const text = (n: number) =>
      `## Best overall\n- **Zorvik Bluewave ${n}**\n  - **Battery life:** ${n} hours; battery life matters.\n  - **Bluetooth:** 5.${n}\n- **USB-C:** yes\n\n**Final thoughts:** the Zorvik Bluewave is quiet.`
    expect(listed(text(1), text(2), text(3))).toEqual(["Zorvik"])
  })

  it("names that are tracked or ignored are not suggested in any spelling, and neither are their models", () => {
    const find = (names: ReturnType<typeof namesOf>, ignored: ReadonlyArray<string> = []) =>
      searchAll(answersTo(...trail), names, { ignored }).map(({ name }) => name)
    expect(find(namesOf("Zorvik"))).toEqual(["Hellem"])
    expect(find(namesOf("Acme", ["HELLEM"]))).toEqual(["Zorvik"])
    expect(find(namesOf("Acme"), ["zorvik", "Hellem"])).toEqual([])
  })

  it("a suggestion has the share of voice that the name would have beside the tracked names", () => {
    const answers = answersTo(
      "**Zorvik Ridge 4** and Acme.",
      "**Zorvik Ridge 4** alone.",
      "Acme, or nobody.",
      "Nobody at all, not even from Zorvik."
    )
    const [zorvik] = searchAll(answers, namesOf("Acme"))
    // On assistant_a half of the first answer, on assistant_b both whole
    expect(zorvik).toMatchObject({ name: "Zorvik", share: (50 / 2 + 200 / 2) / 2, answers: 3 })
    expect(searchAll(answers, namesOf("Acme"), { branded: ["q0?", "q2?"] })[0]!.share).toBe(100)
  })

  it("a suggestion shows an example from each of two platforms", () => {
    for (const { examples, name } of searchAll(answersTo(...trail))) {
      expect(examples.map(({ answer }) => answer.platform)).toEqual(["assistant_a", "assistant_b"])
      for (const { answer, end, start } of examples) expect(answer.rawResponse.slice(start, end)).toContain(name)
    }
  })

  it("the beginning of a name that never occurs without its end is not suggested", () => {
    const found = listed(
      "- **Consumer Cellular**: simple plans.\n- **Helly Hansen Alpha**: warm.\n- **Sharper Image Mini**: small.",
      "Seniors like Consumer Cellular or Zorvik, and skiers like Helly Hansen.\n- **Zorvik One**: fast.",
      "- **Consumer Cellular**: good.\n- **Helly Hansen Men's Shell**: dry.\n- **Sharper Image Pro**: loud. Zorvik, too."
    )
    expect(found).toContain("Consumer Cellular")
    for (const name of ["Consumer", "Helly", "Sharper"]) expect(found).not.toContain(name)
  })

  it("mentions of products count for their maker, and the products are listed", () => {
    const [one] = searchAll(answersTo(...trail)).filter(({ name }) => name === "Hellem")
    expect(one).toMatchObject({ answers: 3, products: ["Hellem Terra"] })
  })

  it("a brand is suggested once, whatever apostrophe or hyphen the answers use", () => {
    const found = listed(
      "- **De'Longhi Dedica**: small.\n- **Zorvik-Hale X1**: fast.",
      "Many like De’Longhi, others Zorvik Hale.",
      "- **De'Longhi Magnifica**: quiet.\n- **Zorvik Hale X2**: slow. De’Longhi is cheap."
    )
    expect(found.filter((name) => /longhi/i.test(name))).toHaveLength(1)
    expect(found.filter((name) => /zorvik/i.test(name))).toHaveLength(1)
  })

  it("sentences that many answers of a platform repeat are skipped", () => {
    const footer = "AI answers may be wrong, and your feedback helps Footling improve. See the Footling policy."
    const texts = Array.from({ length: 12 }, (_, n) => `${trail[n % 3]!}\n\n${footer}`)
    expect(listed(...texts)).toEqual(["Hellem", "Zorvik"])
  })

  it("the search reports if answers do not belong to one market, and is then less sure of their names", () => {
    const texts = ["Paris is in France; Voltaire lived there.", "Voltaire wrote it.", "Use a spoon.", "It is 42."]
    expect(findAll(answersTo(...texts, ...texts))).toMatchObject({ isMarket: false, suggestions: [] })
    expect(findAll(answersTo(...trail)).isMarket).toBe(true)
  })

  it("the search can read answers that were written to break it: many names, long words, open marks", () => {
    const names = Array.from({ length: 30_000 }, (_, n) => `**Name${n.toString(36)}x Model ${n}**`).join("\n")
    const hostile = [
      "**".repeat(50_000),
      "[".repeat(50_000),
      "A".repeat(200_000),
      "Aa ".repeat(60_000),
      "- ".repeat(50_000),
      "](".repeat(50_000)
    ]
    for (const text of [names, ...hostile]) {
      expect(searchAll(answersTo(text, text)).length).toBeLessThanOrEqual(300)
    }
  })
})
