/**
 * Duty: the cost of measuring: beside an `indexOf` scan for the same 60 terms, and on hostile answers of two lengths.
 */
import { compileTerms, measureWith } from "@sov/core"
import { test } from "vitest"
import { interleaved } from "./interleaved.ts"

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

const rounds = 15

test("100 kB of answer, beside an indexOf scan for the same 60 terms", () => {
  for (const [kind, text] of Object.entries(answers)) {
    const times = interleaved(rounds, {
      measure: () => void measureWith(compiled, text),
      scan: () => {
        for (const name of names) for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1));
      }
    })
    console.log(`${kind.padEnd(20)} ${(times.measure / times.scan).toFixed(1)} × the scan (${rounds} rounds)`)
  }
}, 60_000)

test("hostile answers: 100 kB beside 25 kB (4 is linear)", () => {
  for (const [kind, make] of Object.entries(hostile)) {
    const [short, long] = [make(length / 4), make(length)]
    const times = interleaved(rounds, {
      short: () => void measureWith(compiled, short),
      long: () => void measureWith(compiled, long)
    })
    console.log(
      `${kind.padEnd(20)} ${(times.long / times.short).toFixed(1)} × the time of a quarter (${rounds} rounds)`
    )
  }
}, 60_000)
