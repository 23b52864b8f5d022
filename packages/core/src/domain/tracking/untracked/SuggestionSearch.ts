/**
 * The search for untracked brands, in two readings of the same answers: the first collects runs of capitalised words
 * and chooses the names among their beginnings, the second counts each name wherever it is mentioned, by the rules of
 * measuring. Further answers are only counted. Memory does not grow with what is read, only with the number of cells.
 */
import type { AnswerId, KeywordId } from "../../ids.ts"
import { toComparisonForm } from "../../measuring/measureAnswer.ts"
import type { PlatformId } from "../../platforms/Platform.ts"
import { weighCells } from "../../scoring/cells.ts"
import type { Names } from "../namesChange.ts"
import { chooseNames, type ChosenName } from "./chooseNames.ts"
import { NameTally } from "./NameTally.ts"
import { growTree } from "./nameTree.ts"
import { RunPool } from "./RunPool.ts"

/** An answer as it is read. */
export interface ReadAnswer {
  readonly answerId: AnswerId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly promptUsed: string
  readonly rawResponse: string
}

/** An answer that names a suggested brand; `[start, end)` is its first mention there. */
export interface SuggestionExample {
  readonly answer: ReadAnswer
  readonly start: number
  readonly end: number
}

/** A brand that answers name and nobody tracks. */
export interface Suggestion {
  readonly name: string
  /** How likely it is a brand, 0–1. */
  readonly confidence: number
  /** What answers write behind the name, such as products: their mentions are the name's. At most five. */
  readonly products: ReadonlyArray<string>
  /** Answers that name it, and their cells (keyword on a platform), keywords and platforms. */
  readonly answers: number
  readonly cells: number
  readonly keywords: number
  readonly platforms: ReadonlyArray<PlatformId>
  /**
   * The share of voice, 0–100, that it would have had of these answers if it had been tracked beside the present names;
   * keywords that name the brand are left out of it.
   */
  readonly share: number
  /** At most two, of different platforms where there are some. */
  readonly examples: ReadonlyArray<SuggestionExample>
}

/**
 * The longest answer that pages and alerts search for untracked names, in UTF-16 code units: the slowest shapes of text
 * take half a microsecond each.
 */
export const maxSearchedLength = 32_768

/** Names that are counted in the second reading. */
const maxCounted = 300
const maxExamples = 2
/** Fewer keywords make no suggestion: what one question brings up may be its subject. */
const minKeywords = 2

interface Cell {
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  answers: number
}

/** What counting finds of one candidate. */
interface Finding {
  answers: number
  /** By the number of the cell: shares of its answers, summed, and whether any names it. */
  shares: Float32Array
  named: Uint8Array
  readonly examples: Array<SuggestionExample>
}

const nothingFound = (): Finding => ({
  answers: 0,
  shares: new Float32Array(0),
  named: new Uint8Array(0),
  examples: []
})

/** Makes room for a cell that was not known before. */
const makeRoom = (finding: Finding, cells: number): void => {
  if (finding.named.length >= cells) return
  const length = 2 * cells
  const [shares, named] = [finding.shares, finding.named]
  finding.shares = new Float32Array(length)
  finding.shares.set(shares)
  finding.named = new Uint8Array(length)
  finding.named.set(named)
}

/** A suggestion with this confidence is shown; others are less sure. */
const sureConfidence = 0.5

/**
 * Answers of a market name the same brands again: less than this part of them with two of the names are no answers of a
 * market (docs/suggestions.md).
 */
const minCoverage = 0.6
const minNamed = 2

/** What a search has found. */
export interface FoundNames {
  /** The largest share first. */
  readonly suggestions: ReadonlyArray<Suggestion>
  /** Names that may be no brands. */
  readonly lessSure: ReadonlyArray<Suggestion>
  /** Whether the answers name the same brands again; if not, all names are less sure. */
  readonly isMarket: boolean
}

/** One search. `read` answers, then `count` the same, and further ones if there are; then `list`. */
export class SuggestionSearch {
  private readonly pool = new RunPool()
  private readonly cells: Array<Cell> = []
  private readonly cellNumbers = new Map<string, number>()
  private readonly keywordNumbers = new Map<KeywordId, number>()
  private readonly names: Names
  private readonly left: ReadonlySet<string>
  private chosen: ReadonlyArray<ChosenName> = []
  private tally: NameTally | undefined
  private findings: ReadonlyArray<Finding> = []
  private counted = 0
  /** Answers that name two of the names at least, tracked ones among them. */
  private naming = 0

