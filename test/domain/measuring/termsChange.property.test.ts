/**
 * Duty: an answer that no changed name may be in is measured by the new names as it was by the old ones, in every
 * member: over generated names and texts, and over the answers of the fixtures.
 */
import {
  compareTerms,
  type CompiledTerms,
  compileTerms,
  type EntityTerms,
  type Measured,
  type MeasuredNames,
  measureWithTerms,
  renumber
} from "@sov/core"
import fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

const entity = (name: string, terms: Partial<EntityTerms> = {}): EntityTerms => ({
  name,
  aliases: [],
  domains: [],
  ...terms
})

const compiled = new WeakMap<MeasuredNames, CompiledTerms>()

const measure = (names: MeasuredNames, text: string, prompt: string): Measured => {
  const terms = compiled.get(names) ?? compileTerms(names.brand, names.competitors, names.excludes)
  compiled.set(names, terms)
  return measureWithTerms(terms, text, prompt)
}

/** What is kept of the earlier measurement; undefined where the answer has to be measured again. */
const keep = (before: MeasuredNames, after: MeasuredNames, text: string, prompt: string): Measured | undefined => {
  const change = compareTerms(before, after)
  if (change === undefined || change.mayConcern(text, prompt)) return undefined
  return renumber(measure(before, text, prompt), change)
}

/** Shows that what is kept is what measuring again says; whether something was. */
const check = (before: MeasuredNames, after: MeasuredNames, text: string, prompt: string): boolean => {
  const kept = keep(before, after, text, prompt)
  if (kept === undefined) return false
  expect(JSON.stringify(kept)).toBe(JSON.stringify(measure(after, text, prompt)))
  return true
}

/** Names with each kind of spelling, script, case rule and neighbour that the matcher has rules for. */
const pool: ReadonlyArray<EntityTerms> = [
  entity("Northwind", { domains: ["northwind.example", "north-wind.example"] }),
  entity("Fjäll Räven", { aliases: ["Fjallraven"] }),
  entity("Best Western"),
  entity("General Motors", { aliases: ["GM"] }),
  entity("Target Corporation", { domains: ["target.com"] }),
  entity("Ring", { domains: ["ring.com"] }),
  entity("Delta"),
  entity("Delta Dental"),
  entity("DemandIQ"),
  entity("7-Eleven"),
  entity("H&M"),
  entity("Marks and Spencer"),
  entity("L’Oréal"),
  entity("O'Reilly"),
  entity("oʼ\u0301Neil"),
  entity("Über"),
  entity("Groß & Söhne GmbH"),
  entity("Ærø Øl"),
  entity("HP"),
  entity("X"),
  entity("E*Trade"),
  entity("foo_bar"),
  entity("Booking.com"),
  entity("Biedronka"),
  entity("Яндекс"),
  entity("Озон", { aliases: ["Ozon"] }),
  entity("滴滴"),
  entity("ライン"),
  entity("삼성"),
  entity("شركة"),
  entity("Ω Σίσυφος"),
  entity("𠮷野家"),
  entity("Puma", { context: ["shoe", "sneaker"], domains: ["puma.com"] }),
  entity("Mango", { context: ["dress"] }),
  entity("Area ½"),
  entity("1\u20e3 Prime")
]

const variants = (one: EntityTerms): fc.Arbitrary<EntityTerms> =>
  fc.record({
    alias: fc.option(fc.constantFrom("Umbrella", "Globex Corp", "North Wind", "Ring Alarm"), { freq: 4 }),
    context: fc.option(fc.constantFrom("shop", "anvil"), { freq: 8 }),
    domain: fc.option(fc.constantFrom("umbrella.example", "globex.io"), { freq: 6 })
  }).map(({ alias, context, domain }) => ({
    ...one,
    aliases: [...one.aliases, ...alias === null ? [] : [alias]],
    domains: [...one.domains, ...domain === null ? [] : [domain]],
    ...context === null ? {} : { context: [...one.context ?? [], context] }
  }))

