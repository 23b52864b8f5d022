/**
 * Duty: stance toward the brand (M16) on labelled answers. Rules were tuned on the cases marked `dev`; those marked
 * `held` were labelled with them, before the rules were written, and those marked `blind` after the lexicons were full.
 */
import { type EntityTerms, measureAnswer, type Sentiment } from "@sov/core"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

interface SentimentCase {
  readonly id: string
  readonly lang: string
  readonly split: "dev" | "held" | "blind"
  readonly tags: ReadonlyArray<string>
  readonly brand: string
  readonly competitors: ReadonlyArray<string>
  readonly text: string
  readonly expected: Sentiment
}

interface Judged extends SentimentCase {
  readonly found: Sentiment | null
}

const entity = (name: string): EntityTerms => ({ name, aliases: [], domains: [] })

const judge = (file: string): ReadonlyArray<Judged> =>
  readFileSync(new URL(`../../fixtures/${file}.jsonl`, import.meta.url), "utf8").trim().split("\n").map((line) => {
    const item = JSON.parse(line) as SentimentCase
    const { brand, competitors, text } = item
    return {
      ...item,
      found: measureAnswer({ text, brand: entity(brand), competitors: competitors.map(entity) }).sentiment
    }
  })
const judged = judge("sentiment-cases")

const labels = ["positive", "neutral", "negative"] as const

const macroF1 = (cases: ReadonlyArray<Judged>): number => {
  const scores = labels.map((label) => {
    const expected = cases.filter((item) => item.expected === label).length
    const found = cases.filter((item) => item.found === label).length
    const both = cases.filter((item) => item.expected === label && item.found === label).length
    return expected + found === 0 ? 0 : 2 * both / (expected + found)
  })
  return scores.reduce((sum, score) => sum + score, 0) / labels.length
}

const flips = (cases: ReadonlyArray<Judged>): number =>
  cases.filter(({ expected, found }) => found !== expected && expected !== "neutral" && found !== "neutral").length

/** Rows expected, columns found, and every case that is not right: what a failure has to show. */
const report = (cases: ReadonlyArray<Judged>): string =>
  [
    `${"expected \\ found".padEnd(18)}${labels.map((label) => label.padStart(10)).join("")}`,
    ...labels.map((row) =>
      row.padEnd(18) +
      labels.map((column) =>
        String(cases.filter(({ expected, found }) => expected === row && found === column).length).padStart(10)
      ).join("")
    ),
    ...cases.filter(({ expected, found }) => found !== expected).map(({ expected, found, id, text }) =>
      `${id}: ${found} instead of ${expected}: ${JSON.stringify(text.slice(0, 120))}`
    )
  ].join("\n")

const groups = (["dev", "held", "blind"] as const).flatMap((split) => [
  // What the rules were tuned on falls only when a rule breaks.
  {
    name: `English, ${split}`,
    bar: split === "dev" ? 0.95 : 0.7,
    cases: judged.filter((item) => item.split === split && item.lang === "en")
  },
  {
    name: `other languages, ${split}`,
    bar: split === "dev" ? 0.95 : 0.6,
    cases: judged.filter((item) => item.split === split && item.lang !== "en")
  }
])

describe("labelled answers", () => {
  it("the answers cover nine languages and statements about competitors", () => {
    expect(judged.length).toBeGreaterThanOrEqual(160)
    const languages = new Map<string, number>()
    for (const { lang } of judged) languages.set(lang, (languages.get(lang) ?? 0) + 1)
    expect([...languages.keys()].toSorted()).toEqual(["de", "en", "es", "fr", "it", "ja", "nl", "pt", "zh"])
    expect(languages.get("en")).toBeGreaterThanOrEqual(60)
    expect(Math.min(...languages.values())).toBeGreaterThanOrEqual(10)
    expect(judged.every(({ found }) => found !== null)).toBe(true)
    expect(judged.filter(({ tags }) => tags.includes("leak")).length).toBeGreaterThanOrEqual(25)
  })

  it.each(groups)("the macro-F1 of $name reaches the required value", ({ bar, cases }) => {
    expect(macroF1(cases), report(cases)).toBeGreaterThanOrEqual(bar)
  })

  it.each(groups)("at most 5 % of the judgements of $name are reversed", ({ cases }) => {
    expect(flips(cases) / cases.length, report(cases)).toBeLessThanOrEqual(0.05)
  })

  it("the brand never gets the stance toward a competitor", () => {
    const leaks = judged.filter(({ tags }) => tags.includes("leak"))
    // Abstaining is no leak: only a side that is not the brand's own is.
    const leaked = leaks.filter(({ expected, found }) => found !== expected && found !== "neutral")
    expect(leaked.map(({ id }) => id), report(leaks)).toEqual([])
  })
})

