/** First reading of the answers: names that stand out in them. */
import { type Beginning, Beginnings } from "./beginnings.ts"
import { listStandouts } from "./standouts.ts"
import { isStopWord } from "./stopWords.ts"
import { WordCounts } from "./WordCounts.ts"
import { isTechnology } from "./wordLists.ts"

/** A name that phrases begin with. */
export interface Candidate {
  readonly name: string
  /**
   * Phrases that begin with it (0 = it stands within sentences only), and those of them that go on with a capital or a
   * digit, as a model's name does.
   */
  readonly heads: number
  readonly continued: number
  readonly words: ReadonlyArray<string>
}

interface Entry {
  readonly name: string
  heads: number
  continued: number
  answers: number
  /** The keyword of the first phrase; -1 = none. */
  keyword: number
  /** Answers to more than one keyword have it, one of them as the beginning of a phrase. */
  several: boolean
  /** The number of the last answer that has it. */
  last: number
  /** The keyword of the first occurrence within a sentence, and the word before it. */
  within: number
  behind: number
  /**
   * Answers to more than one keyword have it within sentences, behind different words: it is not of a text that all end
   * with.
   */
  varied: boolean
}

/**
 * Entries of a pool. Hostile answers make as many names as they have words; what only one keyword brings goes first.
 */
const maxEntries = 60_000
/** Beginnings that one answer may add. */
const maxPerAnswer = 600

const isPossible = (name: string): boolean => {
  const words = name.split(" ")
  return !isStopWord(words[0]!) && !words.some(isTechnology)
}

const compareEntries = (a: Entry, b: Entry): number =>
  Number(b.several || b.varied) - Number(a.several || a.varied) || b.answers - a.answers || b.heads - a.heads ||
  (a.name < b.name ? -1 : 1)

/** Collects names. Bounded: 60,000 names at once, whatever is read. */
export class NamePool {
  readonly words = new WordCounts()
  private readonly beginnings = new Beginnings()
  private readonly entries = new Map<string, Entry>()
  private answer = 0

  /** Reads one answer; `keyword` is a number that stands for the question. */
  add(text: string, keyword: number): void {
    const answer = ++this.answer
    let added = 0
    this.words.add(text, (run, behind) => {
      if (added++ >= maxPerAnswer) return
      for (const one of this.beginnings.of(run)) this.noteWithin(this.find(one, answer), keyword, behind)
    })
    added = 0
    for (const phrase of listStandouts(text)) {
      for (const one of this.beginnings.of(phrase)) {
        if (added++ >= maxPerAnswer) return
        this.noteHead(this.find(one, answer), keyword, one.goesOn)
      }
    }
  }

  private find({ key, name }: Beginning, answer: number): Entry {
    let entry = this.entries.get(key)
    if (entry === undefined) {
      if (this.entries.size >= maxEntries) this.prune()
      entry = {
        name,
        heads: 0,
        continued: 0,
        answers: 0,
        keyword: -1,
        several: false,
        last: 0,
        within: -1,
        behind: 0,
        varied: false
      }
      this.entries.set(key, entry)
    }
    if (entry.last !== answer) {
      entry.last = answer
      entry.answers++
    }
    return entry
  }

  private noteHead(entry: Entry, keyword: number, goesOn: boolean): void {
    entry.heads++
    if (goesOn) entry.continued++
    if (entry.keyword === -1) entry.keyword = keyword
    if (entry.keyword !== keyword || (entry.within !== -1 && entry.within !== keyword)) entry.several = true
  }

  private noteWithin(entry: Entry, keyword: number, behind: number): void {
    if (entry.within === -1) {
      entry.within = keyword
      entry.behind = behind
    } else if (entry.within !== keyword && entry.behind !== behind) entry.varied = true
    if (entry.keyword !== -1 && entry.keyword !== keyword) entry.several = true
  }

  /** Drops the half of the pool that is named least; what only one keyword has brought goes first. */
  private prune(): void {
    const kept = [...this.entries].toSorted(([, a], [, b]) => compareEntries(a, b)).slice(0, maxEntries / 2)
    this.entries.clear()
    for (const [key, entry] of kept) this.entries.set(key, entry)
  }

  /** The most named candidates that `isWanted`, at most `limit`; those in answers to several keywords come first. */
  list(limit: number, isWanted: (name: string) => boolean): ReadonlyArray<Candidate> {
    return [...this.entries.values()]
      .filter(({ heads, name, varied }) => (heads > 0 || varied) && isPossible(name) && isWanted(name))
      .toSorted(compareEntries)
      .slice(0, limit)
      .map(({ continued, heads, name }) => ({ name, continued, heads, words: name.split(" ") }))
  }
}
