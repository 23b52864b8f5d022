/** Splits an answer into sentences, and finds the runs of capitalised words in them. */
import { agents, articles, isOddlyWritten, joints } from "./words.ts"

/** A word of a run. */
export interface RunWord {
  readonly text: string
  readonly lower: string
  /** Whether the word is written as a name; otherwise it is a joint ("of") or a number. */
  readonly isName: boolean
}

/** Capitalised words in a row, with joints between them, and their surroundings in the sentence. */
export interface CapitalRun {
  readonly words: ReadonlyArray<RunWord>
  /** The run begins a sentence, an item or a cell, or is part of its beginning (a head). */
  readonly isFirst: boolean
  /** Nothing follows the run in its sentence. */
  readonly isLast: boolean
  /**
   * A word in lower case precedes the run. `hasArticle`: it is an article; `hasAgent`: it is one of `agents`, which
   * precede makers and sellers.
   */
  readonly isWithin: boolean
  readonly hasArticle: boolean
  readonly hasAgent: boolean
  /** No other name directly follows. */
  readonly endsName: boolean
  /** Whether the words before the run, or those after it (`isListedBefore`), list it with other names. */
  readonly isListedAfter: boolean
  readonly isListedBefore: boolean
  /** The word after the run, with every digit replaced by 0. */
  readonly after: string
}

/** Receives the words and runs of a line. */
export interface WordSink {
  /** A word that is not a name, with the next word if that is not a name either. */
  lower(word: string, next: string | undefined): void
  /** A word that is written as a name. */
  capital(word: string): void
  run(run: CapitalRun): void
}

