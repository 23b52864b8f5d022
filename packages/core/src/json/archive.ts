/** Archived answers as clients see them. */
import type { ArchiveRow, RowProvenance } from "../domain/archive/ArchiveRow.ts"
import { roundOrNull } from "../domain/scoring/Score.ts"
import { simulatedJson } from "./simulated.ts"

/** The stance of an answer toward the brand; also names the judge if the rules did not decide it. */
export const stanceJson = ({ sentiment, sentimentBy }: Pick<ArchiveRow<unknown>, "sentiment" | "sentimentBy">) => ({
  sentiment,
  ...(sentimentBy === null || sentimentBy === "rules" ? {} : { sentiment_by: sentimentBy })
})

/** An archived answer with its newest measurement; `sov_score` with two decimals. */
export const archiveRowJson = <Text = string>(row: ArchiveRow<Text>) => ({
  id: row.id,
  scan_id: row.scanId,
  platform: row.platform,
  keyword_id: row.keywordId,
  prompt_used: row.promptUsed,
  raw_response: row.rawResponse,
  brand_mentioned: row.brandMentioned,
  mention_count: row.mentionCount,
  mention_position: row.mentionPosition,
  ...stanceJson(row),
  sov_score: roundOrNull(row.sovScore, 2),
  created_at: row.createdAt.toISOString(),
  surface: row.asked?.surface ?? null,
  view: row.asked?.view ?? null,
  market: row.asked?.market ?? null,
  ...simulatedJson(row.simulated)
})
export type ArchiveRowJson = ReturnType<typeof archiveRowJson<string>>

/** The columns of answers in CSV. All rows share one header, so each row states whether it is simulated. */
export const archiveColumns = [
  "id",
  "scan_id",
  "platform",
  "keyword_id",
  "prompt_used",
  "raw_response",
  "brand_mentioned",
  "mention_count",
  "mention_position",
  "sentiment",
  "sentiment_by",
  "sov_score",
  "created_at",
  "simulated",
  "surface",
  "view"
] as const satisfies ReadonlyArray<keyof ArchiveRowJson>

type ArchiveColumn = (typeof archiveColumns)[number]

/** The value of a column for one answer. */
export const archiveCell = <Row extends { readonly [Column in ArchiveColumn]?: string | number | boolean | null }>(
  row: Row,
  column: ArchiveColumn
) => column === "simulated" ? row.simulated === true : row[column]

/**
 * The captured sources of an answer. `sources_status`: `sealed`: the leaf covers them · `derived`: derived from the
 * payload later · `unknown`: the platform reports no sources · `unreadable`: the response body could not be read.
 */
export const provenanceRowJson = (provenance: RowProvenance) => ({
  leaf_version: provenance.leafVersion,
  model: provenance.model,
  search: provenance.search,
  payload_sha256: provenance.payloadSha256,
  source_version: provenance.sourceVersion,
  sources_status: provenance.status === "unreadable"
    ? "unreadable" as const
    : provenance.status === "unsupported"
    ? "unknown" as const
    : provenance.leafVersion > 1
    ? "sealed" as const
    : "derived" as const,
  sources_cut: provenance.cut,
  sources: provenance.sources.map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end })),
  queries: provenance.queries
})
export type ProvenanceRowJson = ReturnType<typeof provenanceRowJson>

/** A row of an export. From leaf version 2 on it also contains the provenance of the answer. */
export const exportedRowJson = (row: ArchiveRow): ArchiveRowJson & Partial<ProvenanceRowJson> =>
  row.provenance !== undefined && row.provenance.leafVersion > 1
    ? { ...archiveRowJson(row), ...provenanceRowJson(row.provenance) }
    : archiveRowJson(row)
