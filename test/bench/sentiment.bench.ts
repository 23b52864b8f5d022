/**
 * The cost of sentiment: an answer that names the brand, compared with the same answer measured for a brand that it
 * does not name, and hostile answers of two lengths.
 */
import { compileTerms, measureWithTerms } from "@sov/core"
import { test } from "vitest"
import { interleaved } from "./interleaved.ts"

const entity = (name: string) => ({ name, aliases: [], domains: [] })
const named = compileTerms(entity("BrandA"), [entity("BrandB")])
const absent = compileTerms(entity("Elsewhere"), [entity("BrandA"), entity("BrandB")])

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const rounds = 15

const answers = {
  English: "- **BrandA** is a reliable choice, but BrandB is cheaper and better supported than BrandA.\n\nText.\n",
  Chinese: "BrandA很好用，但是BrandB比BrandA更便宜。\n\n正文。\n"
}

test("100 kB that name the brand are compared with the same text for a brand that it does not name", () => {
  for (const [kind, unit] of Object.entries(answers)) {
    const text = fill(unit, 100_000)
    const times = interleaved(rounds, {
      named: () => void measureWithTerms(named, text),
      absent: () => void measureWithTerms(absent, text)
    })
    console.log(`${kind.padEnd(20)} ${(times.named / times.absent).toFixed(1)} × without sentiment (${rounds} rounds)`)
  }
}, 60_000)

const hostile = {
  "one clause": (size: number) => fill("BrandA good BrandB bad ", size),
  "punctuation": (size: number) => `BrandA ${fill(".!?,;:—", size)}`,
  "nested quotes": (size: number) => `BrandA ${"\"(“«".repeat(size / 8)}${"»”)\"".repeat(size / 8)}`,
  "negations": (size: number) => `${fill("not ", size)}BrandA`,
  "comparisons": (size: number) => fill("better than BrandA ", size),
  "duels": (size: number) => fill("BrandA beats BrandB ", size),
  "one word": (size: number) => `BrandA recommend${fill("x", size)}`,
  "open word": (size: number) => `BrandA ${fill("frustratpraise", size)}`,
  "spaces": (size: number) => fill(`BrandA${" ".repeat(1000)}good `, size),
  "headings": (size: number) => fill("# BrandA\n", size),
  "table": (size: number) => fill("| BrandA | good | bad |\n", size),
  "names": (size: number) => fill("BrandA and BrandB, ", size),
  "Japanese": (size: number) => fill("BrandAは良いですがBrandBより高いです", size)
}

test("hostile answers of 1 MB are compared with 250 kB (4 is linear)", () => {
  for (const [kind, make] of Object.entries(hostile)) {
    const [short, long] = [make(250_000), make(1_000_000)]
    const times = interleaved(5, {
      short: () => void measureWithTerms(named, short),
      long: () => void measureWithTerms(named, long)
    })
    console.log(`${kind.padEnd(20)} ${(times.long / times.short).toFixed(1)} × the time of a quarter (5 rounds)`)
  }
}, 300_000)
