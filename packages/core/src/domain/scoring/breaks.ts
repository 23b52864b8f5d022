/**
 * Breaks in the series of a platform: another model answers, or the platform is asked differently (docs/measuring.md).
 */
import { oneLine } from "../oneLine.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { SentMarket } from "../platforms/surface.ts"
import { type AnswerOrigin, type ScoredRow, sum } from "./cells.ts"

/** Answers of a platform in one scan that share their origin. */
export interface Origin extends AnswerOrigin {
  readonly platform: PlatformId
  readonly answers: number
}

const known = (part: string | null | undefined): string => part == null ? "" : `=${part}`

/** The origins of answers, with the number of answers of each; rows without an origin are skipped. */
export const listOrigins = (rows: ReadonlyArray<Pick<ScoredRow, "origin" | "platform">>): ReadonlyArray<Origin> => {
  const found = new Map<string, { -readonly [K in keyof Origin]: Origin[K] }>()
  for (const { origin, platform } of rows) {
    if (origin === undefined) continue
    // Only the model, at the end, may contain a space
    const key = `${platform} ${known(origin.search)} ${known(origin.sent)}\n${known(origin.model)}`
    const one = found.get(key)
    if (one === undefined) found.set(key, { platform, ...origin, answers: 1 })
    else one.answers++
  }
  return [...found.values()]
}

export const breakReasons = ["model", "search", "engine", "market", "persona"] as const

/** Maximum length of the list of names of a break, in UTF-16 code units; longer lists are truncated. */
export const maxBreakNames = 1000

/** A change on a platform between two scans, whose answers are then not compared. */
export interface Break {
  readonly platform: PlatformId
  readonly reason: typeof breakReasons[number]
  /** The names of the models, search modes, engines, markets or personas, joined by " and ". */
  readonly before: string
  readonly after: string
}

/** A model with a smaller part of a platform's answers is not named, and a smaller difference is not a break. */
const minPart = 0.1
/** An origin that has at least this part of the answers in one scan and no answer in the other is always a break. */
const mainPart = 0.5
/** Quantile 0.99 of the chi-squared distribution with one degree of freedom. */
const beyondChance = 6.63

/** Number of answers of each origin, and in total. */
interface Tally {
  readonly answers: ReadonlyMap<string, number>
  readonly total: number
}

/** The part of an origin that a reason concerns, such as its model; null if unknown. */
const partOf = ({ model, search, sent }: Origin, reason: Break["reason"]): string | null => {
  if (reason === "model") return model
  if (reason === "search") return search
  if (sent == null) return null
  const market = JSON.parse(sent) as SentMarket | null
  if (reason === "engine") return market?.search_engine ?? "the provider's own"
  if (reason === "persona") return market?.persona ?? "none"
  return [market?.country, market?.place, market?.language].filter((part) => part != null).join(", ") || "none"
}

const tally = (origins: ReadonlyArray<Origin>, reason: Break["reason"]): Tally => {
  const known = origins.filter((origin) => partOf(origin, reason) !== null)
  const byName = Map.groupBy(known, (origin) => partOf(origin, reason)!)
  return {
    answers: new Map([...byName].map(([name, own]) => [name, sum(own.map(({ answers }) => answers))])),
    total: sum(known.map(({ answers }) => answers))
  }
}

/**
 * Whether two shares differ by more than chance, by the test of two proportions with Yates' correction. Providers may
 * distribute requests among models, so that each model's share varies from scan to scan although nothing has changed.
 */
const differ = (a: number, ofA: number, b: number, ofB: number): boolean => {
  const [p, q, noise] = [a / ofA, b / ofB, 1 / ofA + 1 / ofB]
  if ((p >= mainPart && b === 0) || (q >= mainPart && a === 0)) return true
  const pooled = (a + b) / (ofA + ofB)
  const beyond = Math.max(0, Math.abs(p - q) - noise / 2)
  return Math.abs(p - q) >= minPart && beyond ** 2 > beyondChance * pooled * (1 - pooled) * noise
}