const clean = (text: string): string =>
  text.replace(/^[ \t]{0,8}\[\d+\]:.*$/gm, "")
    .replace(/\(?(?:\[[^[\]\n]{0,80}\]\[\d{1,4}\](?:,\s?)?){1,20}\)?/g, " ")
    .replace(/\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,1000}(?:\s"[^"\n]{0,300}")?\)/g, "]")
    .replace(/!?\[([^[\]\n]{0,400})\]/g, "\u0002$1\u0003")
    .replace(/https?:\/\/\S+/g, " ").replace(/&#x20;|&nbsp;/g, " ").replace(/&amp;/g, "&")
    .replace(/\\([\p{P}\p{S}])/gu, "$1")
    .replace(/[’‘`´]/g, "'").replace(/[®™©℠]/g, "").replace(/\*\*|__/g, "\u0004").replace(/[“”„«»"]/g, " \" ")
    // Separates the words in "price point.Columbia" and "(35)Flylow"
    .replace(/([\p{Ll}\d)\]'+%])([.!?:;])(?=\p{Lu})/gu, "$1$2 ").replace(/\)(?=[\p{Lu}\p{N}])/gu, ") \n")
    .replace(/(\d)(?=\p{Lu}\p{Ll}+\s)/gu, "$1 ").replace(/\p{Extended_Pictographic}\uFE0F?/gu, " ")

/** The lines of an answer, without web addresses, each as a list of sentences. */
export const listSentences = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  clean(text).split("\n").map((line) => line.split(/(?<=[.!?])\s/))

/** `gap`: 0 after a space, 1 after a mark within a sentence, 2 at the beginning of a sentence, item or cell. */
interface Token extends RunWord {
  readonly gap: 0 | 1 | 2
  readonly isHead: boolean
  /** The punctuation mark before the word; "low" after a word that is not a name. */
  readonly mark: string
}

const pattern =
  /[\u0002-\u0004]|\d+(?:[.,]\d+)+|[\p{Script=Katakana}ー]{2,}|[\p{Script=Han}\p{Script=Hiragana}]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}]+(?:['.&*+-][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{M}]+)*(?:(?<=s)'(?=\s\p{Lu})|\+)?|\S/gu
const nameLike = /^(?:\p{Lu}|\d+\p{Lu}|\p{Ll}{1,3}\p{Lu}|\p{Script=Katakana}{3})|^\p{Ll}\d/u
const lineMarks = /^\s*(?:>\s*)?(?:#{1,6}\s+|[-*+•·|]\s*|\d{1,3}[.)]\s+|<<)*/u
const stop = /[.!?:;|•·–—"。！？：]/u

const tokenize = (line: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  let gap: 0 | 1 | 2 = 2
  let isHead = true
  let mark = ""
  let end = 0
  let isBold = false
  const body = line.replace(lineMarks, "")
  for (const match of body.matchAll(pattern)) {
    const text = match[0]
    if (/^[\u0002-\u0004]$/.test(text)) {
      if (text === "\u0002" || (text === "\u0004" && (isBold = !isBold))) {
        isHead = gap === 2 || tokens.length === 0 || mark !== "low"
      }
      if (gap === 0) gap = 1
      continue
    }
    if (!/[\p{L}\p{N}]/u.test(text)) {
      if (text === "&" || text === "+") {
        tokens.push({ text, lower: "&", gap, isHead: false, isName: false, mark: text })
        gap = 0
        continue
      }
      mark = text
      if (stop.test(text) || (text === "-" && /\s/.test(body[match.index - 1] ?? " "))) {
        gap = 2
        isHead = text !== "." || isHead
      } else gap = gap === 2 ? 2 : 1
      continue
    }
    if (gap === 0 && match.index === end) gap = 1
    end = match.index + text.length
    const lower = text.toLowerCase()
    const isShouted = text.length > 1 && text === text.toUpperCase() && joints.has(lower)
    const isName = (nameLike.test(text) && !isShouted) ||
      (/^\d{1,3}$/.test(text) && gap === 2 && /^\s\p{Lu}/u.test(body.slice(end, end + 2)))
    tokens.push({ text, lower, gap, isHead: gap === 2 || (isHead && gap === 1), isName, mark })
    mark = isName ? "" : "low"
    gap = 0
  }
  return tokens
}

/** Maximum number of words in a run; longer runs are titles of works or headings. */
const maxRunWords = 9
const maxWordLength = 60
const conjunction = /^(?:and|or|&|und|oder|y|o|et|ou)$/

/** The index of the name after the joints that begin at `from`; -1 if there is no such name. */
const findJoined = (tokens: ReadonlyArray<Token>, from: number): number => {
  let at = from
  while (at < from + 2 && tokens[at]?.gap === 0 && !tokens[at]!.isName && joints.has(tokens[at]!.lower)) at++
  return at > from && tokens[at]?.isName === true && tokens[at]!.gap === 0 ? at : -1
}

const findEnd = (tokens: ReadonlyArray<Token>, start: number): number => {
  let end = start + 1
  while (end < tokens.length && end - start < maxRunWords) {
    const { gap, isName, text } = tokens[end]!
    if (gap !== 0 || text.length > maxWordLength) return end
    if (isName || /^\d/.test(text)) end++
    else {
      const joined = findJoined(tokens, end)
      if (joined === -1 || joined - start >= maxRunWords) return end
      end = joined + 1
    }
  }
  return end
}

const readRun = (tokens: ReadonlyArray<Token>, start: number, end: number): CapitalRun => {
  const { gap, isHead, mark } = tokens[start]!
  const [before, next] = [tokens[start - 1], tokens[end]]
  const lead = gap === 0 && before !== undefined && !before.isName ? before.lower : undefined
  const isLast = next === undefined || next.gap === 2
  return {
    words: tokens.slice(start, end).map(({ isName, lower, text }) => ({ isName, lower, text })),
    isFirst: gap === 2 || isHead,
    isLast,
    isWithin: lead !== undefined,
    hasArticle: lead !== undefined && articles.has(lead),
    hasAgent: lead !== undefined && agents.has(lead),
    endsName: isLast || !next.isName,
    isListedAfter: (mark === "," && gap === 1) ||
      (lead !== undefined && conjunction.test(lead) && tokens[start - 2]?.isName === true),
    isListedBefore: next?.mark === "," && next.gap === 1 && next.isName,
    after: `${next?.gap === 0 ? "~" : ""}${next?.lower.replace(/\d/g, "0").slice(0, maxWordLength) ?? ""}`
  }
}

/** Reads one line of an answer. */
export const readLine = (line: string, sink: WordSink): void => {
  const tokens = tokenize(line)
  tokens.forEach(({ isName, lower, text }, i) => {
    if (isName) return sink.capital(lower)
    const next = tokens[i + 1]
    if (next?.isName === true && next.gap === 0 && isOddlyWritten(text)) return
    sink.lower(lower, next?.isName === false && next.gap === 0 ? next.lower : undefined)
  })
  for (let i = 0; i < tokens.length; i++) {
    if (!tokens[i]!.isName || tokens[i]!.text.length > maxWordLength) continue
    const end = findEnd(tokens, i)
    sink.run(readRun(tokens, i, end))
    i = end - 1
  }
}
