/** Finds questions that ask the same thing in different words (docs/measuring.md, section "Topics"). */
import type { KeywordId } from "../ids.ts"
import type { Keyword } from "../tracking/Keyword.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { askingPhrases, isAskingWord } from "./askingWords.ts"

/** The minimum similarity of two questions with the same topic. */
const alike = 0.7
/** Topics are joined while the mean similarity of their questions is at least this part of `alike`. */
const linkage = 0.85
/** The part of a word's weight that its stem has; the word's character trigrams share the rest. */
const stemWeight = 0.3
/**
 * The number of a question's rarest features that are used to find candidates, and the number of most similar
 * candidates that are considered.
 */
const [rarestFeatures, nearest] = [12, 20]

const foldQuestion = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFD").replace(
    /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu,
    ""
  ).normalize("NFC").replace(/['’]/gu, "").replaceAll("ё", "е")

const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const partsWithoutSpaces =
  /\p{Script=Han}+|\p{Script=Katakana}[\p{Script=Katakana}ー]*|\p{Script=Thai}+|\p{Script=Latin}+/gu

/**
 * Represents a question as a unit vector of its numbers, and of the stems and trigrams (bigrams in scripts without
 * spaces) of the words that say what is asked for.
 */
const findFeatures = (text: string): ReadonlyMap<string, number> => {
  const vector = new Map<string, number>()
  const add = (key: string, weight: number) => vector.set(key, (vector.get(key) ?? 0) + weight)
  const words = foldQuestion(text).replace(askingPhrases, " ").match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
  const telling = words.filter((word) => !isAskingWord(word))
  for (const word of telling.length > 0 ? telling : words) {
    if (/^\p{N}/u.test(word)) {
      add(`#${word}`, 1)
      continue
    }
    const joined = withoutSpaces.test(word)
    for (const part of joined ? word.match(partsWithoutSpaces) ?? [word] : [word]) {
      const framed = joined ? part : `^${part}$`
      const size = joined ? 2 : 3
      const grams = Math.max(1, framed.length - size + 1)
      add(joined ? part : part.slice(0, Math.max(4, part.length - 2)), stemWeight)
      for (let i = 0; i < grams; i++) add(`~${framed.slice(i, i + size)}`, (1 - stemWeight) / Math.sqrt(grams))
    }
  }
  const norm = Math.hypot(...vector.values())
  return new Map([...vector].map(([key, weight]) => [key, weight / norm]))
}

const likeness = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number => {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let total = 0
  for (const [key, weight] of small) total += weight * (large.get(key) ?? 0)
  return total
}

/** The numbers in a question, in order. */
const numbersIn = (vector: ReadonlyMap<string, number>): ReadonlyArray<string> =>
  [...vector.keys()].filter((key) => key.startsWith("#"))

/** "Best laptop under 500 in 2026" and "best laptop under 900 in 2026" are different questions. */
const areOtherNumbers = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  const [fewer, more] = a.length < b.length ? [a, b] : [b, a]
  return !fewer.every((number) => more.includes(number))
}

/** Pairs of similar questions, most similar first; the questions of a pair share a rare feature. */
const findPairs = (vectors: ReadonlyArray<ReadonlyMap<string, number>>) => {
  const places = new Map<string, Array<number>>()
  vectors.forEach((vector, i) => {
    for (const key of vector.keys()) {
      const own = places.get(key)
      if (own === undefined) places.set(key, [i])
      else own.push(i)
    }
  })
  const most = Math.max(50, Math.sqrt(vectors.length))
  return vectors.flatMap((vector, i) => {
    const lists = [...vector.keys()].map((key) => places.get(key)!).toSorted((a, b) => a.length - b.length)
    const candidates = new Set<number>()
    lists.slice(0, rarestFeatures).forEach((list, rank) => {
      const next = list.indexOf(i) + 1
      if (list.length <= most || rank < 3) { for (const j of list.slice(next, next + 2 * most)) candidates.add(j) }
    })
    return [...candidates].map((j) => ({ i, j, likeness: likeness(vector, vectors[j]!) }))
      .filter((pair) => pair.likeness >= alike)
      .toSorted((a, b) => b.likeness - a.likeness).slice(0, nearest)
  }).toSorted((a, b) => b.likeness - a.likeness || a.i - b.i || a.j - b.j)
}

const joinAlike = (
  keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>,
  decided: NonNullable<TrackedSet["topics"]>
): ReadonlyMap<KeywordId, string> => {
  const vectors = keywords.map(({ text }) => findFeatures(text))
  const places = new Map(keywords.map(({ id }, i) => [id, i]))
  const topics = vectors.map((vector, i) => ({
    members: [i],
    sum: new Map(vector),
    numbers: [numbersIn(vector)],
    decided: false
  }))
  const join = (one: typeof topics[number], other: typeof topics[number]) => {
    for (const [key, weight] of other.sum) one.sum.set(key, (one.sum.get(key) ?? 0) + weight)
    for (const member of other.members) topics[member] = one
    one.members.push(...other.members)
    one.decided ||= other.decided
    // Each set of numbers is added only once
    one.numbers.push(...other.numbers.filter((set) => !one.numbers.some((known) => known.join() === set.join())))
  }
  for (const ids of decided) {
    const [first, ...others] = ids.flatMap((id) => places.get(id) ?? [])
    if (first === undefined) continue
    topics[first]!.decided = true
    for (const other of others) {
      // A report from another installation may repeat an id
      if (topics[first] !== topics[other]) join(topics[first]!, topics[other]!)
    }
  }
  for (const { i, j } of findPairs(vectors)) {
    const [one, other] = [topics[i]!, topics[j]!]
    // Two topics that people decided are never joined
    if (one === other || (one.decided && other.decided)) continue
    if (likeness(one.sum, other.sum) < linkage * alike * one.members.length * other.members.length) continue
    if (one.numbers.some((a) => other.numbers.some((b) => areOtherNumbers(a, b)))) continue
    join(one, other)
  }
  return new Map(
    topics.flatMap(({ members }, i) =>
      members.length < 2 ? [] : [[keywords[i]!.id, keywords[members[0]!]!.id] as const]
    )
  )
}

/** The latest results by ids and texts, because a scan that completes needs the same result several times. */
const known = new Map<string, ReadonlyMap<KeywordId, string>>()
const maxKnown = 8

/**
 * Finds the topics of keywords that share one with others; every other keyword is its own topic. The most similar
 * questions are joined first, while the questions of both sides are similar on average (average linkage). The result
 * depends only on the texts, not on their order. Topics that people decided (`topics` of the tracked set) stay as they
 * are, except that undecided keywords may join them.
 */
export const findTopics = (
  keywords: Iterable<Pick<Keyword, "id" | "text">>,
  { topics: decided = [] }: Pick<TrackedSet, "topics">
): ReadonlyMap<KeywordId, string> => {
  const sorted = [...keywords].toSorted((a, b) => a.text < b.text ? -1 : a.text > b.text ? 1 : a.id < b.id ? -1 : 1)
  const key = [...sorted.map(({ id, text }) => `${id} ${text}`), ...decided.map((ids) => ids.join(" "))].join("\n")
  const found = known.get(key) ?? joinAlike(sorted, decided)
  known.delete(key)
  known.set(key, found)
  if (known.size > maxKnown) known.delete(known.keys().next().value!)
  return found
}
