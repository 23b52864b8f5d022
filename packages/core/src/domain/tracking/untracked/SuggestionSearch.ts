/**
 * The search for untracked brands, in two readings of the same answers: the first collects names that stand out in
 * them, the second counts each name wherever it is mentioned, by the rules of measuring. Further answers are read once,
 * for the names that are brands by then. Memory does not grow with what is read, only with the number of cells.
 */
import type { AnswerId, KeywordId } from "../../ids.ts"
import { toComparisonForm } from "../../measuring/measureAnswer.ts"
import type { PlatformId } from "../../platforms/Platform.ts"
import { weighCells } from "../../scoring/cells.ts"
import type { Names } from "../namesChange.ts"
import { chooseNames, type CountedCandidate } from "./chooseNames.ts"
import { HostLabels } from "./HostLabels.ts"
import { type Candidate, NamePool } from "./NamePool.ts"
import { type NamedInAnswer, NameTally } from "./NameTally.ts"

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

/** One search. `read` answers, then `count` the same; then `countOnly` further ones, if there are; then `list`. */
export class SuggestionSearch {
  private readonly pool = new NamePool()
  private readonly hosts = new HostLabels()
  private readonly cells: Array<Cell> = []
  private readonly cellNumbers = new Map<string, number>()
  private readonly keywordNumbers = new Map<KeywordId, number>()
  private readonly names: Names
  private readonly left: ReadonlySet<string>
  private candidates: ReadonlyArray<Candidate> = []
  private tally: NameTally | undefined
  private findings: ReadonlyArray<Finding> = []
  /** What further answers are read for: the candidates that are brands, and those that begin with one. */
  private kept: ReadonlyArray<CountedCandidate> = []
  private rest: NameTally | undefined
  private chosen: ReadonlyArray<CountedCandidate> | undefined

  /** `ignored` are names that shall not be suggested. */
  constructor(names: Names, ignored: ReadonlyArray<string>) {
    this.names = names
    const tracked = [names.brand, ...names.competitors].flatMap(({ aliases, name }) => [name, ...aliases])
    this.left = new Set([...tracked, ...names.brand.excludes, ...ignored].map(toComparisonForm))
  }

  /** Reads an answer for the first time. */
  read({ keywordId, rawResponse }: ReadAnswer): void {
    let keyword = this.keywordNumbers.get(keywordId)
    if (keyword === undefined) this.keywordNumbers.set(keywordId, keyword = this.keywordNumbers.size)
    this.pool.add(rawResponse, keyword)
    this.hosts.add(rawResponse)
  }

  /** Reads an answer for the second time; all have been read before. */
  count(answer: ReadAnswer): void {
    const { names, tracked } = (this.tally ??= this.beginCounting()).add(answer.rawResponse, answer.promptUsed)
    this.note(answer, tracked, names, (index) => this.findings[index]!)
  }

  /** Reads an answer that was not read before, for the brands among the names; all others have been counted. */
  countOnly(answer: ReadAnswer): void {
    const { names, tracked } = (this.rest ??= this.beginRest()).find(answer.rawResponse, answer.promptUsed)
    this.note(answer, tracked, names, (index) => this.findings[this.kept[index]!.index]!)
  }

  private beginRest(): NameTally {
    const chosen = this.chosen = this.choose()
    const isKept = ({ words }: Candidate): boolean =>
      chosen.some((one) => one.words.every((word, i) => word.toLowerCase() === words[i]?.toLowerCase()))
    this.kept = this.listCounted().filter(isKept)
    return new NameTally(this.names, this.kept.map(({ name }) => name))
  }

  private note(
    answer: ReadAnswer,
    tracked: number,
    names: NamedInAnswer["names"],
    findingOf: (index: number) => Finding
  ): void {
    const { keywordId, platform } = answer
    const key = `${platform} ${keywordId}`
    let cell = this.cellNumbers.get(key)
    if (cell === undefined) {
      this.cellNumbers.set(key, cell = this.cells.length)
      this.cells.push({ keywordId, platform, answers: 0 })
    }
    this.cells[cell]!.answers++
    for (const [index, mention] of names) {
      const finding = findingOf(index)
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
    const isWanted = (name: string): boolean => {
      const words = toComparisonForm(name).split(" ")
      return !words.some((_, i) => this.left.has(words.slice(0, i + 1).join(" ")))
    }
    this.candidates = this.pool.list(maxCounted, isWanted)
    this.findings = this.candidates.map(nothingFound)
    return new NameTally(this.names, this.candidates.map(({ name }) => name))
  }

  private listCounted(): ReadonlyArray<CountedCandidate> {
    const { standings } = this.tally ??= this.beginCounting()
    return this.candidates.map((one, index) => ({ ...one, index, standing: standings[index]! }))
  }

  private choose(): ReadonlyArray<CountedCandidate> {
    const evidence = { words: this.pool.words, isHost: (label: string) => this.hosts.has(label) }
    return chooseNames(evidence, this.listCounted())
  }

  /** The brands that were found, the most named first. `branded` are keywords that name the brand. */
  list(branded: ReadonlySet<KeywordId>): ReadonlyArray<Suggestion> {
    const weights = this.weigh(branded)
    return (this.chosen ?? this.choose())
      .map(({ index, name }) => this.sum(name, this.findings[index]!, weights))
      .filter(({ keywords }) => keywords >= minKeywords)
      .toSorted((a, b) => b.share - a.share || b.answers - a.answers || (a.name < b.name ? -1 : 1))
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

  private sum(name: string, { answers, examples, named, shares }: Finding, weights: Float64Array): Suggestion {
    const naming = this.cells.flatMap((cell, i) =>
      named[i] === 1 ? [{ ...cell, share: weights[i]! * shares[i]! / cell.answers }] : []
    )
    return {
      name,
      answers,
      cells: naming.length,
      keywords: new Set(naming.map(({ keywordId }) => keywordId)).size,
      platforms: [...new Set(naming.map(({ platform }) => platform))].toSorted(),
      share: naming.reduce((sum, { share }) => sum + share, 0),
      examples
    }
  }
}