/**
 * Whether the answers have a different origin: the scans have no common origin, or a share differs by more than chance.
 */
const isBreak = (before: Tally, after: Tally): boolean => {
  if (before.total === 0 || after.total === 0) return false
  const names = new Set([...before.answers.keys(), ...after.answers.keys()])
  const counts = [...names].map((name) => [before.answers.get(name) ?? 0, after.answers.get(name) ?? 0] as const)
  return counts.every(([a, b]) => a === 0 || b === 0) ||
    counts.some(([a, b]) => differ(a, before.total, b, after.total))
}

/** The names of a tally, joined by " and ", with their shares if `withShares`. */
const describeTally = ({ answers, total }: Tally, withShares: boolean): string => {
  const named = [...answers].filter(([, own]) => own >= minPart * total)
    .map(([name, own]) => `${oneLine(name)}${withShares ? ` (${Math.round(100 * own / total)} %)` : ""}`)
  return named.toSorted().join(" and ").slice(0, maxBreakNames).toWellFormed()
}

/**
 * The breaks between two scans, at most one per platform, sorted by platform. An origin unknown in either scan is no
 * break.
 */
export const findBreaks = (before: ReadonlyArray<Origin>, after: ReadonlyArray<Origin>): ReadonlyArray<Break> => {
  const earlier = Map.groupBy(before, ({ platform }) => platform)
  return [...Map.groupBy(after, ({ platform }) => platform)].flatMap(([platform, own]) => {
    for (const reason of breakReasons) {
      const [then, now] = [tally(earlier.get(platform) ?? [], reason), tally(own, reason)]
      if (!isBreak(then, now)) continue
      const alike = describeTally(then, false) === describeTally(now, false)
      return [{ platform, reason, before: describeTally(then, alike), after: describeTally(now, alike) }]
    }
    return []
  }).toSorted((a, b) => a.platform < b.platform ? -1 : 1)
}

/**
 * The rows of scans, newest scan first. For each platform, rows from before the last break of its series are left out.
 */
export const rowsSinceBreaks = <Row extends ScoredRow>(
  scans: ReadonlyArray<ReadonlyArray<Row>>
): ReadonlyArray<Row> => {
  const newest = new Map<PlatformId, ReadonlyArray<Row>>()
  const broken = new Set<PlatformId>()
  return scans.flatMap((rows) =>
    [...Map.groupBy(rows, ({ platform }) => platform)].flatMap(([platform, own]) => {
      const later = newest.get(platform) ?? own
      newest.set(platform, own)
      if (findBreaks(listOrigins(own), listOrigins(later)).length > 0) broken.add(platform)
      return broken.has(platform) ? [] : own
    })
  )
}

/** Index of the first of these scans (oldest first) after the last break of a platform, or of any platform. */
export const findLastBreak = (scans: ReadonlyArray<ReadonlyArray<Origin>>, platform?: PlatformId): number => {
  const latest = new Map<PlatformId, ReadonlyArray<Origin>>()
  return scans.reduce((first, origins, i) => {
    const breaks = findBreaks([...latest.values()].flat(), origins)
    for (const [id, own] of Map.groupBy(origins, (one) => one.platform)) latest.set(id, own)
    return breaks.some((one) => platform === undefined || one.platform === platform) ? i : first
  }, 0)
}

const reasonWords: { readonly [Reason in Break["reason"]]: string } = {
  model: "model",
  search: "web search",
  engine: "search engine",
  market: "market",
  persona: "persona"
}

/** "model changed from A to B" */
export const describeBreak = ({ after, before, reason }: Omit<Break, "platform">): string =>
  `${reasonWords[reason]} changed from ${before} to ${after}`

/** One sentence per break: "assistant_b is not compared: model changed from A to B."; empty without a break. */
export const describeBreaks = (breaks: ReadonlyArray<Break>): string =>
  breaks.map((one) => `${one.platform} is not compared: ${describeBreak(one)}.`).join(" ")
