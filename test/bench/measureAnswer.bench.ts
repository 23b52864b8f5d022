/**
 * The cost of measuring, as ratios of interleaved runs: compared with an `indexOf` scan and with a regular expression
 * with word boundaries for the same terms, on two kinds of answers and on recorded ones (`SOV_RECORDED_ANSWERS` names a
 * folder with `data/answers`), and on hostile answers of increasing length. Asserts nothing.
 */
import { compileTerms, explainWithTerms, measureWithTerms } from "@sov/core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { test } from "vitest"
import { interleaved } from "./interleaved.ts"

const named = (name: string) => ({ name, aliases: [], domains: [] })
const letter = (index: number): string => String.fromCharCode(65 + index % 26)
const synthetic = Array.from({ length: 60 }, (_, index) => `Brand${letter(index)}${index} Works`)
const compile = (names: ReadonlyArray<string>) => compileTerms(named(names[0]!), names.slice(1).map(named))
const compiled = compile(synthetic)

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

const rivals = (names: ReadonlyArray<string>, text: string): Readonly<Record<string, () => void>> => {
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const words = new RegExp(`\\b(?:${escaped.join("|")})\\b`, "g")
  return {
    "an absent string's indexOf": () => {
      // The result must be used, or the engine would remove the work.
      if (text.includes("\u0001absent")) throw new Error("not absent")
    },
    "an indexOf scan": () => {
      for (const name of names) for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1));
    },
    "a word-boundary regex": () => void Array.from(text.matchAll(words), (match) => match.index)
  }
}

const megabytes = (length: number, ms: number): string => `${(length / ms / 1000).toFixed(0)} MB/s`

const compare = (kind: string, rounds: number, text: string, names: ReadonlyArray<string>, measure: () => void) => {
  const times: Readonly<Record<string, number>> = interleaved(rounds, { measure, ...rivals(names, text) })
  const own = times["measure"]!
  const ratios = Object.entries(times).filter(([name]) => name !== "measure")
    .map(([name, ms]) => `${(own / ms).toFixed(1)} × ${name}`)
  const perHundred = own * 100_000 / text.length
  console.log(
    `${kind}: ${perHundred.toFixed(1)} ms per 100 kB, ${megabytes(text.length, own)}; ${ratios.join(", ")} ` +
      `(${names.length} terms, ${rounds} rounds)`
  )
}

const answer = `## Best tools for small teams

Here are **three good choices**, with prices as of May:([Tool Review][1])

1. **[BrandA0 Works](https://branda0.example/?utm_source=ai)** – \\$9 a month
   * **Pros:** easy to set up, BrandA0 Works’s support answers within a day
   * **Cons:** no export; see \`settings.json\`
2. *BrandB1 Works* – \\$19 a month ([brandb1.example](https://brandb1.example))

| Tool | Price | Rating |
|------|------:|:------:|
| BrandA0 Works | $9 | 4.5/5 |
| BrandC2 Works | $29 | 4.1/5 |

Let me know whether you want a detailed comparison!

[1]: https://toolreview.example/best "Best tools"

`
const mixed = "我用滴滴打车。 Озон дешевле; アップルとグーグル。라인에서 ใช้ไลน์ **Škoda** BrandA0 Works — l’été.\n\n"

test("measuring is timed on 100 kB of answers, and on an answer of 3 kB", () => {
  const short = fill(answer, 3000)
  compare("an answer of 3 kB", 501, short, synthetic, () => void measureWithTerms(compiled, short))
  for (const [kind, unit] of Object.entries({ "ASCII markdown": answer.replace("’", "'"), "mixed scripts": mixed })) {
    const text = fill(unit, 100_000)
    compare(kind, 41, text, synthetic, () => void measureWithTerms(compiled, text))
  }
  const text = fill(answer, 100_000)
  const times = interleaved(21, {
    plain: () => void measureWithTerms(compiled, text),
    explained: () => void explainWithTerms(compiled, text)
  })
  console.log(`explained: ${(times.explained / times.plain).toFixed(1)} × the time without reasons`)
}, 60_000)

const recorded = process.env["SOV_RECORDED_ANSWERS"] ?? ""
const known =
  ("Sony Bose Apple Samsung Jabra Nike Adidas Brooks Saucony Dyson Shark Tineco LG HP Dell Lenovo Acer ASUS " +
    "Garmin Coros Polar Philips Oral-B Breville Gaggia Rancilio De'Longhi CeraVe Neutrogena Vanicream Ninja Vitamix " +
    "Blendtec Cosori T-fal Casper Helix Saatva Purple Eero Orbi TP-Link Netgear Ring Arlo Wyze Blink Chase Discover " +
    "Fender Yamaha Epiphone Samsonite Away Monos Tesla Lucid Netflix Hulu Anker").split(" ")

