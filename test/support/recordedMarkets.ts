/**
 * Recorded answers of two engines to the same questions, each asked three times. `SOV_RECORDED_ANSWERS` names a folder
 * that contains `data/`; the answers are not part of this project.
 */
import {
  type CompetitorId,
  compileTerms,
  groupIntoCells,
  type KeywordId,
  measureWithTerms,
  type PlatformId,
  type ScoredCell
} from "@sov/core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

/** The folder that contains `data/` with the recordings; empty if there are no recordings. */
export const recorded = process.env["SOV_RECORDED_ANSWERS"] ?? ""

/** One recorded answer; every question was asked in three runs. */
export interface Recording {
  readonly id: string
  readonly platform: PlatformId
  readonly market: string
  readonly prompt: string
  readonly run: number
  readonly answer: string
  readonly citations: ReadonlyArray<{ readonly url: string; readonly title: string | null }>
}

const count = (into: Map<string, number>, words: Iterable<string>): void => {
  for (const word of new Set(words)) into.set(word, (into.get(word) ?? 0) + 1)
}

/** Names of standards and similar terms, which occur where a brand could. */
const noBrands = new Set(["USB-C", "USB", "Wi-Fi", "Bluetooth", "IPS", "QHD", "OLED", "QLED", "LED", "HDMI", "GPS"])

/**
 * The brands of a market, found without a list: names that begin a bold phrase in at least 3 answers and are hardly
 * ever written in lower case.
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

/** A group of markets with its most frequently named brands. */
export interface Market {
  readonly brands: ReadonlyArray<{ readonly id: CompetitorId; readonly name: string; readonly answers: number }>
  /** The cells of each of the three runs. */
  readonly runs: ReadonlyArray<ReadonlyArray<ScoredCell>>
  /** The market of each question. */
  readonly topics: ReadonlyMap<KeywordId, string>
}

/** Measures all answers of a group of markets for its ten most frequently named brands. */
const measure = (answers: ReadonlyArray<Recording>, lowerCase: ReadonlyMap<string, number>): Market => {
  const candidates = brandsOf(answers, lowerCase)
  const terms = compileTerms({ name: "Nobody In Particular", aliases: [], domains: [] }, candidates)
  const found = answers.map(({ answer, prompt }) =>
    new Set(measureWithTerms(terms, answer, prompt).mentions.map((mention) => mention.entity))
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
  return {
    brands,
    runs: [1, 2, 3].map((run) => groupIntoCells(rows.filter((row) => row.run === run))),
    topics: new Map(answers.map(({ market, prompt }) => [prompt as KeywordId, market]))
  }
}

/** All answers of the recorded markets. */
export const marketAnswers = (): ReadonlyArray<Recording> =>
  gunzipSync(readFileSync(join(recorded, "data/answers/markets.jsonl.gz"))).toString("utf8").trimEnd().split("\n")
    .map((line) => JSON.parse(line) as Recording)

/** All markets in order, as six groups of five or six. */
export const markets = (): ReadonlyArray<Market> => {
  const all = marketAnswers()
  const lowerCase = new Map<string, number>()
  for (const { answer } of all) count(lowerCase, answer.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}'’&-]*/gu) ?? [])
  const names = [...new Set(all.map((one) => one.market))]
  const sets = 6
  return Array.from({ length: sets }, (_, i) => {
    const pooled = new Set(names.slice(Math.round(i * names.length / sets), Math.round((i + 1) * names.length / sets)))
    return measure(all.filter((one) => pooled.has(one.market)), lowerCase)
  })
}
