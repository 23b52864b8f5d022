/** Which beginnings are names of brands: each is weighed, and the best of those that share words wins. */
import { describeName, opensModel } from "./describeName.ts"
import { largestChild, largestFront, type NameNode, nameOf, type NameTree, separator } from "./nameTree.ts"
import { firstWeights, secondWeights } from "./nameWeights.ts"
import { isDictionaryWord, isListed, isOpener } from "./words.ts"

/** A name that answers may mean a brand by. */
export interface ChosenName {
  readonly name: string
  /** How likely it is a brand's, 0–1. */
  readonly confidence: number
  /** What the answers write behind it, most often first: products, whose mentions are the maker's. */
  readonly products: ReadonlyArray<string>
}

/** A beginning with its numbers. */
interface RatedNode {
  readonly node: NameNode
  /** The members of `describeName`, and how what follows it as a head speaks for it (log-likelihood ratio). */
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
 * What follows the heads of likely brands in these answers ("A light …"), and what follows other heads ("Look for …"),
 * learned from a first guess.
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
      // Without itself
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

/** The beginnings with their numbers. */
const rateNodes = (tree: NameTree): ReadonlyArray<RatedNode> => {
  const described = tree.nodes.map((node) => ({ node, features: describeName(node, tree) }))
  const guess = new Map(described.map(({ features, node }) => [keyOf(node), sigmoid(weigh(features, firstWeights))]))
  const followers = rateFollowers(tree, guess)
  return described.map(({ features, node }) => ({ node, features: [...features, followers.get(keyOf(node)) ?? 0] }))
}

/**
 * The whole name of which this is a beginning; undefined where it is a common word whose name cannot be told. A
 * beginning that hardly stands without its next word is part of a name: "Helly", "Consumer". A maker's only product is
 * no part of its name: it does not stand by itself, or is a coined word behind a plain one ("Ninja Foodi").
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

/** Whether it is the end of a longer name: the same word stands before it nearly always. */
const isEnd = (node: NameNode): boolean => largestFront(node) > 0.8 * node.n

const squeeze = (name: string): string => name.normalize("NFD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** The beginnings and ends of a name: "Mercedes" and "Benz" of "Mercedes-Benz". */
const listParts = (name: string): ReadonlyArray<string> => {
  const words = name.split(/[ -]/)
  return words.flatMap((_, i) => [squeeze(words.slice(0, i + 1).join("")), squeeze(words.slice(i).join(""))])
}

const maxProducts = 5

const listProducts = ({ children }: NameNode): ReadonlyArray<string> =>
  [...children.values()].filter(({ answers }) => answers.size > 1).toSorted((a, b) => b.n - a.n)
    .slice(0, maxProducts).map(nameOf)

/**
 * The least confidence of a name that is told, if only as one that is less sure: more answers have more other words.
 */
const leastConfidence = (answers: number): number => Math.min(0.33, Math.max(0.15, 0.015 * answers - 0.03))

/** The names of a tree, the likeliest first, at most `limit`; no two share a beginning, an end or their letters. */
export const chooseNames = (tree: NameTree, limit: number): ReadonlyArray<ChosenName> => {
  const rated = rateNodes(tree)
    .map(({ features, node }) => ({ node, confidence: sigmoid(weigh(features, secondWeights)) }))
    .filter(({ confidence, node }) => !isEnd(node) && confidence >= leastConfidence(tree.read.answers))
    .toSorted((a, b) => b.confidence - a.confidence || (keyOf(a.node) < keyOf(b.node) ? -1 : 1))
  const chosen: Array<ChosenName> = []
  /** Whole names, and their beginnings and ends, without what divides words. */
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
