import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer, Schema, Struct } from "effect"
import { Citation } from "../../../domain/archive/Answer.ts"
import { AnswerId, CompetitorId, KeywordId, type OrganizationId, ScanId } from "../../../domain/ids.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { AnswerOrigin } from "../../../domain/scoring/cells.ts"
import { SearchMode, Source, SourcesStatus } from "../../../domain/sources/Source.ts"
import { SourceStore } from "../../../ports/SourceStore.ts"
import { decodeFirst, decodeOne, decodeRows, jsonOf, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, inBatches } from "../values.ts"
import { sourceColumns } from "./sourceColumns.ts"
import { selectSourceState, SourceStateRow } from "./sourceState.ts"

const StoredRow = rowOf({
  answerId: AnswerId,
  sourceVersion: Schema.Int,
  status: SourcesStatus,
  sources: Schema.Array(Source),
  queries: Schema.Array(Schema.String),
  cut: Schema.Int,
  derivedAt: Schema.Date
})

const UnderivedRow = rowOf({
  answerId: AnswerId,
  adapter: Schema.String,
  payload: Schema.Uint8Array,
  text: Schema.String,
  citations: Schema.Array(Citation)
})

const readColumns = {
  answerId: AnswerId,
  scanId: ScanId,
  platform: PlatformId,
  search: Schema.NullOr(SearchMode),
  payloadKept: Schema.Boolean,
  status: Schema.NullOr(SourcesStatus),
  // Read as stored, without checks, because the sources of many answers are read at once
  sources: jsonOf<ReadonlyArray<Source>>(),
  queries: Schema.Array(Schema.String)
}
const ReadRow = rowOf(readColumns)

const listedColumns = { ...readColumns, keywordId: KeywordId, createdAt: Schema.Date }
const MeasuredRow = rowOf({
  ...listedColumns,
  brandMentioned: Schema.Boolean,
  mentionPosition: Schema.NullOr(Schema.Int),
  competitorsMentioned: Schema.Array(CompetitorId),
  origin: jsonOf<AnswerOrigin>()
})
const ListedRow = rowOf(
  Struct.pick(listedColumns, ["answerId", "scanId", "createdAt", "platform", "keywordId", "sources"])
)

const counts = { answers: Schema.Int, derived: Schema.Int }
const CountsRow = rowOf(counts)
const ScanCountsRow = rowOf({ scanId: ScanId, ...counts })
const PlatformRow = rowOf({ platform: PlatformId })

const maxUnderived = 500