/** Two sets of names with most entities in common. */
const pairs: fc.Arbitrary<readonly [MeasuredNames, MeasuredNames]> = fc.shuffledSubarray([...pool], {
  minLength: 1,
  maxLength: 7
})
  .chain((chosen) => {
    const [brand, ...rivals] = chosen
    const excludes = fc.subarray(["Delta Dental Plans", "Ring Road", "Northwind Traders"])
    const oneSet = fc.record({
      brand: fc.oneof({ weight: 4, arbitrary: fc.constant(brand!) }, { weight: 1, arbitrary: variants(brand!) }),
      kept: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.constant("as it is" as const) },
          { weight: 1, arbitrary: fc.constant("left out" as const) },
          { weight: 1, arbitrary: fc.constant("varied" as const) }
        ),
        { minLength: rivals.length, maxLength: rivals.length }
      ),
      varied: fc.tuple(...rivals.map(variants)),
      excludes: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: excludes }),
      reversed: fc.integer({ min: 0, max: 9 })
    }).map(({ brand: chosenBrand, excludes: excluded, kept, reversed, varied }): MeasuredNames => {
      const competitors = rivals.flatMap((one, n) => {
        const used = kept[n] === "varied" ? varied[n]! : one
        return kept[n] === "left out" ? [] : [{ ...used, id: one.name }]
      })
      return {
        brand: chosenBrand,
        competitors: reversed === 0 ? competitors.toReversed() : competitors,
        excludes: excluded
      }
    })
    return fc.tuple(oneSet, oneSet)
  })

const spelled = [
  ...pool.flatMap(({ aliases, context = [], domains, name }) => [name, ...aliases, ...domains, ...context]),
  "Umbrella",
  "Globex",
  "North Wind",
  "northwind",
  "Uber",
  "OReilly",
  "BestWestern",
  "Demand IQ",
  "Yandex",
  "Biedronce",
  "Ring Road"
]

const toWide = (text: string): string =>
  text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
const toBold = (text: string): string =>
  text.replace(/[a-z]/g, (char) => String.fromCodePoint(0x1d41a + char.charCodeAt(0) - 0x61))
const toReference = (text: string): string =>
  Array.from(text, (char) => `&#x${char.codePointAt(0)!.toString(16)};`).join("")
const toEscape = (text: string): string =>
  Array.from(text, (_, i) => `\\u${text.charCodeAt(i)!.toString(16).padStart(4, "0")}`).join("")

const inside = fc.constantFrom(
  ..."*_~`\\[])><&;(!-\n ".split(""),
  "**",
  "<b>",
  "</b>",
  "<i class=\"a > b\">",
  "<!-- > -->",
  "<!--\n-->",
  "<script>a</script>",
  "](https://a.example/b_(c))",
  "](<a b>)",
  "][1]",
  "][]",
  "\\\n",
  "\u200b",
  "\u00ad",
  "\u0301",
  "\u20e3",
  "&shy;",
  "&zwj;",
  "&#173;",
  "&am<!-- -->p;",
  "&sh<!---->y;",
  "\ud835",
  "\udc1a"
)

/** A name, mostly as it is, with markup or format characters in it, or in other code points. */
const mention = fc.tuple(
  fc.constantFrom(...spelled),
  fc.array(fc.tuple(fc.nat(20), inside), { maxLength: 3 }),
  fc.nat(14)
)
  .map(([name, marks, how]) => {
    let text = how === 0
      ? toWide(name)
      : how === 1
      ? toBold(name)
      : how === 2
      ? name.normalize("NFD")
      : how === 3
      ? name.toUpperCase()
      : how === 4
      ? toReference(name)
      : how === 5
      ? toEscape(name)
      : name
    for (const [at, mark] of marks) {
      text = text.slice(0, at % (text.length + 1)) + mark + text.slice(at % (text.length + 1))
    }
    return how === 6
      ? `[${text}](https://a.example)`
      : how === 7
      ? `**${text}**`
      : how === 8
      ? `<a href="x">${text}</a>`
      : text
  })

