/** Arranges the prefixes of the runs as a tree. A name is a prefix that occurs by itself. */
import type { RunWord } from "./capitalRuns.ts"
import type { PooledRun, RunPool } from "./RunPool.ts"
import { articles, hasWordEnding, isDictionaryWord, isListed, isSectionWord, joints } from "./words.ts"

/** A prefix with counts of the ways in which it occurs, over all answers. */
export interface NameNode {
  readonly words: ReadonlyArray<string>
  readonly parent: NameNode | undefined
  readonly children: Map<string, NameNode>
  readonly keywords: Set<number>
  readonly platforms: Set<string>
  readonly answers: Set<number>
  readonly spellings: Map<string, number>
  /** Words directly before the prefix in a run, with their counts. */
  readonly fronts: Map<string, number>
  n: number
  /** Number of occurrences that end their run. */
  alone: number
  heads: number
  whole: number
  middle: number
  article: number
  agent: number
  genitive: number
  listed: number
  /** Number of occurrences before a word with a digit or an inner capital, which may be a model's name. */
  model: number
}

/** Facts about words that the answers show. */
export interface WordFacts {
  /** The part of a word's occurrences in lower case, 0–1; for a word with hyphens, the minimum of its parts. */
  readonly lowShare: (word: string) => number
  /** How often words occur in lower case. */
  readonly low: (words: string) => number
  /** How certainly the word is a common word of a language, from 0 (hardly) to 1 (certainly). */
  readonly common: (word: string) => number
  /** How often the word begins a run (`starts`), and how often it occurs inside runs (`inner`). */
  readonly starts: (word: string) => number
  readonly inner: (words: string) => number
}

/** The prefixes that occur in answers to several keywords, the heads (runs at a beginning) that contain them, and facts about words. */
export interface NameTree {
  readonly nodes: ReadonlyArray<NameNode>
  readonly words: WordFacts
  /** Number of answers that were read, and of their keywords and platforms. */
  readonly read: RunPool["counts"]
  /** The first words of each head (`key`), and how often each word follows them (`after`). */
  readonly heads: ReadonlyArray<{ readonly key: string; readonly after: ReadonlyMap<string, number> }>
}

const maxNameWords = 5
const maxFronts = 3
const maxNodes = 200_000

/** Separates the words of a key, because words may contain spaces. */
export const separator = "\u0001"

const toKey = (word: string): string => word === "and" || word === "+" ? "&" : word

/** A part of a run that is added to the tree. It contains no separate joints, because these are now parts of words. */
interface Piece {
  readonly words: ReadonlyArray<RunWord>
  readonly run: Omit<PooledRun, "words">
}

/** How often the names on both sides of a joint occur together, and in answers to which keywords. */
const countJoints = (pool: RunPool): ReadonlyMap<string, { n: number; readonly keywords: Set<number> }> => {
  const counts = new Map<string, { n: number; readonly keywords: Set<number> }>()
  for (const { answers, n, words } of pool.list()) {
    for (const { from, to } of listJoints(words)) {
      const key = jointKey(words, from, to)
      let count = counts.get(key)
      if (count === undefined) counts.set(key, count = { n: 0, keywords: new Set() })
      count.n += n
      for (const answer of answers) count.keywords.add(pool.keywordOf(answer))
    }
  }
  return counts
}

/** The indexes of the names on both sides of each joint. */
const listJoints = (words: ReadonlyArray<RunWord>): ReadonlyArray<{ readonly from: number; readonly to: number }> => {
  const found: Array<{ readonly from: number; readonly to: number }> = []
  let from = 0
  words.forEach(({ isName, lower }, at) => {
    const isJoint = !isName && joints.has(lower)
    if (isJoint) return
    if (at > from + 1) found.push({ from, to: at })
    from = at
  })
  return found
}

const jointKey = (words: ReadonlyArray<RunWord>, from: number, to: number): string =>
  words.slice(from, to + 1).map(({ lower }) => toKey(lower)).join(" ")

const conjunction = /^(?:&|or|und|oder|y|o|et|ou)$/

