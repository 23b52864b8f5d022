/**
 * Computes the features that speak for or against a prefix being a brand's name, as numbers that `nameWeights.ts`
 * weighs.
 */
import { largestChild, largestFront, type NameNode, nameOf, type NameTree, type WordFacts } from "./nameTree.ts"
import { hasWordEnding, isListed, isOddlyWritten, isOpener } from "./words.ts"

const is = (what: boolean): number => what ? 1 : 0

/** Matches a word of a model's name: `V15`, `ZenWiFi`. */
export const opensModel = /\d|\p{Ll}\p{Lu}/u

/** The occurrences of a word in runs outside this prefix, as a part of the prefix's own number; at most 1. */
const shareElsewhere = ({ inner, starts }: WordFacts, word: string, own: number): number =>
  Math.min(1, Math.max(0, (starts(word) + inner(word) - own) / own))

/**
 * How clearly a prefix hardly ever occurs alone while the longer one does, which shows that the maker's name ends
 * later.
 */
const handsOver = (from: NameNode, to: NameNode, free: number): number =>
  is(from.alone <= 0.05 * from.n && to.alone >= 0.15 * to.n && !/\d/.test(to.words.at(-1)!)) * to.n / from.n *
  (1 - free)

const isUnary = ({ alone, answers, children }: NameNode): number =>
  is(alone === 0 && children.size === 1 && answers.size > 1)

/** Features of the words themselves: known or coined, short or long, unusual or plain. */
const describeWords = (node: NameNode, facts: WordFacts, name: string): ReadonlyArray<number> => {
  const rates = node.words.map(facts.common)
  const [least, most] = [Math.min(...rates), Math.max(...rates)]
  const { length } = node.words
  const isDeep = is(length > 1)
  const seen = Math.log1p(node.middle + node.listed)
  return [
    is(least === 0),
    is(least >= 0.9),
    is(most >= 0.9),
    is(most === 0),
    is(least === 0.45),
    is(least >= 0.9) * seen,
    is(least === 0.45) * seen,
    isDeep * is(rates.at(-1)! >= 0.9),
    isDeep * is(rates.at(-1)! === 0),
    (1 - isDeep) * facts.lowShare(node.words[0]!),
    is(isOddlyWritten(name)),
    is(node.words.some(hasWordEnding)),
    is(node.words.some(isListed)),
    is(length === 2),
    is(length > 2),
    is(/^\p{Lu}{1,4}$/u.test(name)),
    is(/^\d/.test(name)),
    is(/^\p{L}{0,3}\d[\d\p{L}+]*$/u.test(name)),
    is(/-\p{Ll}/u.test(name)),
    isDeep * is(opensModel.test(name.split(" ").at(-1)!)),
    isDeep * is(/^\d/.test(node.words.at(-1)!)),
    (1 - isDeep) * is(isOpener(node.words[0]!)),
    isDeep * is(isOpener(node.words[0]!)),
    is(node.words[0]!.includes(" & ")),
    is(node.words[0]!.includes(" "))
  ]
}

/** Features of the prefix's use within sentences, at their beginning, and in lists. */
const describeUse = (node: NameNode, facts: WordFacts, read: NameTree["read"]): ReadonlyArray<number> => {
  const { agent, alone, answers, article, genitive, heads, listed, middle, model, n, whole, words } = node
  const least = Math.min(...words.map(facts.common))
  const start = words.slice(0, 2).join(" ")
  const [behind, small] = [facts.inner(start), words.length > 1 ? facts.low(start) : 0]
  return [
    Math.log1p(middle),
    Math.log1p(listed),
    Math.log1p(listed) * is(least >= 0.9),
    Math.log1p(agent + genitive),
    heads / n,
    whole / n,
    Math.log1p(whole / answers.size),
    is(least >= 0.9) * whole / n,
    is(least === 0.45) * whole / n,
    behind / (behind + n),
    model / n,
    article / n,
    node.keywords.size / read.keywords,
    node.platforms.size / read.platforms,
    answers.size / read.answers,
    Math.log1p(answers.size),
    Math.log1p(read.answers),
    alone / n,
    is(alone === 0),
    largestFront(node) / n,
    small / (small + n)
  ]
}

/** Features of the words after the prefix, and of the shorter prefix that it continues. */
const describeFamily = (node: NameNode, facts: WordFacts): ReadonlyArray<number> => {
  const { alone, article, children, n, parent, words } = node
  const child = largestChild(node)
  const word = child?.words.at(-1) ?? ""
  const beyond = child === undefined ? 0 : shareElsewhere(facts, word, child.n)
  const share = (child?.n ?? 0) / n
  const down = child === undefined ? [0, 0, 0, 0, 0, 0, 0] : [
    share * child.alone / child.n,
    share * Math.log1p(child.middle + child.listed),
    share * beyond,
    share * is(facts.common(word) === 0),
    share * is(/\d/.test(word)),
    share * child.article / child.n,
    handsOver(node, child, beyond)
  ]
  const least = Math.min(...words.map(facts.common))
  const own = [share, children.size / (n - alone + 1), isUnary(node), isUnary(node) * is(least === 0), ...down]
  if (parent === undefined) return [...own, ...Array.from({ length: 11 }, () => 0)]
  const last = words.at(-1)!
  const elsewhere = shareElsewhere(facts, last, n)
  const fromUnary = isUnary(parent)
  const isParentCoined = is(Math.min(...parent.words.map(facts.common)) === 0)
  return [
    ...own,
    elsewhere,
    n / parent.n,
    parent.alone / parent.n,
    isParentCoined,
    is(parent.alone === 0),
    is(article === 0 && alone > 0),
    fromUnary,
    fromUnary * isParentCoined,
    fromUnary * elsewhere,
    fromUnary * is(facts.common(last) === 0),
    handsOver(parent, node, elsewhere)
  ]
}

/** Computes the features of a prefix; the first one is always 1. */
export const describeName = (node: NameNode, { read, words }: NameTree): ReadonlyArray<number> => [
  1,
  ...describeWords(node, words, nameOf(node)),
  ...describeUse(node, words, read),
  ...describeFamily(node, words)
]