describe("labelled sentences in eight languages other than English, never tuned on", () => {
  const cases = judge("sentiment-cases.languages")
  const languages = [...new Set(cases.map(({ lang }) => lang))]

  it("the sentences are in eight languages", () =>
    expect([languages.length, languages.includes("en")]).toEqual([8, false]))
  it.each(languages)("the macro-F1 in %s reaches the required value", (language) => {
    const some = cases.filter(({ lang }) => lang === language)
    expect(macroF1(some), report(some)).toBeGreaterThanOrEqual(0.65)
  })
})

describe("labelled sentences in nine languages whose negations, comparisons and turns are easily misread", () => {
  const files = ["scope", "turns", "plain", "later"] as const
  const cases = files.flatMap((file) => judge(`sentiment-cases.${file}`))
  const languages = [...new Set(cases.map(({ lang }) => lang))]

  it("the sentences are in nine languages, 40 or more of each", () => {
    expect(languages).toHaveLength(9)
    expect(Math.min(...languages.map((one) => cases.filter(({ lang }) => lang === one).length))).toBeGreaterThan(40)
  })
  it.each(languages)("the macro-F1 in %s reaches the required value", (language) => {
    const some = cases.filter(({ lang }) => lang === language)
    expect(macroF1(some), report(some)).toBeGreaterThanOrEqual(0.85)
  })
  it("at most 1 % of the judgements are reversed", () => expect(flips(cases) / cases.length).toBeLessThanOrEqual(0.01))
})

describe("the reach of a negation", () => {
  const stance = (text: string) =>
    measureAnswer({ text, brand: entity("Velora"), competitors: [entity("Tandemly")] }).sentiment

  it.each(
    [
      ["Velora has no hidden fees and excellent support.", "positive"],
      ["Velora is not fast and reliable.", "negative"],
      ["Velora is not reliable and slow.", "negative"],
      ["Velora é uma conta sem tarifas e ótimo atendimento.", "positive"],
      ["Velora não é rápido.", "negative"],
      ["Velora non è affidabile e veloce.", "negative"],
      ["Velora es una cuenta sin comisiones y muy fiable.", "positive"],
      ["Velora heeft geen kosten en een uitstekende app.", "positive"],
      ["Veloraには苦情が絶えません。", "negative"],
      ["选择Velora还是Tandemly，看你的预算。", "neutral"],
      ["Velora还是值得推荐的。", "positive"],
      ["Velora isn't as fast as Tandemly.", "negative"],
      ["Tandemly isn't as fast as Velora.", "positive"],
      ["Unlike Tandemly, which is slow, Velora has an app.", "positive"],
      ["Unlike Velora, which is slow, Tandemly has an app.", "negative"],
      ["Tandemly never crashes, which can't be said of Velora.", "negative"],
      ["Velora was poor in the past, now it is excellent.", "positive"],
      ["Pour deux personnes, Velora est lent.", "negative"]
    ] as const
  )("the stance in %j is %s", (text, expected) => {
    expect(stance(text)).toBe(expected)
  })
})

describe("blocks below a name", () => {
  const stance = (text: string) =>
    measureAnswer({ text, brand: entity("Velora"), competitors: [entity("Tandemly")] }).sentiment

  it.each(
    [
      ["## Velora\n\n- Slow sync\n- Frequent outages\n\n## Tandemly\n\n- Excellent", "negative"],
      ["## Tandemly\n\n- Slow sync\n\n## Velora\n\n- From $8\n\n## Otherapp\n\n- Excellent", "neutral"],
      ["- **Tandemly**\n  - excellent\n- **Velora**\n  - unreliable", "negative"],
      ["1. **Velora**\n- Outstanding support\n2. **Otherapp**\n- Terrible", "positive"],
      ["| | Velora | Tandemly |\n|---|---|---|\n| Support | excellent | poor |", "positive"],
      ["| Tool | Support |\n|---|---|\n| Velora | poor |\n| Tandemly | excellent |", "negative"],
      ["Velora has two sides:\n\n**Pros**\n- cloud\n- chat\n- calendar\n\n**Cons**\n- no offline mode", "positive"],
      ["### Velora\n\n**Pros:** known brand\n\n**Cons:** price, setup, support", "negative"],
      ["Alternatives to Velora:\n\n- **Otherapp**: excellent", "neutral"],
      ["Is Velora reliable? No.", "negative"]
    ] as const
  )("the stance in the blocks %j is %s", (text, expected) => {
    expect(stance(text)).toBe(expected)
  })
})