/** Splits a run at the joints that are not parts of a name, and joins each name that contains a joint into one word. */
const splitRun = (run: PooledRun, isJoint: (key: string) => boolean): ReadonlyArray<Piece> => {
  const cuts = listJoints(run.words)
  if (cuts.length === 0) return [{ words: run.words, run }]
  const pieces: Array<{ words: Array<RunWord>; joint: string | undefined }> = [{
    words: [run.words[0]!],
    joint: undefined
  }]
  for (let i = 1; i < run.words.length; i++) {
    const last = pieces.at(-1)!
    const cut = cuts.find(({ from, to }) => from < i && i <= to)
    if (cut === undefined || cut.to === cut.from + 1) {
      last.words.push(run.words[i]!)
      continue
    }
    const own = run.words.slice(cut.from, cut.to + 1)
    const key = jointKey(run.words, cut.from, cut.to)
    if (isJoint(key)) {
      const left = last.words.pop()!
      const [text, lower] = [own.slice(1).map((one) => one.text), own.slice(1).map((one) => toKey(one.lower))]
      last.words.push({ isName: true, text: [left.text, ...text].join(" "), lower: [left.lower, ...lower].join(" ") })
    } else pieces.push({ words: [run.words[cut.to]!], joint: toKey(own.at(-2)!.lower) })
    i = cut.to
  }
  return pieces.map(({ joint, words }, i): Piece => {
    const isEnd = i === pieces.length - 1
    if (joint === undefined) {
      return { words, run: isEnd ? run : { ...run, whole: 0, middle: run.within, listed: run.listedAfter } }
    }
    const isList = conjunction.test(joint)
    return {
      words,
      run: {
        ...run,
        first: 0,
        whole: 0,
        within: run.n,
        middle: run.n,
        article: articles.has(joint) ? run.n : 0,
        agent: isList ? run.n : 0,
        listed: isList ? run.n : isEnd ? run.listed - run.listedAfter : 0,
        after: new Map()
      }
    }
  })
}

const addTo = (into: Map<string, number>, key: string, times: number): void => {
  into.set(key, (into.get(key) ?? 0) + times)
}

const makeNode = (words: ReadonlyArray<string>, parent: NameNode | undefined): NameNode => ({
  words,
  parent,
  children: new Map(),
  keywords: new Set(),
  platforms: new Set(),
  answers: new Set(),
  spellings: new Map(),
  fronts: new Map(),
  n: 0,
  alone: 0,
  heads: 0,
  whole: 0,
  middle: 0,
  article: 0,
  agent: 0,
  genitive: 0,
  listed: 0,
  model: 0
})

