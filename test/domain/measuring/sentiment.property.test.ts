/**
 * Duty: what must hold for the stance of every answer: it follows the names, unrelated text and a competitor's praise
 * leave it alone, and neither case, white space nor emphasis turns it round.
 */
import { compileTerms, type EntityTerms, measureWithTerms, type Sentiment } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

const entity = (name: string): EntityTerms => ({ name, aliases: [], domains: [] })
const zentro = entity("Zentro")
const compiled = {
  Velora: compileTerms(entity("Velora"), [entity("Tandemly"), zentro]),
  Tandemly: compileTerms(entity("Tandemly"), [entity("Velora"), zentro])
}
const stance = (text: string, brand: keyof typeof compiled = "Velora"): Sentiment | null =>
  measureWithTerms(compiled[brand], text).sentiment

const name = fc.constantFrom("Velora", "Tandemly", "Zentro")
const cue = fc.constantFrom(
  "excellent",
  "slow",
  "not reliable",
  "easy to use",
  "overpriced",
  "available in Spain",
  "better than Tandemly",
  "worse than Velora",
  "cheap but unreliable",
  "recommended",
  "a scam",
  "never down",
  "founded in 2014"
)
const sentence = fc.oneof(
  fc.tuple(name, cue).map(([who, what]) => `${who} is ${what}.`),
  fc.tuple(name, cue, cue).map(([who, what, more]) => `${who} is ${what}, and its support is ${more}.`),
  fc.tuple(name, cue, name, cue).map(([who, what, other, that]) => `${who} is ${what}, but ${other} is ${that}.`),
  fc.tuple(name, name).map(([who, other]) => `I would choose ${who} over ${other}.`),
  fc.tuple(name, name).map(([who, other]) => `Avoid ${who}; use ${other} instead.`),
  fc.tuple(name, name).map(([who, other]) => `Compared to ${who}, ${other} feels dated.`),
  name.map((who) => `Is ${who} any good? Yes.`),
  cue.map((what) => `It is ${what}.`),
  fc.tuple(name, cue, cue).map(([who, what, more]) => `\n\n## ${who}\n\n- ${what}\n- ${more}\n\n`),
  fc.tuple(name, cue, name, cue).map(([who, what, other, that]) =>
    `\n\n| Tool | Verdict |\n|---|---|\n| ${who} | ${what} |\n| ${other} | ${that} |\n\n`
  )
)
/** An answer that names the brand at least once. */
const answer = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((parts) => `On Velora: ${parts.join(" ")}`)
const runs = { numRuns: propertyRuns(1000) }

const renamed = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/Velora|Tandemly/g, (found) => names[found]!)
const opposite = { positive: "negative", negative: "positive", neutral: undefined } as const

describe("the stance", () => {
  it("the stance is swapped when two names are swapped", () => {
    fc.assert(
      fc.property(answer, (text) => {
        const swapped = renamed(text, { Velora: "Tandemly", Tandemly: "Velora" })
        expect(stance(swapped, "Tandemly")).toBe(stance(text))
        if (text.includes("Tandemly")) expect(stance(swapped)).toBe(stance(text, "Tandemly"))
      }),
      runs
    )
  })

  it("a paragraph about another topic does not change the stance", () => {
    const unrelated = fc.constantFrom(
      "The museum opens at nine.",
      "Prices are shown in euros and include tax.",
      "This list was made in March.",
      "Most of them have an app for phones and tablets."
    )
    fc.assert(
      fc.property(answer, unrelated, (text, other) => {
        expect(stance(`${other}\n\n${text}`)).toBe(stance(text))
        // Below the last heading a paragraph would belong to it; a heading of its own ends that.
        expect(stance(`${text}\n\n# Notes\n\n${other}`)).toBe(stance(text))
      }),
      runs
    )
  })

  it("praise of a competitor never makes the stance positive, and blame never negative", () => {
    const praise = fc.constantFrom(
      "Zentro is excellent.",
      "I highly recommend Zentro: fast, reliable and easy to use.",
      "The best choice is Zentro.",
      "\n\n## Zentro\n\n- Outstanding support\n- Great value\n",
      "\n\n- **Zentro**: superb, a pleasure to use\n"
    )
    const blame = fc.constantFrom(
      "Zentro is terrible.",
      "Avoid Zentro: slow, buggy and overpriced.",
      "\n\n## Zentro\n\n- Awful support\n- Hidden fees\n"
    )
    fc.assert(
      fc.property(answer, praise, blame, (text, good, bad) => {
        if (stance(text) !== "positive") expect(stance(`${text} ${good}`)).not.toBe("positive")
        if (stance(text) !== "negative") expect(stance(`${text} ${bad}`)).not.toBe("negative")
      }),
      runs
    )
  })

  it("case, white space and emphasis do not reverse the stance", () => {
    const rewrite = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.replace(/\b(?!Velora|Tandemly|Zentro|On\b)[A-Z]/g, (letter) => letter.toLowerCase()),
      // Not at the begin of a line: that would indent it
      (text) => text.replace(/(?<=\S) /g, "  "),
      // Behind a word: a list's mark wants a space
      (text) => text.replace(/(?<=\w) (?=[a-z])/g, "\u00a0"),
      (text) => text.replace(/[a-z]{4,}/g, "*$&*"),
      (text) => text.replace(/Velora|Zentro/g, "**$&**"),
      (text) => text.replace(/\b(?:is|feels|would)\b/g, "__$&__")
    )
    fc.assert(
      fc.property(answer, rewrite, (text, change) => {
        const before = stance(text)
        const turned = before === null ? undefined : opposite[before]
        if (turned !== undefined) expect(stance(change(text))).not.toBe(turned)
      }),
      runs
    )
  })

  it("the stance of any text is one of three words, and the same each time", () => {
    const cues = fc.constantFrom(
      ..."not,but,than,over,unlike,best,avoid,?,.,|,-,#,:,**,\n,(,),より,比,\ud800".split(",")
    )
    const words = fc.oneof(name, cues, cue, fc.string({ unit: "binary", maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
        const text = `Velora ${parts.join(" ")}`
        const found = stance(text)
        expect(["positive", "neutral", "negative", null]).toContain(found)
        expect(stance(text)).toBe(found)
      }),
      runs
    )
  })
})
