/**
 * Which candidates are brands: by how they are written, what stands before and behind them, and whether they stand
 * alone.
 */
import type { Candidate } from "./NamePool.ts"
import type { Standing } from "./NameTally.ts"
import type { WordCounts } from "./WordCounts.ts"
import { isOpener } from "./wordLists.ts"

/** A candidate that was counted; `index` is its place among them. */
export interface CountedCandidate extends Candidate {
  readonly standing: Standing
  readonly index: number
}

/** A word of which so much is written in lower case is one of the language. */
const commonShare = 0.3

/** What the readings say beside the candidates. */
export interface Evidence {
  readonly words: WordCounts
  /** Whether an address in the answers has a host of this name, such as `wellsfargo`. */
  readonly isHost: (label: string) => boolean
}

const isCommon = ({ words }: Evidence, word: string): boolean => words.lowerShare(word) > commonShare

/** `GreenPan`, `De'Longhi`, `LEVEL8` */
const isOddlyWritten = (name: string): boolean => /\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}/u.test(name)

const acronym = /^\p{Lu}{1,6}s?$/u

/**
 * Whether what is known of a candidate speaks for a brand. The thresholds are those of labelled answers
 * (docs/suggestions.md).
 */
const isBrand = (evidence: Evidence, { continued, heads, name, standing, words: own }: CountedCandidate): boolean => {
  const { agent, before, behind, lower, mentions, within } = standing
  const all = mentions + lower
  if (own.length === 1 && name.length <= 3 && isOpener(name)) return false
  // Part of longer names: a product line behind its brand
  if (behind > 0.55 * mentions || lower > 0.35 * all) return false
  if (heads === 0) {
    const plain = own.some((word) => isCommon(evidence, word) || /\d/.test(word))
    return agent >= 2 && within >= 2 && !acronym.test(name) && !plain
  }
  // "RAM: 16 GB" is a feature, "LG C4 OLED" a brand
  if (acronym.test(name) && 2 * continued < heads) return false
  if (own.every((word) => isCommon(evidence, word))) {
    if (lower > 0.1 * all) return false
    return (within - behind >= 2 && (continued + before > 0 || within >= 3)) ||
      (own.length > 1 && lower === 0 && continued >= 4 && continued >= 0.9 * heads)
  }
  return isOddlyWritten(name) || 3 * (continued + before) >= heads || within > 0
}

/** Whether longer names may begin with this one word, which is none by itself. */
const opensNames = (evidence: Evidence, { words }: Candidate): boolean =>
  words.length === 1 && (isOpener(words[0]!) || isCommon(evidence, words[0]!))

const toHostLabel = (name: string): string => name.normalize("NFD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

const beginsWith = (longer: Candidate, shorter: Candidate): boolean =>
  longer !== shorter && longer.name.toLowerCase().startsWith(`${shorter.name.toLowerCase()} `)

/** How often a word is mentioned as a later part of candidates. */
const countInside = (candidates: ReadonlyArray<CountedCandidate>): ReadonlyMap<string, number> => {
  const inside = new Map<string, number>()
  for (const { standing, words } of candidates) {
    for (const word of new Set(words.slice(1))) {
      const key = word.toLowerCase()
      inside.set(key, (inside.get(key) ?? 0) + standing.mentions)
    }
  }
  return inside
}

/** A candidate's standing with that of longer ones that begin with it, and of those that it is a later part of. */
const addUp = (one: CountedCandidate, longer: ReadonlyArray<CountedCandidate>, inside: number): Standing => {
  const sum = { ...one.standing }
  for (const { standing } of longer) {
    sum.mentions += standing.mentions
    sum.lower += standing.lower
    sum.within += standing.within
    sum.behind += standing.behind
    sum.agent += standing.agent
    sum.before += standing.mentions
  }
  return { ...sum, behind: sum.behind + inside, mentions: sum.mentions + inside }
}

/**
 * The brands among candidates that begin with the same word, each once: the shortest beginning that stands by itself,
 * so that "Brooks" stands for "Brooks Ghost" and "Brooks Glycerin", but "Wells Fargo" for itself.
 */
const chooseAmong = (
  evidence: Evidence,
  candidates: ReadonlyArray<CountedCandidate>,
  inside: ReadonlyMap<string, number>
): ReadonlyArray<CountedCandidate> => {
  const chosen: Array<CountedCandidate> = []
  const settled: Array<CountedCandidate> = []
  for (const one of candidates.toSorted((a, b) => a.words.length - b.words.length)) {
    if (settled.some((shorter) => beginsWith(one, shorter))) continue
    const longer = candidates.filter((other) => beginsWith(other, one))
    const together = longer.reduce((sum, { standing }) => sum + standing.mentions, 0)
    const isPart = longer.some(({ name, words }) =>
      words.length === one.words.length + 1 && evidence.isHost(toHostLabel(name))
    )
    const opens = opensNames(evidence, one)
    if (isPart || (opens && longer.length > 0 && one.standing.mentions <= 0.2 * together)) continue
    const standing = addUp(one, longer, inside.get(one.words[0]!.toLowerCase()) ?? 0)
    const isChosen = isBrand(evidence, { ...one, standing })
    if (isChosen) chosen.push(one)
    // What begins with a word of no language is of the same brand, or of the same technology
    if (!opens || isChosen) settled.push(one)
  }
  return chosen
}

/** The brands among the candidates. */
export const chooseNames = (
  evidence: Evidence,
  candidates: ReadonlyArray<CountedCandidate>
): ReadonlyArray<CountedCandidate> => {
  const inside = countInside(candidates)
  return [...Map.groupBy(candidates, ({ words }) => words[0]!.toLowerCase()).values()]
    .flatMap((own) => chooseAmong(evidence, own, inside))
}