/** Computes facts about words from the counts of the first reading. */
const rateWords = ({ capital, lower }: RunPool): Pick<WordFacts, "common" | "low" | "lowShare"> => {
  const rated = new Map<string, number>()
  const lowShare = (word: string): number => {
    const parts = word.replace(/'s?$/, "").split(/[- ]/).filter((part) => !joints.has(part))
    return Math.min(1, ...parts.map((part) => lower.of(part) / (lower.of(part) + capital.of(part) + 1)))
  }
  const rate = (word: string): number => {
    if (isListed(word) || /^[\d.,%+]+$/.test(word)) return 1
    const low = lowShare(word)
    const isKnown = hasWordEnding(word) || isDictionaryWord(word.replace(/'s?$/, ""))
    return low > 0.3 ? 1 : low > 0.05 ? (isKnown ? 0.9 : 0.5) : isKnown ? 0.45 : 0
  }
  return {
    lowShare,
    low: (words) => lower.of(words),
    common: (word) => {
      let found = rated.get(word)
      if (found === undefined) rated.set(word, found = rate(word))
      return found
    }
  }
}

/** Builds the tree from the runs of a pool. */
export const buildNameTree = (pool: RunPool): NameTree => {
  const facts = rateWords(pool)
  const counts = countJoints(pool)
  const isJoint = (key: string): boolean => {
    const { keywords, n } = counts.get(key)!
    const words = key.split(" ")
    const share = key.includes(" & ") ? 0.3 : 0.4
    const isBound = (word: string): boolean => n >= share * pool.capital.of(word)
    return keywords.size > 1 && isBound(words[0]!) && isBound(words.at(-1)!)
  }
  const roots = new Map<string, NameNode>()
  const [starts, inner] = [new Map<string, number>(), new Map<string, number>()]
  const heads = new Map<string, Map<string, number>>()
  let size = 0

  /** The key of a word, without a genitive ending that is not part of the name. */
  const keyOf = ({ lower }: RunWord): string => {
    const isGenitive = lower.endsWith("'s") && 3 * pool.capital.of(lower.slice(0, -2)) > pool.capital.of(lower)
    return toKey(isGenitive ? lower.slice(0, -2) : lower)
  }
  const note = ({ run, words }: Piece, start: number): void => {
    let node: NameNode | undefined
    let into = roots
    for (let end = start; end < Math.min(words.length, start + maxNameWords); end++) {
      const key = keyOf(words[end]!)
      let child = into.get(key)
      if (child === undefined) {
        if (size++ > maxNodes) return
        into.set(key, child = makeNode([...node?.words ?? [], key], node))
      }
      node = child
      into = node.children
      const isEnd = end === words.length - 1
      const isGenitive = key !== toKey(words[end]!.lower)
      node.n += run.n
      for (const answer of run.answers) {
        node.answers.add(answer)
        node.keywords.add(pool.keywordOf(answer))
        node.platforms.add(pool.platformOf(answer))
      }
      const text = words.slice(start, end + 1).map((one) => one.text).join(" ")
      addTo(node.spellings, isGenitive ? text.slice(0, -2) : text, run.n)
      if (isGenitive) node.genitive += run.n
      if (isEnd) node.alone += run.n
      else if (/\d|\p{Ll}\p{Lu}/u.test(words[end + 1]!.text)) node.model += run.n
      if (start > 0) {
        addTo(node.fronts, words[start - 1]!.lower, run.n)
        continue
      }
      node.heads += run.first
      node.article += run.article
      node.agent += run.agent
      if (!isEnd) continue
      node.whole += run.whole
      node.middle += run.middle
      node.listed += run.listed
    }
  }
  const plant = (piece: Piece): void => {
    const { run, words } = piece
    let from = -1
    words.forEach(({ isName, lower }, start) => {
      if (words.slice(0, start).some((one) => facts.common(one.lower) < 0.9)) {
        if (!isName) return
        addTo(inner, lower, run.n)
        if (words[start + 1] !== undefined) addTo(inner, `${lower} ${toKey(words[start + 1]!.lower)}`, run.n)
        return
      }
      if (start > maxFronts || !isName || (articles.has(lower) && words.length > start + 1)) return
      if (from < 0) from = start
      addTo(starts, lower, run.n)
      note(piece, start)
    })
    if (from < 0 || run.first === 0) return
    const key = words.slice(from, from + 4).map(({ lower }) => toKey(lower)).join(separator)
    const after = heads.get(key) ?? new Map<string, number>()
    for (const [word, times] of run.after) addTo(after, word, times)
    heads.set(key, after)
  }
  for (const run of pool.list()) for (const piece of splitRun(run, isJoint)) plant(piece)

  const nodes: Array<NameNode> = []
  const visit = (node: NameNode): void => {
    if (node.keywords.size < 2) return
    if (!node.words.every(isListed)) nodes.push(node)
    for (const child of node.children.values()) visit(child)
  }
  for (const node of roots.values()) visit(node)
  return {
    nodes,
    read: pool.counts,
    words: { ...facts, starts: (word) => starts.get(word) ?? 0, inner: (words) => inner.get(words) ?? 0 },
    heads: [...heads].map(([key, after]) => ({ key, after }))
  }
}

/** The child with most of the occurrences. */
export const largestChild = ({ children }: NameNode): NameNode | undefined => {
  let found: NameNode | undefined
  for (const child of children.values()) if (found === undefined || child.n > found.n) found = child
  return found
}

const largest = (counts: ReadonlyMap<string, number>): readonly [string, number] => {
  let found: readonly [string, number] = ["", 0]
  for (const one of counts) if (one[1] > found[1]) found = one
  return found
}

/** The name in its most frequent spelling, with the article that usually precedes it. */
export const nameOf = ({ fronts, n, spellings }: NameNode): string => {
  const [name] = largest(spellings)
  const [front, times] = largest(fronts)
  return articles.has(front) && times > 0.6 * n ? `${front[0]!.toUpperCase()}${front.slice(1)} ${name}` : name
}

/** How often the most frequent word before it occurs, apart from articles and section words. */
export const largestFront = ({ fronts }: NameNode): number => {
  let found = 0
  for (const [word, times] of fronts) if (!articles.has(word) && !isSectionWord(word)) found = Math.max(found, times)
  return found
}
