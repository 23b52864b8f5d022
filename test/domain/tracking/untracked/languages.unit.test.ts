/**
 * Suggestions in languages other than English: answers that were written for this test, as engines with and without
 * Markdown write.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { findAll } from "./searchAll.ts"

interface Language {
  readonly language: string
  /** In the blind set those that answers to two questions name. */
  readonly brands: ReadonlyArray<string>
  /** Question and answer; in turn on two platforms. */
  readonly answers: ReadonlyArray<readonly [prompt: string, text: string]>
}

describe.each([
  { set: "suggestion-languages", recall: 0.8 },
  // 60 answers that the weights were not fitted to
  { set: "suggestion-languages-blind", recall: 0.5 }
])("$set", ({ recall, set }) => {
  const languages = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../fixtures/${set}.json`), "utf8")
  ) as ReadonlyArray<Language>

  it.each(languages)(
    `the search finds ${100 * recall} % of the brands, and at most one in five names is wrong: $language`,
    ({ answers, brands }) => {
      const found = findAll(answers.map(([prompt, text], n) => ({
        id: `answer-${n}`,
        platform: n % 2 === 0 ? "assistant_a" : "assistant_b",
        prompt,
        text
      }))).suggestions.map(({ name }) => name)
      const right = found.filter((name) => brands.includes(name))
      expect(right.length / brands.length, found.join(", ")).toBeGreaterThanOrEqual(recall)
      expect(right.length / found.length, found.join(", ")).toBeGreaterThanOrEqual(0.8)
    }
  )
})
