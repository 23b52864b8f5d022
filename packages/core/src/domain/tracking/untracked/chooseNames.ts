/**
 * Chooses the prefixes of runs that are names of brands: each prefix is rated, and the best of those that share words
 * is chosen.
 */
import { describeName, opensModel } from "./describeName.ts"
import { largestChild, largestFront, type NameNode, nameOf, type NameTree, separator } from "./nameTree.ts"
import { firstWeights, secondWeights } from "./nameWeights.ts"
import { isDictionaryWord, isListed, isOpener } from "./words.ts"

/** A name by which answers may mean a brand. */
export interface ChosenName {
  readonly name: string
  /** The probability that this is the name of a brand, 0–1. */
  readonly confidence: number
  /**
   * Words that answers write after the name, most frequent first: products, whose mentions count as mentions of the
   * maker.
   */
  readonly products: ReadonlyArray<string>
}

/** A prefix with its features. */
interface RatedNode {
  readonly node: NameNode
  /**
   * The features of `describeName`, and how strongly the words after the prefix at the beginning of a
   * sentence or item suggest a brand
   * (log-likelihood ratio).
   */
  readonly features: ReadonlyArray<number>
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const weigh = (features: ReadonlyArray<number>, weights: ReadonlyArray<number>): number =>
  features.reduce((sum, x, i) => sum + x * weights[i]!, 0)

const keyOf = ({ words }: NameNode): string => words.join(separator)

const beginningsOf = (key: string): ReadonlyArray<string> => {
  const words = key.split(separator)
  return words.map((_, i) => words.slice(0, i + 1).join(separator))
}

/**
 * Rates each prefix of the heads (runs at the beginning of a sentence or item) by the words that follow them: some
 * words follow likely brands ("A light …"), others follow other runs ("Look for …"). `guess` says how likely each
 * prefix is a brand.
 */
const rateFollowers = ({ heads }: NameTree, guess: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const known = heads.map(({ after, key }) => ({
    after,
    beginnings: beginningsOf(key),
    chance: beginningsOf(key).reduce((max, one) => Math.max(max, guess.get(one) ?? 0), 0)
  }))
  const counts = new Map<string, readonly [likely: number, all: number]>()
  let [likely, all] = [2, 4]
  for (const { after, chance } of known) {
    for (const [word, times] of after) {
      const [own, total] = counts.get(word) ?? [0, 0]
      counts.set(word, [own + chance * times, total + times])
      likely += chance * times
      all += times
    }
  }
  const sums = new Map<string, readonly [value: number, times: number]>()
  for (const { after, beginnings, chance } of known) {
    for (const [word, times] of after) {
      const [own, total] = counts.get(word)!
      // Leaves this head itself out
      const [yes, no] = [own - chance, total - own - 1 + chance]
      const value = Math.log((yes + 0.5) / (likely - chance)) - Math.log((no + 0.5) / (all - likely - 1 + chance))
      for (const one of beginnings) {
        const [sum, count] = sums.get(one) ?? [0, 0]
        sums.set(one, [sum + value * times, count + times])
      }
    }
  }
  return new Map([...sums].map(([key, [value, times]]) => [key, value / times]))
}

/** Computes the features of all prefixes. */
const rateNodes = (tree: NameTree): ReadonlyArray<RatedNode> => {
  const described = tree.nodes.map((node) => ({ node, features: describeName(node, tree) }))
  const guess = new Map(described.map(({ features, node }) => [keyOf(node), sigmoid(weigh(features, firstWeights))]))
  const followers = rateFollowers(tree, guess)
  return described.map(({ features, node }) => ({ node, features: [...features, followers.get(keyOf(node)) ?? 0] }))
}

/**
 * The whole name that this prefix belongs to; undefined for a common word whose whole name is unknown. A prefix that
 * rarely occurs without its next word is part of a name: "Helly", "Consumer". A maker's only product is not part of the
 * maker's name: it does not occur alone, or is a coined word after a plain one ("Ninja Foodi").
 */
const complete = (node: NameNode, { words }: NameTree): NameNode | undefined => {
  const next = largestChild(node)
  const word = next?.words.at(-1) ?? ""
  if (
    next === undefined || node.alone > 0.05 * node.n || next.n < 0.6 * node.n ||
    opensModel.test(nameOf(next).split(" ").at(-1)!)
  ) {
    return node
  }
  if (node.words.at(-1)!.endsWith("'s")) return next
  const isNamed = node.words.every(isOpener)
  const isPlain = node.words.every(isDictionaryWord)
  const free = words.starts(word) + words.inner(word) - next.n
  if (isPlain && !isNamed && words.common(word) === 0) return node
  if (isPlain && next.n >= 0.8 * node.n && next.alone >= 0.3 * next.n && !isListed(word)) return next
  const isBound = free <= (isPlain || isNamed ? 0.5 : 0.1) * next.n && words.common(word) < 0.9
  const standsAlone = next.alone >= 0.1 * next.n || (largestChild(next)?.n ?? 0) <= 0.75 * next.n
  const isSeen = isPlain || isNamed || (node.alone === 0 && next.article === 0 && next.middle + next.listed > 0)
  if (isBound && standsAlone && isSeen && next.answers.size > 1) return next
  return isPlain && next.n > 0.9 * node.n ? undefined : node
}

/** Whether the prefix is the end of a longer name, because the same word nearly always precedes it. */
const isEnd = (node: NameNode): boolean => largestFront(node) > 0.8 * node.n

const squeeze = (name: string): string => name.normalize("NFD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Lists the prefixes and suffixes of a name: "Mercedes" and "Benz" of "Mercedes-Benz". */
const listParts = (name: string): ReadonlyArray<string> => {
  const words = name.split(/[ -]/)
  return words.flatMap((_, i) => [squeeze(words.slice(0, i + 1).join("")), squeeze(words.slice(i).join(""))])
}

const maxProducts = 5

const listProducts = ({ children }: NameNode): ReadonlyArray<string> =>
  [...children.values()].filter(({ answers }) => answers.size > 1).toSorted((a, b) => b.n - a.n)
    .slice(0, maxProducts).map(nameOf)

/**
 * Minimum confidence of a listed name, even of a less sure one. It rises with the number of answers, because more
 * answers contain more other words.
 */
const leastConfidence = (answers: number): number => Math.min(0.33, Math.max(0.15, 0.015 * answers - 0.03))

/** The names in a tree, likeliest first, at most `limit`. No two share a prefix, a suffix or their letters. */
export const chooseNames = (tree: NameTree, limit: number): ReadonlyArray<ChosenName> => {
  const rated = rateNodes(tree)
    .map(({ features, node }) => ({ node, confidence: sigmoid(weigh(features, secondWeights)) }))
    .filter(({ confidence, node }) => !isEnd(node) && confidence >= leastConfidence(tree.read.answers))
    .toSorted((a, b) => b.confidence - a.confidence || (keyOf(a.node) < keyOf(b.node) ? -1 : 1))
  const chosen: Array<ChosenName> = []
  /** Whole names, and their prefixes and suffixes, without separators. */
  const taken = { whole: new Set<string>(), parts: new Set<string>() }
  for (const { confidence, node } of rated) {
    if (chosen.length >= limit) break
    const whole = complete(node, tree)
    if (whole === undefined) continue
    const name = nameOf(whole)
    const parts = [...listParts(name), ...listParts(whole.words.join(" "))]
    if (taken.parts.has(squeeze(name)) || parts.some((part) => taken.whole.has(part))) continue
    for (const part of [...parts, squeeze(nameOf(node))]) taken.parts.add(part)
    taken.whole.add(squeeze(name)).add(squeeze(whole.words.join(" ")))
    chosen.push({ name, confidence, products: listProducts(whole) })
  }
  return chosen
}
