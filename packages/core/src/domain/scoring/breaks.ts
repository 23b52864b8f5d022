/** Breaks in the series of a platform: another model answers, or web search was switched (docs/measuring.md). */
import { oneLine } from "../oneLine.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { type AnswerOrigin, type ScoredRow, sum } from "./cells.ts"

/** Answers of a platform in one scan that have the same origin. */
export interface Origin extends AnswerOrigin {
  readonly platform: PlatformId
  readonly answers: number
}

/** The origins of answers, as far as their rows have them. */
export const listOrigins = (rows: ReadonlyArray<Pick<ScoredRow, "origin" | "platform">>): ReadonlyArray<Origin> =>
  rows.flatMap(({ origin, platform }) => origin === undefined ? [] : [{ platform, ...origin, answers: 1 }])

export const breakReasons = ["model", "search"] as const

/** Longest list of names of a break, in UTF-16 code units; a longer one is truncated. */
export const maxBreakNames = 1000

/** What changed on a platform between two scans: their answers are not compared. */
export interface Break {
  readonly platform: PlatformId
  readonly reason: typeof breakReasons[number]
  /** The models or search modes, by name, joined by " and ". */
  readonly before: string
  readonly after: string
}

/** A model that gave a smaller part of a platform's answers is ignored. */
const minPart = 0.1

const listNames = (origins: ReadonlyArray<Origin>, reason: Break["reason"]): string | null => {
  const known = origins.filter((origin) => origin[reason] !== null)
  const total = sum(known.map(({ answers }) => answers))
  const names = [...Map.groupBy(known, (origin) => origin[reason]!)]
    .filter(([, own]) => sum(own.map(({ answers }) => answers)) >= minPart * total)
    .map(([name]) => oneLine(name))
  return names.length === 0 ? null : names.toSorted().join(" and ").slice(0, maxBreakNames).toWellFormed()
}

/** The breaks between two scans, at most one per platform, by id. What is unknown on either side is no break. */
export const findBreaks = (before: ReadonlyArray<Origin>, after: ReadonlyArray<Origin>): ReadonlyArray<Break> => {
  const earlier = Map.groupBy(before, ({ platform }) => platform)
  return [...Map.groupBy(after, ({ platform }) => platform)].flatMap(([platform, own]) => {
    for (const reason of breakReasons) {
      const [then, now] = [listNames(earlier.get(platform) ?? [], reason), listNames(own, reason)]
      if (then !== null && now !== null && then !== now) return [{ platform, reason, before: then, after: now }]
    }
    return []
  }).toSorted((a, b) => a.platform < b.platform ? -1 : 1)
}

/** The rows of scans, newest scan first, without those of a platform from before its series broke. */
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

/** "model changed from A to B" */
export const describeBreak = ({ after, before, reason }: Omit<Break, "platform">): string =>
  `${reason === "model" ? "model" : "web search"} changed from ${before} to ${after}`

/** "assistant_b is not compared: model changed from A to B.", a sentence per break; empty without one. */
export const describeBreaks = (breaks: ReadonlyArray<Break>): string =>
  breaks.map((one) => `${one.platform} is not compared: ${describeBreak(one)}.`).join(" ")
