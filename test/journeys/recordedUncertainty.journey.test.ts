/**
 * Whether "how sure it is" is true on real input: recorded answers of two engines to the same questions, asked three
 * times. Runs where `SOV_RECORDED_ANSWERS` names a folder with `data/`; the answers are not part of this project.
 */
import {
  averageOf,
  cellsOf,
  commonCells,
  type CompetitorId,
  competitorShare,
  compileTerms,
  type KeywordId,
  measureWith,
  movementsOf,
  pairedTrend,
  type PlatformId,
  predictNext,
  type ScoredCell
} from "@sov/core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"

const recorded = process.env["SOV_RECORDED_ANSWERS"] ?? ""

interface Recording {
  readonly platform: PlatformId
  readonly market: string
  readonly prompt: string
  readonly run: number
  readonly answer: string
}

const count = (into: Map<string, number>, words: Iterable<string>): void => {
  for (const word of new Set(words)) into.set(word, (into.get(word) ?? 0) + 1)
}

/** Names of standards and the like that stand where a brand could. */
const noBrands = new Set(["USB-C", "USB", "Wi-Fi", "Bluetooth", "IPS", "QHD", "OLED", "QLED", "LED", "HDMI", "GPS"])

/**
 * Names that begin a bold phrase in at least 3 answers and are hardly ever written in lower case: the brands of a market,
 * found without a list of them.
 */
