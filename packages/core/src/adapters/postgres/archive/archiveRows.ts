/** Rows of the archive, and the beginnings of the statements that return them. */
import { Schema, String, Struct } from "effect"
import type { ArchiveRow, RowProvenance } from "../../../domain/archive/ArchiveRow.ts"
import { AnswerId, KeywordId, ScanId } from "../../../domain/ids.ts"
import { Sentiment } from "../../../domain/measuring/Measurement.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { type Asked, orderMarket } from "../../../domain/platforms/surface.ts"
import { type CapturedSource, SearchMode, SourcesStatus } from "../../../domain/sources/Source.ts"
import type { SealedAnswer } from "../../../ports/ArchiveStore.ts"
import { joinOf, jsonOf, mapRow, rowOf } from "../rows.ts"

/** Columns that a leaf of any version covers. */
const leafColumns = {
  id: AnswerId,
  scanId: ScanId,
  promptUsed: Schema.String,
  // A superuser can store times outside the range of Date, and verification must still read such times
  createdAt: Schema.instanceOf(Date),
  simulated: Schema.Boolean,
  asked: jsonOf<Asked | null>()
}

/** Columns of the answer that a leaf covers from version 2 on. */
const captureColumns = {
  leafVersion: Schema.Int,
  model: Schema.String,
  search: Schema.NullOr(SearchMode),
  payloadSha256: Schema.NullOr(Schema.Uint8Array)
}

const sourceColumns = {
  sourceVersion: Schema.NullOr(Schema.Int),
  sources: jsonOf<ReadonlyArray<CapturedSource> | null>(),
  queries: jsonOf<ReadonlyArray<string> | null>()
}

const answerColumns = { ...leafColumns, platform: PlatformId, keywordId: KeywordId }

const measuredColumns = {
  brandMentioned: Schema.NullOr(Schema.Boolean),
  mentionCount: Schema.NullOr(Schema.Int),
  mentionPosition: Schema.NullOr(Schema.Int),
  sentiment: Schema.NullOr(Sentiment),
  sentimentBy: Schema.NullOr(Schema.String),
  sovScore: Schema.NullOr(Schema.Number)
}

const shownColumns = { ...sourceColumns, status: Schema.NullOr(SourcesStatus), cut: Schema.NullOr(Schema.Int) }

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** Keeps only the members of the sources that were captured; the other members are derived (`locateSource`). */
const toCapturedSources = (sources: ReadonlyArray<CapturedSource> | null): ReadonlyArray<CapturedSource> =>
  (sources ?? []).map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end }))

/** Puts the members into the order of an export. */
const toAsked = (asked: Asked | null): Asked | null =>
  asked === null ? null : {
    surface: asked.surface,
    view: asked.view,
    market: asked.market === null ? null : orderMarket(asked.market)
  }

const ProvenanceRow = rowOf({ ...captureColumns, ...shownColumns }).pipe(mapRow((row): RowProvenance => ({
  ...row,
  leafVersion: row.leafVersion === 3 ? 3 : row.leafVersion === 2 ? 2 : 1,
  payloadSha256: row.payloadSha256 === null ? null : toHex(row.payloadSha256),
  cut: row.cut ?? 0,
  sources: toCapturedSources(row.sources),
  queries: row.queries ?? []
})))

const makeAnswerRows = <Text>(rawResponse: Schema.Decoder<Text>) => {
  const plain = rowOf({ ...answerColumns, ...measuredColumns, rawResponse }).pipe(
    mapRow((row): ArchiveRow<Text> => ({ ...row, asked: toAsked(row.asked) }))
  )
  const withProvenance = joinOf({ plain, provenance: ProvenanceRow }).pipe(
    mapRow(({ plain, provenance }): ArchiveRow<Text> => ({ ...plain, provenance }))
  )
  return (provenance: boolean): Schema.Decoder<ArchiveRow<Text>> => provenance ? withProvenance : plain
}

/** Rows of `selectNewestMeasured`, with provenance if it was requested. */
export const answerRow = makeAnswerRows(Schema.String)

/** Like `answerRow`, with the answers as UTF-8 bytes. */
export const answerRowInUtf8 = makeAnswerRows(Schema.Uint8Array)

/** What each row of a page says about the page. If no answer matches, there is one row, whose `id` is null. */
export const PageRow = rowOf({
  begin: Schema.Date,
  id: Schema.NullOr(AnswerId),
  followed: Schema.NullOr(Schema.Boolean),
  /** Where the search stopped; left out if an index supports the filters. */
  reachedAt: Schema.optionalKey(Schema.NullOr(Schema.Date)),
  reachedId: Schema.optionalKey(Schema.NullOr(AnswerId))
}, { begin: "history_begin" })

/**
 * A row of `sealedAnswers`. Its words are not checked, because verification must also read words that a superuser
 * changed.
 */
export const SealedRow = rowOf({
  ...leafColumns,
  platform: Schema.String,
  keywordId: Schema.String,
  rawResponse: Schema.String,
  ...captureColumns,
  search: jsonOf<SearchMode | null>(),
  ...sourceColumns,
  leafHash: Schema.Uint8Array,
  /** Left out unless payloads were requested. */
  payloadFound: Schema.optionalKey(Schema.NullOr(Schema.Uint8Array))
}).pipe(mapRow((row): SealedAnswer => ({
  ...Struct.pick(row, ["id", "scanId", "platform", "keywordId", "promptUsed", "rawResponse", "createdAt", "leafHash"]),
  provenance: row.leafVersion === 1 ? null : {
    ...Struct.pick(row, ["model", "simulated", "search"]),
    payloadSha256: row.payloadSha256 === null ? "" : toHex(row.payloadSha256),
    // The row of sources may be missing; the leaf then differs
    sourceVersion: row.sourceVersion ?? 0,
    sources: toCapturedSources(row.sources),
    queries: row.queries ?? [],
    asked: row.leafVersion === 3 ? toAsked(row.asked) ?? { surface: null, view: null, market: null } : null
  },
  ...row.payloadFound === undefined
    ? {}
    : { payloadFound: row.payloadFound === null ? null : toHex(row.payloadFound) }
})))

/** Joins the sources that the leaf covers, or the newest sources for a leaf of version 1. */
const shownSources = `
  left join lateral (
    select source_version, status, sources, queries, cut from answer_sources
    where answer_sources.organization_id = answer.organization_id and answer_sources.answer_id = answer.id
    order by case when answer.leaf_version > 1 then source_version else -source_version end limit 1
  ) shown on true`

/** The columns of `selectNewestMeasured` except the answer's text, each with its table's alias. */
const listColumns = (provenance: boolean): ReadonlyArray<readonly [of: string, column: string]> =>
  Object.entries({
    answer: { ...answerColumns, ...provenance ? captureColumns : {} },
    newest: measuredColumns,
    ...provenance ? { shown: shownColumns } : {}
  }).flatMap(([of, columns]) => Object.keys(columns).map((member) => [of, String.camelToSnake(member)] as const))

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
