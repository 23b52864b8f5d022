/** AI traffic as stored and shown: counts per UTC day, by the times in the log. */
import type { TrafficHit, TrafficSignal } from "./classify.ts"

/** A counted request with the id of its log line. */
export interface TrafficLine extends TrafficHit {
  /** Time in milliseconds since 1970. */
  readonly time: number
  /** The id: 8 bytes as latin1 text, see `makeLineIdentifier`. */
  readonly id: string
}

/** The first and last day (UTC), `2026-03-01`, both inclusive; null: no bound. */
export interface TrafficRange {
  readonly from: string | null
  readonly to: string | null
}

/** Requests of one day by signal and source. */
export interface TrafficDay {
  readonly signal: TrafficSignal
  /** Id of the assistant, or the crawler's entry in the table. */
  readonly source: string
  /** UTC, `2026-03-01`. */
  readonly day: string
  readonly count: number
  /** How many of the requests have an AI tag in the link. */
  readonly tagged: number
  /** How many of the requests are tag-only visits with the referrer of another site. */
  readonly foreignReferrer: number
}

/** Requests of one landing page by signal. */
export interface TrafficPage {
  readonly signal: TrafficSignal
  readonly path: string
  readonly count: number
}

/** The UTC day of a time in milliseconds. */
export const formatTrafficDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

const dayMs = 86_400_000
/** Maximum number of days in a small chart. */
const maxCourseDays = 30

/** The days from `first` to `last`, oldest first; only the last 30 if there are more. */
export const listTrafficDays = (first: string, last: string): ReadonlyArray<string> => {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const length = Math.min(maxCourseDays, Math.round((to - from) / dayMs) + 1)
  return Array.from({ length }, (_, n) => formatTrafficDay(to - (length - 1 - n) * dayMs))
}

/** Converts milliseconds since 1970 to hours since 1970. */
export const toTrafficHour = (time: number): number => Math.floor(time / 3_600_000)

/** The explanation of what one count means; every report contains it. */
export const trafficCaveat =
  "Requests are counted, not people: an image that an assistant's page shows is one, and anybody can forge a referrer."

/** The reasons why the counts are lower bounds (docs/measuring.md); every report contains them. */
export const lowerBoundReasons: ReadonlyArray<string> = [
  "Apps and in-app browsers send no referrer: most clicks in the assistants' apps look like direct visits.",
  "Clicks in Google's AI Overviews and AI Mode look like clicks in its ordinary search.",
  "Only ChatGPT is confirmed to add a tag to its links; other tags come from sites and people.",
  "Referrers are also withheld by privacy settings and extensions, and only the logs that were imported count."
]
