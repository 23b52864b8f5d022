/** Rows of the archive, and the beginnings of the statements that return them. */
import type { ArchiveRow, RowProvenance } from "../../../domain/archive/ArchiveRow.ts"
import type { AnswerId, KeywordId, ScanId } from "../../../domain/ids.ts"
import type { Sentiment } from "../../../domain/measuring/Measurement.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import { type Asked, orderMarket } from "../../../domain/platforms/surface.ts"
import type { CapturedSource, SearchMode, SourcesStatus } from "../../../domain/sources/Source.ts"
import type { SealedAnswer } from "../../../ports/ArchiveStore.ts"

/** Columns that a leaf of any version covers. */
interface LeafRow {
  readonly id: string
  readonly scan_id: string
  readonly platform: string
  readonly keyword_id: string
  readonly prompt_used: string
  readonly raw_response: string
  readonly created_at: Date
  readonly simulated: boolean
  readonly asked: Asked | null
}

interface ProvenanceRow {
  readonly leaf_version: number
  readonly model: string
  readonly search: string | null
  readonly payload_sha256: Uint8Array | null
  readonly source_version: number | null
  readonly sources: ReadonlyArray<CapturedSource> | null
  readonly queries: ReadonlyArray<string> | null
  readonly status: string | null
  readonly cut: number | null
}

/** A row of `selectNewestMeasured`, with provenance if it was requested. */
export interface Row<Text = string> extends Omit<LeafRow, "raw_response">, Partial<ProvenanceRow> {
  readonly raw_response: Text
  readonly brand_mentioned: boolean | null
  readonly mention_count: number | null
  readonly mention_position: number | null
  readonly sentiment: string | null
  readonly sentiment_by: string | null
  readonly sov_score: number | null
}

/** A row of a page. For an organization without a matching answer, one row whose answer columns are null. */
export type HistoryRow<Text> =
  & {
    readonly history_begin: Date
    readonly followed: boolean | null
    /** Where the search stopped; left out if an index supports the filters. */
    readonly reached_at?: Date | null
    readonly reached_id?: AnswerId | null
  }
  & (Row<Text> | { readonly [K in keyof Row]: null })

/** A row of `sealedAnswers`. */
export interface SealedRow extends LeafRow, Omit<ProvenanceRow, "status" | "cut"> {
  readonly leaf_hash: Uint8Array
  /** Left out unless payloads were requested. */
  readonly payload_found?: Uint8Array | null
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** Keeps only the captured members of the sources; the others (`locateSource`) are derived. */
const toCapturedSources = (sources: ReadonlyArray<CapturedSource> | null): ReadonlyArray<CapturedSource> =>
  (sources ?? []).map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end }))

/** Orders the members as in an export. */
const toAsked = (asked: Asked | null): Asked | null =>
  asked === null ? null : {
    surface: asked.surface,
    view: asked.view,
    market: asked.market === null ? null : orderMarket(asked.market)
  }

const provenanceFromRow = (row: ProvenanceRow): RowProvenance => ({
  leafVersion: row.leaf_version === 3 ? 3 : row.leaf_version === 2 ? 2 : 1,
  model: row.model,
  search: row.search as SearchMode | null,
  payloadSha256: row.payload_sha256 === null ? null : toHex(row.payload_sha256),
  sourceVersion: row.source_version,
  status: row.status as SourcesStatus | null,
  cut: row.cut ?? 0,
  sources: toCapturedSources(row.sources),
  queries: row.queries ?? []
})

export const fromRow = <Text>(row: Row<Text>): ArchiveRow<Text> => ({
  id: row.id as AnswerId,
  scanId: row.scan_id as ScanId,
  platform: row.platform as PlatformId,
  keywordId: row.keyword_id as KeywordId,
  promptUsed: row.prompt_used,
  rawResponse: row.raw_response,
  brandMentioned: row.brand_mentioned,
  mentionCount: row.mention_count,
  mentionPosition: row.mention_position,
  sentiment: row.sentiment as Sentiment | null,
  sentimentBy: row.sentiment_by,
  sovScore: row.sov_score,
  createdAt: row.created_at,
  simulated: row.simulated,
  asked: toAsked(row.asked),
  ...row.leaf_version === undefined ? {} : { provenance: provenanceFromRow(row as ProvenanceRow) }
})

