/**
 * Duty: the cost of measuring: beside an `indexOf` scan for the same 60 terms, and on hostile answers of two lengths.
 */
import { compileTerms, measureWith } from "@sov/core"
import { describe, test } from "vitest"

const names = Array.from({ length: 60 }, (_, index) => `Brand${String.fromCharCode(65 + index % 26)}${index} Works`)
const entities = names.map((name) => ({ name, aliases: [], domains: [] }))
const compiled = compileTerms(entities[0]!, entities.slice(1))

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const length = 100_000

const answers = {
  ascii: fill(
    "- **BrandA0 Works** is a [good choice](https://x.example/a), see BrandB1 Works for $5.\n\nText.\n",
    length
  ),
  mixed: fill("我用滴滴打车。 Озон дешевле; アップルとグーグル。라인에서 ใช้ไลน์ **Škoda** BrandA0 Works.\n\n", length)
}

const hostile = {
  "*a_": (size: number) => fill("*a_", size),
  ">": (size: number) => fill(">", size),
  "[[…]]": (size: number) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "![a](": (size: number) => fill("![a](", size),
  "nested destinations": (size: number) => `${"[a](b".repeat(size / 6)} z${")".repeat(size / 6)}`,
  "marks": (size: number) => fill("\u0301\u0316", size),
  "comments": (size: number) => `a${fill("<!-- ", size)}`,
  "Thai": (size: number) => fill("ไลน์", size)
}

describe("100 kB of answer", () => {
  for (const [kind, text] of Object.entries(answers)) {
    test(kind, async ({ bench }) => {
      await bench("measureWith", () => {
        measureWith(compiled, text)
      }).run()
      await bench("indexOf, 60 terms", () => {
        for (const name of names) for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1));
      }).run()
    })
  }
})

describe("hostile answers", () => {
  for (const [kind, make] of Object.entries(hostile)) {
    test(kind, async ({ bench }) => {
      for (const size of [25_000, length]) {
        const text = make(size)
        await bench(`${size / 1000} kB`, () => {
          measureWith(compiled, text)
        }).run()
      }
    })
  }
})
