/**
 * The search for untracked brands reads the same answers twice. The first reading collects runs of capitalised words
 * and chooses names among their prefixes; the second counts where each name is mentioned, by the rules of measuring.
 * Further answers are only counted. Memory grows only with the number of cells, not with the amount of text.
 */
import type { AnswerId, KeywordId } from "../../ids.ts"
import { toComparisonForm } from "../../measuring/measureAnswer.ts"
import type { PlatformId } from "../../platforms/Platform.ts"
import { weighCells } from "../../scoring/cells.ts"
import type { Names } from "../namesChange.ts"
import { chooseNames, type ChosenName } from "./chooseNames.ts"
import { NameTally } from "./NameTally.ts"
import { buildNameTree } from "./nameTree.ts"
import { RunPool } from "./RunPool.ts"

/** The fields of an answer that the search reads. */
export interface ReadAnswer {
  readonly answerId: AnswerId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly promptUsed: string
  readonly rawResponse: string
}

/** An answer that contains the suggested name; `[start, end)` is the first mention in it. */
export interface SuggestionExample {
  readonly answer: ReadAnswer
  readonly start: number
  readonly end: number
}

/** A brand that answers name but that is not tracked. */
export interface Suggestion {
  readonly name: string
  /** The probability that the name is a brand, 0–1. */
  readonly confidence: number
  /** Words that answers write after the name, such as products; their mentions count as the name's. At most five. */
  readonly products: ReadonlyArray<string>
  /**
   * Number of answers that contain the name, of their cells (keyword on a platform) and keywords, and their platforms.
   */
  readonly answers: number
  readonly cells: number
  readonly keywords: number
  readonly platforms: ReadonlyArray<PlatformId>
  /**
   * The share of voice, 0–100, that the name would have in these answers if it were tracked beside the current names.
   * Keywords that name the brand are left out.
   */
  readonly share: number
  /** At most two examples, from different platforms. */
  readonly examples: ReadonlyArray<SuggestionExample>
}

/**
 * Maximum length of an answer that pages and alerts search for untracked names, in UTF-16 code units. The slowest texts
 * take half a microsecond per unit.
 */
export const maxSearchedLength = 32_768

/** Maximum number of names that the second reading counts. */
const maxCounted = 300
const maxExamples = 2
/**
 * Minimum number of keywords for a suggestion, because a name in answers to only one question may be the subject of
 * that question.
 */
const minKeywords = 2

interface Cell {
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  answers: number
}

/** The counts of one candidate. */
interface Finding {
  answers: number
  /**
   * By the number of the cell: the sum of the candidate's shares in its answers, and whether any answer names it.
   */
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

/** Enlarges the arrays for new cells. */
const makeRoom = (finding: Finding, cells: number): void => {
  if (finding.named.length >= cells) return
  const length = 2 * cells
  const [shares, named] = [finding.shares, finding.named]
  finding.shares = new Float32Array(length)
  finding.shares.set(shares)
  finding.named = new Uint8Array(length)
  finding.named.set(named)
}

/** A suggestion with at least this confidence is shown; others are listed as less sure. */
const sureConfidence = 0.5

/**
 * Answers about a market name the same brands repeatedly. If less than this part of the answers contain two of the
 * names, they are not about a market (docs/suggestions.md).
 */
const minCoverage = 0.6
const minNamed = 2

/** The result of a search. */
export interface FoundNames {
  /** The suggestions, sorted by descending share. */
  readonly suggestions: ReadonlyArray<Suggestion>
  /** Names that may not be brands. */
  readonly lessSure: ReadonlyArray<Suggestion>
  /** Whether the answers name the same brands repeatedly; if not, all names count as less sure. */
  readonly isMarket: boolean
}

/** One search: call `read` with all answers, then `count` with the same answers and any further ones, then `list`. */
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
  /** Number of answers that contain at least two of the names, including tracked ones. */
  private naming = 0

  /** `ignored` are names that must not be suggested. */
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

  /** Counts the names in an answer. Call it after `read` was called with all answers from which names are chosen. */
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
    this.chosen = chooseNames(buildNameTree(this.pool), maxCounted).filter(isWanted)
    this.findings = this.chosen.map(nothingFound)
    return new NameTally(this.names, this.chosen.map(({ name }) => name))
  }

  /** Lists the brands that were found. `branded` are keywords that name the brand. */
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

  /** The weight of each cell in the share. Cells of branded keywords have no weight unless there are no others. */
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
