/**
 * The citations of answers, and whether they are known. Only an answer with known citations can count as citing
 * nothing.
 */
import type { ScanId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { ScoredRow } from "../scoring/cells.ts"
import type { Owner } from "./owners.ts"
import type { SearchMode, Source, SourcePlace, SourcesStatus } from "./Source.ts"

/** An answer and its sources. */
export interface SourcedAnswer {
  readonly scanId: ScanId
  readonly platform: PlatformId
  /** Null if the sources are not derived yet. */
  readonly status: SourcesStatus | null
  /** Whether the payload is stored: an imported answer may have only its sources. */
  readonly payloadKept: boolean
  /** Null if unknown. */
  readonly search: SearchMode | null
  readonly sources: ReadonlyArray<Pick<Source, "kind" | "page" | "host" | "domain">>
  readonly queries: ReadonlyArray<string>
}

/** A measured answer and its sources. */
export interface SourcedRow extends ScoredRow, SourcedAnswer {}

/** A site or page that an answer cites. */
export interface CitedPlace {
  readonly page: string | null
  readonly domain: string
  readonly owner: Owner
}

/** The citations of one answer. */
export interface Citations {
  /** Whether the platform could name sources. Without a search it could not, unless it cites some. */
  readonly reports: boolean
  /** Whether the sources are not derived yet. */
  readonly unread: boolean
  /**
   * Whether the platform searched; null if it could not, or if neither its search mode nor a trace of a search is
   * known.
   */
  readonly searched: boolean | null
  /** The cited pages, each once, without pages of answer and search engines. */
  readonly cited: ReadonlyArray<CitedPlace>
  readonly domains: ReadonlySet<string>
  readonly pages: ReadonlySet<string>
  readonly ownCited: boolean
}

/** A measured answer with its citations, for the metrics. */
export interface CitingRow extends ScoredRow, Citations {
  readonly scanId: ScanId
}

/** Finds the owner of a page. */
export type OwnerLookup = (place: Pick<SourcePlace, "page" | "host">) => Owner

/** Whether other answers of the platform must show that an answer without a list of sources cites nothing. */
export const dependsOnOthers = ({ payloadKept, status }: SourcedAnswer): boolean =>
  status === "unsupported" && payloadKept

/**
 * Reads the citations of an answer. `othersReport` tells whether another answer of the same platform and scan names its
 * sources; if so, an answer without a list cites nothing.
 */
export const readCitations = (answer: SourcedAnswer, ownerOf: OwnerLookup, othersReport: boolean): Citations => {
  const cited = answer.sources.flatMap((source): ReadonlyArray<CitedPlace> => {
    if (source.kind === "retrieved" || source.domain === null) return []
    const owner = ownerOf(source)
    return owner.kind === "engine" ? [] : [{ page: source.page, domain: source.domain, owner }]
  })
  const known = answer.status === "complete" || (dependsOnOthers(answer) && othersReport)
  const reports = known && (answer.search !== "off" || cited.length > 0)
  const evident = answer.queries.length > 0 || answer.sources.some(({ kind }) => kind !== "in_text")
  return {
    reports,
    unread: answer.status === null,
    searched: !reports || answer.search === "off" || (answer.search === null && !evident) ? null : evident,
    cited,
    domains: new Set(cited.map(({ domain }) => domain)),
    pages: new Set(cited.flatMap(({ page }) => page ?? [])),
    ownCited: cited.some(({ owner }) => owner.kind === "own")
  }
}

/** Reads the measured answers of whole scans. */
export const toCitingRows = (
  rows: ReadonlyArray<SourcedRow>,
  ownerOf: OwnerLookup
): ReadonlyArray<CitingRow> => {
  const keyOf = ({ platform, scanId }: SourcedRow) => `${scanId} ${platform}`
  const reporting = new Set(rows.filter(({ status }) => status === "complete").map(keyOf))
  return rows.map((row) => ({
    platform: row.platform,
    keywordId: row.keywordId,
    brandMentioned: row.brandMentioned,
    competitorsMentioned: row.competitorsMentioned,
    scanId: row.scanId,
    ...readCitations(row, ownerOf, reporting.has(keyOf(row)))
  }))
}
