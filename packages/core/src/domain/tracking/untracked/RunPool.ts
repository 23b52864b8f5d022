/**
 * The first reading of the answers: counts words in lower case and with a capital, and collects runs of capitalised
 * words.
 */
import { type CapitalRun, listSentences, readLine, type RunWord, type WordSink } from "./capitalRuns.ts"

const slots = 1 << 20
const maxCount = 0xffff

/** Counts any number of words in 2 MB of memory: words with the same hash share a counter. */
class WordCounts {
  private readonly counts = new Uint16Array(slots)

  add(word: string): void {
    const slot = hashOf(word) % slots
    if (this.counts[slot]! < maxCount) this.counts[slot]!++
  }

  of(word: string): number {
    return this.counts[hashOf(word) % slots]!
  }
}

const hashOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** A run with counts of the ways in which it occurs. */
export interface PooledRun {
  readonly words: ReadonlyArray<RunWord>
  n: number
  first: number
  /** The run is both first and last: no other words surround it. */
  whole: number
  within: number
  article: number
  agent: number
  /** A word in lower case precedes the run, and no other name follows it. */
  middle: number
  listed: number
  listedAfter: number
  /** The numbers of the answers that contain the run, in order; at most 1,000. */
  readonly answers: Array<number>
  /** The words that follow the run where it comes first; at most 12 different words. */
  readonly after: Map<string, number>
}

/**
 * Maximum number of runs in a pool. Hostile answers produce as many as they have words; runs in the fewest answers are
 * dropped first.
 */
const maxRuns = 60_000
const maxRunsPerAnswer = 2000
const maxAnswersPerRun = 1000
const maxAfter = 12

/** Maximum number of remembered sentences, each stored by its hash. */
const maxSentences = 200_000
/** A sentence in this part of one platform's answers, and in at least this number of them, counts as boilerplate. */
const [boilerplateShare, boilerplateAnswers] = [0.3, 4]

interface SeenSentence {
  answers: number
  last: number
  /** The keyword of the answers with the sentence; -1 if there are several. */
  keyword: number
  /** The first answers that contain the sentence. */
  readonly first: Array<number>
}

const isProse = (sentence: string): boolean => {
  const small = sentence.match(/(?<!\p{L})\p{Ll}+/gu)?.length ?? 0
  return small >= 3 || (small > 0 && /[.!?]$/.test(sentence))
}

/** Collects runs. Memory is bounded: at most 60,000 runs and 200,000 sentences at once. */
export class RunPool {
  readonly lower = new WordCounts()
  readonly capital = new WordCounts()
  private readonly runs = new Map<string, PooledRun>()
  private sentences = new Map<string, SeenSentence>()
  private readonly platforms = new Map<string, number>()
  private readonly keywords: Array<number> = []
  private readonly platformNames: Array<string> = []

  /** Reads one answer; `keyword` is the number of its question. */
  add(text: string, keyword: number, platform: string): void {
    const answer = this.keywords.push(keyword) - 1
    this.platformNames.push(platform)
    const total = (this.platforms.get(platform) ?? 0) + 1
    this.platforms.set(platform, total)
    let runs = 0
    const sink: WordSink = {
      lower: (word, next) => {
        this.lower.add(word)
        if (next !== undefined) this.lower.add(`${word} ${next}`)
      },
      capital: (word) => this.capital.add(word),
      run: (run) => {
        if (runs++ < maxRunsPerAnswer) this.note(run, answer)
      }
    }
    for (const sentences of listSentences(text)) {
      const own = sentences.filter((sentence) => !this.isBoilerplate(sentence.trim(), platform, answer, total))
      if (own.length > 0) readLine(own.join(" "), sink)
    }
  }

  keywordOf(answer: number): number {
    return this.keywords[answer]!
  }

  platformOf(answer: number): string {
    return this.platformNames[answer]!
  }