  /** `ignored` are names that shall not be suggested. */
  constructor(names: Names, ignored: ReadonlyArray<string>) {
    this.names = names
    const tracked = [names.brand, ...names.competitors].flatMap(({ aliases, name }) => [name, ...aliases])
    this.left = new Set([...tracked, ...names.brand.excludes, ...ignored].map(toComparisonForm))
  }

  /** Reads an answer for the first time. */
  read({ keywordId, platform, rawResponse }: ReadAnswer): void {
    let keyword = this.keywordNumbers.get(keywordId)
    if (keyword === undefined) this.keywordNumbers.set(keywordId, keyword = this.keywordNumbers.size)
    this.pool.add(rawResponse, keyword, platform)
  }

  /** Counts the names in an answer, after all that names are looked for in have been read. */
  count(answer: ReadAnswer): void {
    const { keywordId, platform, promptUsed, rawResponse } = answer
    const { names, tracked } = (this.tally ??= this.beginCounting()).find(rawResponse, promptUsed)
    const key = `${platform} ${keywordId}`
    let cell = this.cellNumbers.get(key)
    if (cell === undefined) {
      this.cellNumbers.set(key, cell = this.cells.length)
      this.cells.push({ keywordId, platform, answers: 0 })
    }
    this.cells[cell]!.answers++
    this.counted++
    if (names.size + tracked >= minNamed) this.naming++
    for (const [index, mention] of names) {
      const finding = this.findings[index]!
      makeRoom(finding, this.cells.length)
      finding.answers++
      finding.named[cell] = 1
      finding.shares[cell]! += 100 / (tracked + 1)
      const { examples } = finding
      const isOther = examples.every((one) => one.answer.platform !== platform)
      if (isOther && examples.length < maxExamples) examples.push({ answer, ...mention })
    }
  }

  private beginCounting(): NameTally {
    const isWanted = ({ name }: ChosenName): boolean => {
      const words = toComparisonForm(name).split(" ")
      return !words.some((_, i) => this.left.has(words.slice(0, i + 1).join(" ")))
    }
    this.chosen = chooseNames(growTree(this.pool), maxCounted).filter(isWanted)
    this.findings = this.chosen.map(nothingFound)
    return new NameTally(this.names, this.chosen.map(({ name }) => name))
  }

  /** The brands that were found. `branded` are keywords that name the brand. */
  list(branded: ReadonlySet<KeywordId>): FoundNames {
    const weights = this.weigh(branded)
    const all = this.chosen
      .map((one, index) => this.sum(one, this.findings[index]!, weights))
      .filter(({ keywords }) => keywords >= minKeywords)
      .toSorted((a, b) => b.share - a.share || b.answers - a.answers || (a.name < b.name ? -1 : 1))
    const isMarket = this.naming >= minCoverage * this.counted
    const [lessSure = [], suggestions = []] = [false, true].map((isSure) =>
      all.filter(({ confidence }) => (isMarket && confidence >= sureConfidence) === isSure)
    )
    return { suggestions, lessSure, isMarket }
  }

  /** What each cell weighs in the share; those of branded keywords nothing, while there are others. */
  private weigh(branded: ReadonlySet<KeywordId>): Float64Array {
    const all = this.cells.map((_, i) => i)
    const unbranded = all.filter((i) => !branded.has(this.cells[i]!.keywordId))
    const headline = unbranded.length === 0 ? all : unbranded
    const weights = new Float64Array(this.cells.length)
    const own = weighCells(headline.map((i) => this.cells[i]!))
    headline.forEach((cell, i) => weights[cell] = own[i]!)
    return weights
  }

  private sum(one: ChosenName, { answers, examples, named, shares }: Finding, weights: Float64Array): Suggestion {
    const naming = this.cells.flatMap((cell, i) =>
      named[i] === 1 ? [{ ...cell, share: weights[i]! * shares[i]! / cell.answers }] : []
    )
    return {
      ...one,
      answers,
      cells: naming.length,
      keywords: new Set(naming.map(({ keywordId }) => keywordId)).size,
      platforms: [...new Set(naming.map(({ platform }) => platform))].toSorted(),
      share: naming.reduce((sum, { share }) => sum + share, 0),
      examples
    }
  }
}
