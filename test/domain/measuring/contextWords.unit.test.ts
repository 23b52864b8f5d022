/**
 * Duty: context words (M18). The names of an entity that has some count only where the answer or its question has one
 * of them; what has none counts as ever. They part the two meanings of names that are ordinary words in every labelled
 * case.
 */
import {
  brandedAmong,
  compileTerms,
  type EntityTerms,
  explainWithTerms,
  type KeywordId,
  measureAnswer,
  TrackedSet
} from "@sov/core"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const entity = (
  name: string,
  context: ReadonlyArray<string> = [],
  domains: ReadonlyArray<string> = []
): EntityTerms => ({
  name,
  aliases: [],
  domains,
  context
})
const apple = entity("Apple", ["phone", "laptop", "App Store"], ["apple.com"])
const count = (text: string, brand: EntityTerms = apple, prompt?: string): number =>
  measureAnswer({ text, brand, competitors: [], ...(prompt === undefined ? {} : { prompt }) }).count

describe("the names of an entity with context words", () => {
  it("names count beside a context word anywhere in the answer, in any capitals", () => {
    expect(count("Apple is cheap.\n\n- PHONES\n\nApple lasts.")).toBe(2)
    expect(count("Apple sells in the App-Store.")).toBe(1)
  })

  it("names do not count without a context word, nor beside a part of a longer word, a link's target or code", () => {
    expect(count("Apple grows best in full sun.")).toBe(0)
    expect(count("Apple, a smartphone, microphone_stand")).toBe(0)
    expect(count("Apple [here](https://phone.example/laptop)\n\n```js\nlaptop\n```")).toBe(0)
  })

  it("names count if the question has a context word, or the answer has a domain of the entity", () => {
    expect(count("Apple, then Dell.", apple, "Which laptop is best?")).toBe(1)
    expect(count("Apple, then Dell.", apple, "Which fruit is best?")).toBe(0)
    expect(count("Apple is at apple.com.")).toBe(2)
  })

  it("make no difference to which questions are branded: one that has the name asks for it", () => {
    const keywords = ["Is Apple healthy?", "Is an Apple laptop good?", "Is an orange healthy?"].map((text, n) => ({
      id: `k${n}` as KeywordId,
      text
    }))
    expect([
      ...brandedAmong(
        { brand: { ...apple, id: "b" as TrackedSet["brand"]["id"], excludes: [] }, competitors: [] },
        keywords
      )
    ])
      .toEqual(["k0", "k1"])
  })

  it("names without a context word leave their text to longer names, and each entity has its own context words", () => {
    const target = entity("Target", ["store"])
    const measure = (text: string) =>
      measureAnswer({ text, brand: apple, competitors: [target, entity("Globex")] }).mentions.map((one) => one.entity)
    expect(measure("Apple, Target and Globex")).toEqual([1])
    expect(measure("Apple, Target and Globex: a store")).toEqual([0, 1])
    expect(measure("Apple, Target and Globex: a phone")).toEqual(["brand", 1])
  })

  it("each rejected name has a reason", () => {
    const { candidates } = explainWithTerms(compileTerms(apple, []), "Apple grows in full sun.")
    expect(candidates).toMatchObject([{ accepted: false, rule: "M18", verdict: "context" }])
  })
})

describe("a context word", () => {
  interface Case {
    readonly lang: string
    readonly brand: string
    readonly context: string
    readonly text: string
    readonly shown: boolean
  }
  const cases: ReadonlyArray<Case> = readFileSync(
    new URL("../../fixtures/context-cases.jsonl", import.meta.url),
    "utf8"
  ).trim().split("\n").map((line) => JSON.parse(line))
  const isFound = ({ brand, context, text }: Case) => count(text, entity(brand, [context])) > 0

  it("a context word is found with the endings of the text's language in nine of ten cases in 19 languages", () => {
    const inflected = cases.filter(({ shown }) => shown)
    expect(new Set(cases.map(({ lang }) => lang)).size).toBe(19)
    expect(inflected.filter(isFound).length / inflected.length).toBeGreaterThanOrEqual(0.9)
  })

  it("a context word does not match a longer word, unless the extra letters are a valid ending", () => {
    const other = cases.filter(({ shown }) => !shown)
    expect(other.length).toBeGreaterThanOrEqual(30)
    expect(other.filter(isFound).map(({ context, lang }) => `${lang} ${context}`)).toEqual(["de Reis", "de Bank"])
  })

  it("a context word accepts only endings of the text's language, none if it is short, and also in the question", () => {
    expect(count("Apple on hyvä, ja puhelimet ovat uusia.", entity("Apple", ["puhelin"]))).toBe(1)
    expect(count("Apple is good, and this is what puhelimet are.", entity("Apple", ["puhelin"]))).toBe(0)
    expect(count("Die Puma ist gut und nicht teuer, Huter auch.", entity("Puma", ["Hut"]))).toBe(0)
    expect(count("Puma.", entity("Puma", ["Schuh"]), "Welche Schuhe sind gut?")).toBe(1)
  })
})

describe("a tracked set", () => {
  const codec = Schema.toCodecJson(TrackedSet)
  const id = "0193e5a0-0000-7000-8000-000000000001"
  const row = {
    version: 1,
    brand: { id, name: "Apple", aliases: [], domains: [], excludes: [] },
    competitors: [],
    createdAt: "2026-01-01T00:00:00.000Z"
  }

  it("a tracked set of an earlier version has no context words and stays unchanged", () => {
    expect(Schema.encodeSync(codec)(Schema.decodeUnknownSync(codec)(row))).toEqual(row)
  })

  it("a tracked set keeps its context words", () => {
    const kept = { ...row, brand: { ...row.brand, context: ["phone"] } }
    expect(Schema.encodeSync(codec)(Schema.decodeUnknownSync(codec)(kept))).toEqual(kept)
  })
})