  get counts(): { readonly answers: number; readonly keywords: number; readonly platforms: number } {
    return { answers: this.keywords.length, keywords: new Set(this.keywords).size, platforms: this.platforms.size }
  }

  list(): Iterable<PooledRun> {
    return this.runs.values()
  }

  /** Whether enough answers of the platform share the sentence for it to count as boilerplate, such as a footer. */
  private isBoilerplate(sentence: string, platform: string, answer: number, total: number): boolean {
    if (sentence.length > 600 || !isProse(sentence)) return false
    const key = `${platform} ${hashOf(sentence).toString(36)}${sentence.length}`
    let seen = this.sentences.get(key)
    if (seen === undefined) {
      if (this.sentences.size >= maxSentences) this.sentences.clear()
      this.sentences.set(key, seen = { answers: 0, last: -1, keyword: this.keywords[answer]!, first: [] })
    }
    if (seen.last !== answer) {
      seen.last = answer
      seen.answers++
      if (seen.keyword !== this.keywords[answer]) seen.keyword = -1
      if (seen.first.length < maxAnswersPerRun) seen.first.push(answer)
    }
    if (seen.keyword !== -1 || seen.answers < Math.max(boilerplateAnswers, boilerplateShare * total)) return false
    this.forget(sentence, seen.first.splice(0))
    return true
  }

  /** Subtracts the runs of a sentence that were counted before it was known to be boilerplate. */
  private forget(sentence: string, answers: ReadonlyArray<number>): void {
    if (answers.length < 2) return
    const gone = new Set(answers)
    readLine(sentence, {
      lower: () => {},
      capital: () => {},
      run: ({ words }) => {
        const key = keyOf(words)
        const pooled = this.runs.get(key)
        if (pooled === undefined) return
        pooled.n -= gone.size - 1
        const kept = pooled.answers.filter((one) => !gone.has(one))
        pooled.answers.splice(0, pooled.answers.length, ...kept)
        if (pooled.n <= 0 || kept.length === 0) this.runs.delete(key)
      }
    })
  }

  private note(run: CapitalRun, answer: number): void {
    const key = keyOf(run.words)
    let pooled = this.runs.get(key)
    if (pooled === undefined) {
      if (this.runs.size >= maxRuns) this.prune()
      this.runs.set(key, pooled = newRun(run.words))
    }
    pooled.n++
    pooled.first += Number(run.isFirst)
    pooled.whole += Number(run.isFirst && run.isLast)
    pooled.within += Number(run.isWithin)
    pooled.article += Number(run.hasArticle)
    pooled.agent += Number(run.hasAgent)
    pooled.middle += Number(run.isWithin && run.endsName)
    pooled.listed += Number(run.isListedAfter || run.isListedBefore)
    pooled.listedAfter += Number(run.isListedAfter)
    if (pooled.answers.at(-1) !== answer && pooled.answers.length < maxAnswersPerRun) pooled.answers.push(answer)
    if (run.isFirst && (pooled.after.size < maxAfter || pooled.after.has(run.after))) {
      pooled.after.set(run.after, (pooled.after.get(run.after) ?? 0) + 1)
    }
  }

  /** Drops the half of the runs that occur in the fewest answers. */
  private prune(): void {
    const kept = [...this.runs].toSorted(([, a], [, b]) => b.answers.length - a.answers.length || b.n - a.n)
    this.runs.clear()
    for (const [key, run] of kept.slice(0, maxRuns / 2)) this.runs.set(key, run)
  }
}

const keyOf = (words: ReadonlyArray<RunWord>): string => words.map(({ text }) => text).join(" ")

const newRun = (words: ReadonlyArray<RunWord>): PooledRun => ({
  words,
  n: 0,
  first: 0,
  whole: 0,
  within: 0,
  article: 0,
  agent: 0,
  middle: 0,
  listed: 0,
  listedAfter: 0,
  answers: [],
  after: new Map()
})
