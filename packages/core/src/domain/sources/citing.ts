/** What answers cite, and of which answers that is known: "cites nobody" is said of no other. */
import type { ScanId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { ScoredRow } from "../scoring/cells.ts"
import type { Owner } from "./owners.ts"
import type { SearchMode, Source, SourcePlace, SourcesStatus } from "./Source.ts"

/** An answer with its sources. */
export interface SourcedAnswer {
  readonly scanId: ScanId
  readonly platform: PlatformId
  /** Null where its sources are not derived yet. */
  readonly status: SourcesStatus | null
  /** Whether what the provider sent is kept: sources of an imported answer may be all that there is. */
  readonly payloadKept: boolean
  /** Null where it is not known. */
  readonly search: SearchMode | null
  readonly sources: ReadonlyArray<Pick<Source, "kind" | "page" | "host" | "domain">>
  readonly queries: ReadonlyArray<string>
}

/** The same, measured. */
export interface SourcedRow extends ScoredRow, SourcedAnswer {}

/** A site, or page, that an answer cites. */
export interface CitedPlace {
  readonly page: string | null
  readonly domain: string
  readonly owner: Owner
}

/** What one answer cites. */
export interface Citations {
  /** Whether the platform could name sources: one that did not search can not, unless it cites all the same. */
  readonly reports: boolean
  /** Whether its sources are not derived yet. */
  readonly unread: boolean
  /**
   * Whether it searched; null where it could not, or where neither its search mode nor a trace of a search is known.
   */
  readonly searched: boolean | null
  /** Each page once, without engines' pages. */
  readonly cited: ReadonlyArray<CitedPlace>
  readonly domains: ReadonlySet<string>
  readonly pages: ReadonlySet<string>
  readonly ownCited: boolean
}

/** A measured answer, as the metrics read it. */
export interface CitingRow extends ScoredRow, Citations {
  readonly scanId: ScanId
}

/** Tells whose page a place is. */
export type OwnerLookup = (place: Pick<SourcePlace, "page" | "host">) => Owner

/** Whether only other answers of its platform tell if an answer without a list of sources cites nobody. */
export const dependsOnOthers = ({ payloadKept, status }: SourcedAnswer): boolean =>
  status === "unsupported" && payloadKept

/**
 * Reads what an answer cites. `othersReport`: whether an answer of the same platform and scan names its sources; one of
 * them that came without a list then cites nothing.
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