test.skipIf(recorded === "")("measuring is timed on recorded answers, one by one", () => {
  const texts = gunzipSync(readFileSync(join(recorded, "data/answers/markets.jsonl.gz"))).toString().trim().split("\n")
    .map((line): string => JSON.parse(line).answer)
  const terms = compile(known)
  compare(`${texts.length} answers`, 15, texts.join("\n\n"), known, () => {
    for (const text of texts) measureWithTerms(terms, text)
  })
}, 120_000)

const hostile: Readonly<Record<string, (size: number) => string>> = {
  "*a_": (size) => fill("*a_", size),
  ">": (size) => fill(">", size),
  "- > ": (size) => fill("- > ", size),
  "[[…]]": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "![a](": (size) => fill("![a](", size),
  "nested destinations": (size) => `${"[a](b".repeat(size / 6)} z${")".repeat(size / 6)}`,
  "one long link": (size) => `[a](https://x.example/${fill("BrandA0 Works/", size)})`,
  "backticks": (size) => Array.from({ length: Math.sqrt(size * 2) }, (_, index) => "`".repeat(index)).join(" "),
  "marks": (size) => fill("\u0301\u0316", size),
  "comments": (size) => `a${fill("<!-- ", size)}`,
  "tags": (size) => fill("<a b='c ", size),
  "addresses": (size) => fill("a.aa/@aaaa.aa://", size),
  "citation marks": (size) => fill("【3†[^a][1]", size),
  "cells": (size) => fill("|a", size),
  "JSON": (size) => "[".repeat(size / 2) + "]".repeat(size / 2 - 1),
  "Thai": (size) => fill("ไลน์", size),
  "one sign": (size) => fill("a", size),
  "one sign, not ASCII": (size) => fill("é", size),
  "names only": (size) => fill("BrandA0 Works ", size),
  "lone surrogates": (size) => fill("\ud800", size)
}

const doubling = (kind: string, rounds: number, size: number, measure: (text: string) => void): void => {
  const make = hostile[kind]!
  const texts = [size / 4, size / 2, size].map(make)
  const times = interleaved(
    rounds,
    Object.fromEntries(texts.map((text, index) => [String(index), () => measure(text)] as const))
  )
  const [quarter, half, whole] = ["0", "1", "2"].map((index) => times[index]!)
  console.log(
    `${kind.padEnd(20)} ${whole!.toFixed(1).padStart(7)} ms; doubled twice: ${(half! / quarter!).toFixed(1)} ×, ` +
      `${(whole! / half!).toFixed(1)} × (${size / 1000} kB, ${rounds} rounds)`
  )
}

test("measuring is timed on hostile answers, doubled twice (2 is linear)", () => {
  for (const kind of Object.keys(hostile)) doubling(kind, 15, 100_000, (text) => void measureWithTerms(compiled, text))
  for (const kind of ["one sign", "marks", "Thai"]) {
    doubling(kind, 5, 1_000_000, (text) => void measureWithTerms(compiled, text))
  }
}, 120_000)

test("measuring is timed with 10,000 competitors", () => {
  const sign = (index: number): string => String.fromCharCode(0x4e00 + index * 7 % 20_000)
  const many: Readonly<Record<string, (index: number) => string>> = {
    "in ASCII": (index) => `Brand${letter(index)}${index} Works`,
    "in thousands of signs": (index) => `${sign(index)}${sign(index * 3)} ${sign(index * 11)}${index}`,
    "inside of each other": (index) => fill(`${letter(index)} `, 2 + index % 90)
  }
  const text = fill(`${answer}${mixed}A A A A A A A A A A A A A A A A A A A\n`, 100_000)
  for (const [kind, name] of Object.entries(many)) {
    const names = Array.from({ length: 10_000 }, (_, index) => name(index))
    const terms = compile(names)
    const times = interleaved(5, {
      compile: () => void compile(names),
      few: () => void measureWithTerms(compiled, text),
      many: () => void measureWithTerms(terms, text)
    })
    console.log(
      `${kind}: compiled in ${times.compile.toFixed(0)} ms; measured in ${
        (times.many / times.few).toFixed(1)
      } × the time with 60 (5 rounds)`
    )
  }
}, 120_000)