const brandsOf = (answers: ReadonlyArray<Recording>, lowerCase: ReadonlyMap<string, number>) => {
  const named = new Map<string, number>()
  for (const { answer } of answers) {
    const bold = [...answer.matchAll(/\*\*(?:\d+\.\s*)?\[?(\p{Lu}[\p{L}\p{N}'’&-]+)/gu)].map((match) => match[1]!)
    count(named, bold)
  }
  const names = [...named].filter(([name, times]) =>
    times >= 3 && !noBrands.has(name) && (lowerCase.get(name.toLowerCase()) ?? 0) < 0.05 * times
  )
  const spellings = new Map(names.map(([name]) => [name.toLowerCase(), name]))
  return [...spellings.values()].map((name) => ({ name, aliases: [], domains: [] }))
}

interface Market {
  readonly brands: ReadonlyArray<{ readonly id: CompetitorId; readonly name: string; readonly answers: number }>
  /** The cells of each of the three runs. */
  readonly runs: ReadonlyArray<ReadonlyArray<ScoredCell>>
}

/** A set of markets with its ten most named brands, every answer measured. */
const measure = (answers: ReadonlyArray<Recording>, lowerCase: ReadonlyMap<string, number>): Market => {
  const candidates = brandsOf(answers, lowerCase)
  const terms = compileTerms({ name: "Nobody In Particular", aliases: [], domains: [] }, candidates)
  const found = answers.map(({ answer, prompt }) =>
    new Set(measureWith(terms, answer, prompt).mentions.map((mention) => mention.entity))
  )
  const brands = candidates
    .map(({ name }, i) => ({
      id: String(i) as CompetitorId,
      name,
      answers: found.filter((entities) => entities.has(i)).length
    }))
    .toSorted((a, b) => b.answers - a.answers)
    .slice(0, 10)
  const rows = answers.map((answer, n) => ({
    run: answer.run,
    platform: answer.platform,
    keywordId: answer.prompt as KeywordId,
    brandMentioned: false,
    competitorsMentioned: brands.filter(({ id }) => found[n]!.has(Number(id))).map(({ id }) => id)
  }))
  return { brands, runs: [1, 2, 3].map((run) => cellsOf(rows.filter((row) => row.run === run))) }
}

/** All markets, in their order, as six sets of five or six. */
const markets = (): ReadonlyArray<Market> => {
  const file = gunzipSync(readFileSync(join(recorded, "data/answers/markets.jsonl.gz"))).toString("utf8")
  const all = file.trimEnd().split("\n").map((line) => JSON.parse(line) as Recording)
  const lowerCase = new Map<string, number>()
  for (const { answer } of all) count(lowerCase, answer.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}'’&-]*/gu) ?? [])
  const names = [...new Set(all.map((one) => one.market))]
  const sets = 6
  return Array.from({ length: sets }, (_, i) => {
    const pooled = new Set(names.slice(Math.round(i * names.length / sets), Math.round((i + 1) * names.length / sets)))
    return measure(all.filter((one) => pooled.has(one.market)), lowerCase)
  })
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

describe.skipIf(recorded === "")("three recorded runs of the same questions", () => {
  const sets = recorded === "" ? [] : markets()
  const orders = [[0, 1, 2], [0, 2, 1], [1, 2, 0]] as const

  it("gives every set at least 20 keywords and ten brands that are named", () => {
    for (const { brands, runs } of sets) {
      for (const cells of runs) expect(new Set(cells.map((cell) => cell.keywordId)).size).toBeGreaterThanOrEqual(20)
      expect(brands).toHaveLength(10)
      expect(brands.at(-1)!.answers).toBeGreaterThanOrEqual(10)
    }
  })

  it("a 95 % prediction interval from two runs covers the third in 90–99 %, and is not wide", () => {
    const pairs = sets.flatMap(({ brands, runs }) =>
      brands.flatMap(({ id }) =>
        orders.map(([first, second, third]) => {
          const others = brands.filter((one) => one.id !== id).map((one) => competitorShare(one.id))
          const { high, low } = predictNext([runs[first]!, runs[second]!], competitorShare(id), others)!
          const actual = averageOf(runs[third]!, competitorShare(id))!
          return { third, width: high - low, covered: actual >= low - 1e-9 && actual <= high + 1e-9 }
        })
      )
    )
    const share = (of: ReadonlyArray<{ readonly covered: boolean }>) =>
      100 * of.filter((pair) => pair.covered).length / of.length
    const widths = pairs.map((pair) => pair.width)
    const shares = sets.flatMap(({ brands, runs }) => brands.map(({ id }) => averageOf(runs[0]!, competitorShare(id))!))
    process.stdout.write(
      `prediction: ${share(pairs).toFixed(1)} % of ${pairs.length} pairs covered (last run ` +
        `${share(pairs.filter((pair) => pair.third === 2)).toFixed(1)} %), median width ${median(widths).toFixed(2)} ` +
        `points at a median share of ${median(shares).toFixed(2)}, widest ${Math.max(...widths).toFixed(1)}\n`
    )
    expect(pairs).toHaveLength(180)
    expect(share(pairs)).toBeGreaterThanOrEqual(90)
    expect(share(pairs)).toBeLessThanOrEqual(99)
    expect(median(widths)).toBeLessThanOrEqual(8)
  })

  it("calls at most 5 % of comparisons of an unchanged world changed, per platform and per keyword", () => {
    const compared = sets.flatMap(({ brands, runs }) =>
      brands.flatMap(({ id }) =>
        orders.map(([first, second]) => {
          const common = commonCells(runs[first]!, runs[second]!)
          const { keywords, platforms } = movementsOf(common, competitorShare(id))
          return {
            keywords: keywords.some((one) => one.beyondNoise),
            platforms: platforms.some((one) => one.beyondNoise),
            trend: pairedTrend(common, competitorShare(id))!.direction !== "flat"
          }
        })
      )
    )
    const share = (kind: keyof typeof compared[number]) =>
      100 * compared.filter((one) => one[kind]).length / compared.length
    process.stdout.write(
      `false alarms: a keyword ${share("keywords").toFixed(1)} %, a platform ${share("platforms").toFixed(1)} %, ` +
        `the trend ${share("trend").toFixed(1)} % of ${compared.length} comparisons\n`
    )
    expect(share("keywords")).toBeLessThanOrEqual(5)
    expect(share("platforms")).toBeLessThanOrEqual(5)
    // Two-sided 10 % by its threshold of 1.645
    expect(share("trend")).toBeLessThanOrEqual(10)
  })
})