/** Sources in table `answer_sources`, which the database keeps append-only. */
export const PgSourceStore = Layer.effect(
  SourceStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    // Selects a row if sources are already derived. Without a payload, newer rules would find less than an import
    // restored, and readers use the newest version. So for answers without a payload any version counts. Postgres knows
    // the payload's length without reading it.
    const selectDerived = (organizationId: OrganizationId, sourceVersion: number) =>
      sql`
        select 1 from answer_sources
        where answer_sources.organization_id = ${organizationId} and answer_id = answer.id
          and (source_version = ${sourceVersion} or octet_length(payload) = 0)
        limit 1 offset 0
      `
    const newest = sql`
      select status, sources, queries from answer_sources
      where answer_sources.organization_id = answer.organization_id and answer_sources.answer_id = answer.id
      order by source_version desc limit 1
    `
    // Answers without a row of sources have the status null
    const newestColumns = sql`
      newest.status, coalesce(newest.sources, '[]') as sources, coalesce(newest.queries, '{}') as queries
    `
    const payloadKept = sql`octet_length(payload) > 0 as payload_kept`
    return SourceStore.of({
      insert: (organizationId, sources) =>
        inBatches(sql, sources, (batch) =>
          sql`
            insert into answer_sources ${
            sql.insert(Array.map(batch, (stored) => sourceColumns(sql, organizationId, stored)))
          } on conflict do nothing
          `).pipe(Effect.asVoid, withStoreErrors("add sources")),

      // Postgres knows the lengths without reading the values
      underived: (organizationId, scanId, sourceVersion, { after, bytes }) =>
        sql`
          select answer.id as answer_id, adapter, payload, raw_response as text, citations
          from (
            select id, coalesce(sum(octet_length(payload) + octet_length(raw_response)) over before, 0) as bytes_before
            from (
              select id, payload, raw_response from answer
              where organization_id = ${organizationId} and scan_id = ${scanId}
                ${after === undefined ? sql`` : sql`and id > ${after}`}
                and not exists (${selectDerived(organizationId, sourceVersion)})
              order by id limit ${maxUnderived}
            ) found
            window before as (order by id rows between unbounded preceding and 1 preceding)
          ) sized
          join answer on answer.organization_id = ${organizationId} and answer.id = sized.id
          where bytes_before < ${bytes}
          order by answer.id
        `.pipe(
          decodeRows(UnderivedRow),
          withStoreErrors("list answers without sources")
        ),

      counts: (organizationId, scanId, sourceVersion) =>
        sql`
          select count(*)::int as answers, count((${selectDerived(organizationId, sourceVersion)}))::int as derived
          from answer where organization_id = ${organizationId} and scan_id = ${scanId}
        `.pipe(decodeOne(CountsRow), withStoreErrors("count sources")),

      countsOfScans: (organizationId, scanIds, sourceVersion) =>
        sql`
          select wanted.id as scan_id, answers, derived
          from unnest(${formatUuidArray(scanIds)}::uuid[]) wanted (id) cross join lateral (
            select count(*)::int as answers, count((${selectDerived(organizationId, sourceVersion)}))::int as derived
            from answer where organization_id = ${organizationId} and scan_id = wanted.id
          ) counted
          where answers > 0
        `.pipe(
          decodeRows(ScanCountsRow),
          Effect.map((rows) => new Map(rows.map(({ scanId, ...its }) => [scanId, its]))),
          withStoreErrors("count sources")
        ),

      find: (organizationId, id) =>
        sql`
          select answer_id, source_version, status, sources, queries, cut, derived_at from answer_sources
          where organization_id = ${organizationId} and answer_id = ${id}
          order by source_version desc limit 1
        `.pipe(
          decodeFirst(StoredRow),
          withStoreErrors("find sources")
        ),

      ofAnswers: (organizationId, ids) =>
        sql`
          select answer.id as answer_id, scan_id, platform, search, ${payloadKept}, ${newestColumns}
          from answer left join lateral (${newest}) newest on true
          where answer.organization_id = ${organizationId} and answer.id = any(${formatUuidArray(ids)}::uuid[])
        `.pipe(decodeRows(ReadRow), withStoreErrors("find sources of answers")),

      listReportingPlatforms: (organizationId, scanId) =>
        sql`
          select distinct platform from answer cross join lateral (${newest}) newest
          where answer.organization_id = ${organizationId} and scan_id = ${scanId} and newest.status = 'complete'
        `.pipe(
          decodeRows(PlatformRow),
          Effect.map((rows) => new Set(rows.map(({ platform }) => platform))),
          withStoreErrors("list platforms that report sources")
        ),

      ofScans: (organizationId, scanIds, { measureVersion, trackedSetVersion }) =>
        sql`
          select answer.id as answer_id, scan_id, platform, keyword_id, search, created_at, brand_mentioned, mention_position,
            competitors_mentioned, json_build_object('model', nullif(model, 'unknown'), 'search', search,
              'sent', (answer.asked -> 'market')::text) as origin, ${payloadKept}, ${newestColumns}
          from answer
          cross join lateral (
            select brand_mentioned, mention_position, competitors_mentioned from measurement
            where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
              and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
            limit 1 offset 0
          ) measured
          left join lateral (${newest}) newest on true
          where answer.organization_id = ${organizationId} and answer.scan_id = any(${formatUuidArray(scanIds)}::uuid[])
          order by answer.id
        `.pipe(decodeRows(MeasuredRow), withStoreErrors("read sources of scans")),

      stateOf: (organizationId, scanIds) =>
        sql`${selectSourceState(sql, organizationId, sql`${formatUuidArray(scanIds)}::uuid[]`, scanIds.length)}`.pipe(
          decodeOne(SourceStateRow),
          withStoreErrors("read the state of sources")
        ),

      ofScan: (organizationId, scanId) =>
        sql`
          select answer.id as answer_id, scan_id, platform, keyword_id, created_at, newest.sources
          from answer
          cross join lateral (${newest}) newest
          where answer.organization_id = ${organizationId} and answer.scan_id = ${scanId} and newest.sources <> '[]'
          order by answer.id
        `.pipe(
          decodeRows(ListedRow),
          withStoreErrors("read sources of a scan")
        )
    })
  })
)