const filler = fc.constantFrom(
  "is the best, and",
  "is worse than",
  "costs $5.",
  "\n\n- ",
  "\n| a | b |\n|---|---|\n| ",
  " | ",
  "\n> ",
  "the shoe of",
  "a dress by",
  "anvil",
  "\n```json\n",
  "\n```\n",
  "{\"a\": \"",
  "\"}",
  "[1]: https://a.example",
  "use",
  "与",
  "が",
  "und"
)
const texts = fc.tuple(
  fc.array(fc.oneof(mention, filler), { maxLength: 10 }),
  fc.constantFrom(" ", " ", "", "\n"),
  fc.nat(12)
).map(([parts, glue, how]) => {
  const text = parts.join(glue)
  return how === 0 ? JSON.stringify({ answer: text }) : how === 1 ? `{"answer": "${text}"}` : text
})
const prompts = fc.oneof(
  { weight: 4, arbitrary: fc.constant("Which one is best?") },
  { weight: 1, arbitrary: texts }
)

const runs = { numRuns: propertyRuns(1000) }

describe("after the tracked names change", () => {
  it("kept measurements equal new ones for any names and texts", () => {
    let kept = 0
    fc.assert(
      fc.property(pairs, texts, prompts, ([before, after], text, prompt) => {
        if (check(before, after, text, prompt)) kept++
      }),
      runs
    )
    expect(kept).toBeGreaterThan(0)
  })

  it("a name that occurs in the text with markup inside is found as in a fresh start", () => {
    fc.assert(
      fc.property(fc.constantFrom(...pool), mention, filler, (added, text, behind) => {
        const before: MeasuredNames = { brand: entity("Contoso"), competitors: [], excludes: [] }
        const after: MeasuredNames = { ...before, competitors: [{ ...added, id: "added" }] }
        check(before, after, `Contoso or ${text} ${behind}`, "Which?")
        check(after, before, `Contoso or ${text} ${behind}`, "Which?")
      }),
      runs
    )
  })
})

interface Case {
  readonly text: string
  readonly prompt?: string
  readonly brand: string | EntityTerms
  readonly competitors?: ReadonlyArray<string | EntityTerms>
  readonly excludes?: ReadonlyArray<string>
}

const toEntity = (given: string | EntityTerms): EntityTerms =>
  typeof given === "string" ? entity(given) : entity(given.name, given)

const fixtures = new URL("../../fixtures/", import.meta.url)
const cases = readdirSync(fixtures).filter((file) => /-cases\..*jsonl$|-cases\.jsonl$/.test(file)).flatMap((file) =>
  readFileSync(new URL(file, fixtures), "utf8").trim().split("\n").map((line) => JSON.parse(line) as Case)
).filter(({ brand, text }) => brand !== undefined && text !== undefined)

/** Some of them, by how often properties are tried. */
const chosen = cases.filter((_, n) => n % Math.ceil(cases.length / propertyRuns(600)) === 0)

it("an added or removed name is searched in every answer of the fixtures that it changes, and in few others", () => {
  let kept = 0
  for (const { brand, competitors = [], excludes = [], prompt = "Which one?", text } of chosen) {
    const rivals = competitors.map((one, n) => ({ ...toEntity(one), id: `rival ${n}` }))
    const names: MeasuredNames = { brand: toEntity(brand), competitors: rivals, excludes }
    const others: MeasuredNames = { ...names, brand: entity("Zwillingswerk") }
    check(names, others, text, prompt)
    check(others, names, text, prompt)
    const stranger = { ...entity("Umbrella Zwillingswerk"), id: "stranger" }
    if (check(names, { ...names, competitors: [stranger, ...rivals] }, text, prompt)) kept++
  }
  expect(chosen.length).toBeGreaterThan(100)
  expect(kept / chosen.length).toBeGreaterThan(0.85)
})
