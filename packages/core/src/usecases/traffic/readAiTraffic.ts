/** Reads the AI traffic of an organization's site. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import {
  lowerBoundReasons,
  trafficCaveat,
  type TrafficDay,
  type TrafficPage,
  type TrafficRange
} from "../../domain/traffic/AiTraffic.ts"
import { mapCrawlerPurposes } from "../../domain/traffic/classify.ts"
import type { TrafficSignal } from "../../domain/traffic/classify.ts"
import { builtInSources, type CrawlerPurpose, type TrafficSources } from "../../domain/traffic/TrafficSources.ts"
import { TrafficStore } from "../../ports/TrafficStore.ts"
import { Rejected } from "../errors.ts"

export interface DayCount {
  /** The day in UTC, `2026-03-01`. */
  readonly day: string
  readonly count: number
}

/**
 * Requests from one assistant, sorted by descending number; `name` is the id if the table no longer contains the
 * assistant.
 */
export interface FromAssistant {
  readonly assistant: string
  readonly name: string
  readonly count: number
  /** Days with at least one request, ascending. */
  readonly days: ReadonlyArray<DayCount>
}

/** Landing pages with their `count`, sorted by descending count. */
type Pages = ReadonlyArray<Omit<TrafficPage, "signal">>

/** The report of AI traffic in a range of days. */
export interface AiTraffic extends TrafficRange {
  /** First and last day with requests in the range; null if there are no requests. */
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** Requests whose referrer is an assistant. `tagged` of these also have a tag; they are counted once. */
  readonly referrerSignals: {
    readonly count: number
    readonly tagged: number
    readonly assistants: ReadonlyArray<FromAssistant & { readonly tagged: number }>
    readonly landingPages: Pages
  }
  /**
   * Requests that only a tag marks; `foreignReferrer` of these came from another site. Must not be added to
   * `referrerSignals`.
   */
  readonly tagOnlyVisits: {
    readonly count: number
    readonly foreignReferrer: number
    readonly assistants: ReadonlyArray<FromAssistant & { readonly foreignReferrer: number }>
    readonly landingPages: Pages
  }
  /**
   * Fetches by crawlers, which are not visits; null unless requested. A crawler that is no longer in the table has no
   * purpose.
   */
  readonly crawlers: {
    readonly count: number
    readonly agents: ReadonlyArray<{
      readonly agent: string
      readonly purpose: CrawlerPurpose | null
      readonly count: number
      readonly days: ReadonlyArray<DayCount>
    }>
  } | null
  /** Versions of the tables that recognised these requests. */
  readonly sourceVersions: ReadonlyArray<string>
  /** Why the counts are lower bounds; `caveat` explains what one count means. */
  readonly lowerBound: { readonly reasons: ReadonlyArray<string>; readonly caveat: string }
}

/** The options of a report. */
export interface AiTrafficQuery extends Partial<TrafficRange> {
  readonly crawlers?: boolean
  /** Maximum number of landing pages of each kind, 0–1000. */
  readonly pages?: number
  /** The table with the assistants' names. */
  readonly sources?: TrafficSources
}

const sum = (rows: ReadonlyArray<TrafficDay>, of: "count" | "tagged" | "foreignReferrer"): number =>
  rows.reduce((total, row) => total + row[of], 0)

/** Groups the rows of one signal by source, sorted by descending number of requests. */
const groupBySource = (rows: ReadonlyArray<TrafficDay>, signal: TrafficSignal) =>
  [...Map.groupBy(rows.filter((row) => row.signal === signal), (row) => row.source)]
    .map(([source, own]) => ({
      source,
      rows: own,
      count: sum(own, "count"),
      days: own.map(({ count, day }) => ({ day, count }))
    }))
    .toSorted((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1))

/** Reads the counts from `from` to `to`, inclusive UTC days (null or left out: the entire window). */
export const readAiTraffic = Effect.fn("readAiTraffic")(function*(
  organizationId: OrganizationId,
  { since }: HistoryWindow,
  query: AiTrafficQuery
) {
  const { crawlers = false, pages = 10, sources = builtInSources, to = null } = query
  // Counts are stored by day, so the day on which the window begins is shown completely
  const begin = since === null ? "" : since.toISOString().slice(0, 10)
  const from = (query.from ?? "") < begin ? begin : query.from ?? null
  // A period that ends before the window is empty, not wrong
  if (query.from != null && to !== null && query.from > to) {
    return yield* new Rejected({ field: "from", message: "from is later than to" })
  }
  const store = yield* TrafficStore
  const range = { from, to }
  const rows = (yield* store.days(organizationId, range)).filter((row) => crawlers || row.signal !== "crawler")
  const top = yield* store.pages(organizationId, range, pages)
  const sourceVersions = yield* store.sources(organizationId, range)

  const names = new Map((sources.assistants ?? []).map(({ id, name }) => [id, name]))
  const purposes = mapCrawlerPurposes(sources)
  const of = (signal: TrafficSignal) => rows.filter((row) => row.signal === signal)
  const pagesOf = (signal: TrafficSignal): Pages =>
    top.filter((page) => page.signal === signal).map(({ count, path }) => ({ path, count }))
  const assistants = (signal: TrafficSignal) =>
    groupBySource(rows, signal).map(({ count, days, rows: own, source }) => ({
      assistant: source,
      name: names.get(source) ?? source,
      count,
      own,
      days
    }))
  const days = rows.map(({ day }) => day).toSorted()

  const traffic: AiTraffic = {
    ...range,
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    referrerSignals: {
      count: sum(of("referrer"), "count"),
      tagged: sum(of("referrer"), "tagged"),
      assistants: assistants("referrer").map(({ own, ...one }) => ({ ...one, tagged: sum(own, "tagged") })),
      landingPages: pagesOf("referrer")
    },
    tagOnlyVisits: {
      count: sum(of("tag"), "count"),
      foreignReferrer: sum(of("tag"), "foreignReferrer"),
      assistants: assistants("tag").map(({ own, ...one }) => ({
        ...one,
        foreignReferrer: sum(own, "foreignReferrer")
      })),
      landingPages: pagesOf("tag")
    },
    crawlers: !crawlers ? null : {
      count: sum(of("crawler"), "count"),
      agents: groupBySource(rows, "crawler").map(({ count, days, source }) => ({
        agent: source,
        purpose: purposes.get(source) ?? null,
        count,
        days
      }))
    },
    sourceVersions,
    lowerBound: { reasons: lowerBoundReasons, caveat: trafficCaveat }
  }
  return traffic
})