export const sealedFromRow = (row: SealedRow): SealedAnswer => ({
  id: row.id as AnswerId,
  scanId: row.scan_id as ScanId,
  platform: row.platform,
  keywordId: row.keyword_id,
  promptUsed: row.prompt_used,
  rawResponse: row.raw_response,
  createdAt: row.created_at,
  leafHash: row.leaf_hash,
  provenance: row.leaf_version === 1 ? null : {
    model: row.model,
    simulated: row.simulated,
    search: row.search as SearchMode | null,
    payloadSha256: row.payload_sha256 === null ? "" : toHex(row.payload_sha256),
    // If the row is missing, the leaf differs
    sourceVersion: row.source_version ?? 0,
    sources: toCapturedSources(row.sources),
    queries: row.queries ?? [],
    asked: row.leaf_version === 3 ? toAsked(row.asked) ?? { surface: null, view: null, market: null } : null
  },
  ...row.payload_found === undefined
    ? {}
    : { payloadFound: row.payload_found === null ? null : toHex(row.payload_found) }
})

/** Joins the sources that the leaf covers, or for leaves of version 1 the newest. */
const shownSources = `
  left join lateral (
    select source_version, status, sources, queries, cut from answer_sources
    where answer_sources.organization_id = answer.organization_id and answer_sources.answer_id = answer.id
    order by case when answer.leaf_version > 1 then source_version else -source_version end limit 1
  ) shown on true`

const measuredColumns = [
  "brand_mentioned",
  "mention_count",
  "mention_position",
  "sentiment",
  "sentiment_by",
  "sov_score"
]
const provenanceColumns = {
  answer: ["leaf_version", "model", "search", "payload_sha256"],
  shown: ["source_version", "status", "sources", "queries", "cut"]
}
const answerColumns = ["id", "scan_id", "platform", "keyword_id", "prompt_used", "created_at", "simulated", "asked"]

/** The columns of `selectNewestMeasured` except the answer's text, each with its table's alias. */
const listColumns = (provenance: boolean): ReadonlyArray<readonly [of: string, column: string]> =>
  Object.entries({
    answer: [...answerColumns, ...provenance ? provenanceColumns.answer : []],
    newest: measuredColumns,
    ...provenance ? { shown: provenanceColumns.shown } : {}
  }).flatMap(([of, columns]) => columns.map((column) => [of, column] as const))

/** The columns of a page's rows, with the answers as UTF-8 bytes, the encoding of all our databases. */
export const selectInUtf8 = (provenance: boolean): string =>
  `${listColumns(provenance).map(([, column]) => `page.${column}`).join(", ")}, page.followed,
  convert_to(page.raw_response, 'UTF8') as raw_response`

/** Selects each answer with its newest measurement, and with its provenance if requested. */
export const selectNewestMeasured = (provenance: boolean) => `
  select answer.raw_response, ${listColumns(provenance).map((named) => named.join(".")).join(", ")}
  from answer ${provenance ? shownSources : ""}
  left join lateral (
    select brand_mentioned, mention_count, mention_position, sentiment, sentiment_by, sov_score from measurement
    where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
    order by tracked_set_version desc, measure_version desc limit 1
  ) newest on true`

/**
 * Selects what each answer's leaf is computed from. `payloads` adds the hashes of the payloads; null for answers that
 * cannot have a payload.
 */
export const sealedAnswers = (payloads: boolean) => `
  select id, scan_id, platform, keyword_id, prompt_used, raw_response, created_at, simulated, asked, leaf_hash, leaf_version,
    model, search, payload_sha256, shown.source_version, shown.sources, shown.queries
    ${payloads ? ", case when leaf_version > 1 and adapter <> 'import' then sha256(payload) end as payload_found" : ""}
  from answer ${shownSources}`
