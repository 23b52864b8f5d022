/**
 * The funnel of the brand's own pages: an answer's platform read one of these pages (retrieved), the answer cites one
 * (cited), also names the brand (named), and names it before every competitor (named first). Each step counts some of
 * the answers of the step before it, so no rate is higher than the one before.
 */
import type { ScanId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { averageCells, groupIntoCells } from "../scoring/cells.ts"
import { estimateAlone, type Interval } from "../scoring/intervals.ts"
import type { CitingRow, OwnerLookup, SourcedRow } from "./citing.ts"

/** The steps, in order. */
export const funnelSteps = ["retrieved", "cited", "named", "named_first"] as const
export type FunnelStepName = typeof funnelSteps[number]

/** A measured answer with the facts that the steps need. */
export interface FunnelRow extends CitingRow {
  /** Whether the platform read an own page; null if it does not show the pages that it read. */
  readonly ownRetrieved: boolean | null
  /** Whether the platform ties an own page to the answer; an address that only occurs in the text does not count. */
  readonly ownTied: boolean
  readonly namedFirst: boolean
}

/** Finds the scans and platforms in which an answer shows a page that was read but not cited, as `readerKey`s. */
export const findReaders = (rows: ReadonlyArray<SourcedRow>): ReadonlySet<string> =>
  new Set(rows.filter(({ sources }) => sources.some(({ kind }) => kind === "retrieved")).map(readerKey))

const readerKey = ({ platform, scanId }: { readonly scanId: ScanId; readonly platform: PlatformId }): string =>
  `${scanId} ${platform}`

/** Converts measured answers to rows of a funnel. `rows` are those of `answers`, in the same order. */
export const toFunnelRows = (
  answers: ReadonlyArray<SourcedRow & { readonly mentionPosition: number | null }>,
  rows: ReadonlyArray<CitingRow>,
  readers: ReadonlySet<string>,
  ownerOf: OwnerLookup
): ReadonlyArray<FunnelRow> =>
  answers.map((answer, i) => {
    const own = answer.sources.filter((source) => source.kind !== "in_text" && ownerOf(source).kind === "own")
    return {
      ...rows[i]!,
      ownRetrieved: readers.has(readerKey(answer)) ? own.length > 0 : null,
      ownTied: own.some(({ kind }) => kind === "cited"),
      namedFirst: answer.mentionPosition === 1
    }
  })

/** The number of answers that reach a step, and their share of all answers of the funnel (0–100). */
export interface FunnelStep {
  readonly step: FunnelStepName
  readonly answers: number
  readonly rate: number
  /** The 95 % interval of the rate for other questions like these; null if there are too few questions. */
  readonly interval: Interval | null
}

/** The funnel of some answers. */
export interface Funnel {
  /** Platforms whose answers the funnel counts. */
  readonly platforms: ReadonlyArray<PlatformId>
  /** Number of counted answers: those whose platform shows what the first step needs. */
  readonly answers: number
  /** The scans with these answers. */
  readonly scanIds: ReadonlySet<ScanId>
  /** The steps, without `retrieved` if no platform shows the pages that it read; empty if no platform shows sources. */
  readonly steps: ReadonlyArray<FunnelStep>
  /** Number of the counted answers that name the brand without citing an own page. */
  readonly namedOnly: number
}

/** The funnels of many answers. */
export interface Funnels {
  /** Funnels by platform; a platform that shows no sources has no steps. */
  readonly platforms: ReadonlyArray<{ readonly platform: PlatformId; readonly funnel: Funnel }>
  /** Funnels by current tag, over all platforms. */
  readonly tags: ReadonlyArray<{ readonly tag: string; readonly funnel: Funnel }>
}

const reachedSteps: { readonly [S in FunnelStepName]: (row: FunnelRow) => boolean } = {
  retrieved: (row) => row.ownRetrieved === true || row.ownTied,
  cited: (row) => row.ownTied,
  named: (row) => row.ownTied && row.brandMentioned,
  named_first: (row) => row.ownTied && row.brandMentioned && row.namedFirst
}

/** Forms the funnel. If some platforms show the pages that they read, the others are not counted. */
export const formFunnel = (rows: ReadonlyArray<FunnelRow>): Funnel => {
  const reporting = rows.filter(({ reports }) => reports)
  const reading = reporting.filter(({ ownRetrieved }) => ownRetrieved !== null)
  const counted = reading.length > 0 ? reading : reporting
  const cells = groupIntoCells(counted)
  return {
    platforms: [...new Set((counted.length > 0 ? counted : rows).map(({ platform }) => platform))].toSorted(),
    answers: counted.length,
    scanIds: new Set(counted.map(({ scanId }) => scanId)),
    steps: counted.length === 0 ? [] : funnelSteps.slice(reading.length > 0 ? 0 : 1).map((step): FunnelStep => {
      const isReached = reachedSteps[step]
      const share = (row: FunnelRow) => isReached(row) ? 100 : 0
      return {
        step,
        answers: counted.filter(isReached).length,
        rate: averageCells(cells, share)!,
        interval: estimateAlone(cells, share)
      }
    }),
    namedOnly: counted.filter(({ brandMentioned, ownTied }) => brandMentioned && !ownTied).length
  }
}
