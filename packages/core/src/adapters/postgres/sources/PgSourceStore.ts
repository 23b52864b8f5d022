import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type { Citation } from "../../../domain/archive/Answer.ts"
import type { AnswerId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { SearchMode, Source, SourcesStatus } from "../../../domain/sources/Source.ts"
import {
  type AnswerWithSources,
  type ReadAnswer,
  type SourceState,
  SourceStore,
  type StoredSources
} from "../../../ports/SourceStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, inBatches } from "../values.ts"
import { sourceColumns } from "./sourceColumns.ts"
import { selectSourceState } from "./sourceState.ts"

interface Row {
  readonly answer_id: string
  readonly source_version: number
  readonly status: string
  readonly sources: ReadonlyArray<Source>
  readonly queries: ReadonlyArray<string>
  readonly cut: number
  readonly derived_at: Date
}

const storedSourcesFromRow = (row: Row): StoredSources => ({
  answerId: row.answer_id as AnswerId,
  sourceVersion: row.source_version,
  status: row.status as SourcesStatus,
  sources: row.sources,
  queries: row.queries,
  cut: row.cut,
  derivedAt: row.derived_at
})

interface UnderivedRow {
  readonly id: string
  readonly adapter: string
  readonly payload: Uint8Array
  readonly raw_response: string
  readonly citations: ReadonlyArray<Citation>
}

interface ReadRow {
  readonly id: string
  readonly scan_id: string
  readonly platform: string
  readonly search: string | null
  readonly payload_kept: boolean
  readonly status: string | null
  readonly sources: ReadonlyArray<Source> | null
  readonly queries: ReadonlyArray<string> | null
}

const readAnswerFromRow = (row: ReadRow): ReadAnswer => ({
  answerId: row.id as AnswerId,
  scanId: row.scan_id as ScanId,
  platform: row.platform as PlatformId,
  search: row.search as SearchMode | null,
  payloadKept: row.payload_kept,
  status: row.status as SourcesStatus | null,
  sources: row.sources ?? [],
  queries: row.queries ?? []
})

interface MeasuredRow extends ReadRow {
  readonly keyword_id: string
  readonly created_at: Date
  readonly brand_mentioned: boolean
  readonly competitors_mentioned: ReadonlyArray<string>
}

const answerWithSourcesFromRow = (row: MeasuredRow): AnswerWithSources => ({
  ...readAnswerFromRow(row),
  keywordId: row.keyword_id as KeywordId,
  createdAt: row.created_at,
  brandMentioned: row.brand_mentioned,
  competitorsMentioned: row.competitors_mentioned as ReadonlyArray<CompetitorId>
})

const maxUnderived = 500

/** Sources in table `answer_sources`, which the database keeps append-only. */
export const PgSourceStore = Layer.effect(
  SourceStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    // Newer rules find less without a payload than what an import restored, and readers take the newest version:
    // without a payload any version counts. Its length is known without reading it.
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
    const payloadKept = sql`octet_length(payload) > 0 as payload_kept`
    return SourceStore.of({
      insert: (organizationId, sources) =>
        inBatches(sql, sources, (batch) =>
          sql`
            insert into answer_sources ${
            sql.insert(Array.map(batch, (stored) => sourceColumns(sql, organizationId, stored)))
          } on conflict do nothing
          `).pipe(Effect.asVoid, withStoreErrors("add sources")),

      // The lengths are known without reading what is behind them
      underived: (organizationId, scanId, sourceVersion, { after, bytes }) =>
        sql<UnderivedRow>`
          select answer.id, adapter, payload, raw_response, citations
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
          Effect.map((rows) =>
            rows.map(({ adapter, citations, id, payload, raw_response }) => ({
              answerId: id as AnswerId,
              adapter,
              payload,
              text: raw_response,
              citations
            }))
          ),
          withStoreErrors("list answers without sources")
        ),

      counts: (organizationId, scanId, sourceVersion) =>
        sql<{ readonly answers: number; readonly derived: number }>`
          select count(*)::int as answers, count((${selectDerived(organizationId, sourceVersion)}))::int as derived
          from answer where organization_id = ${organizationId} and scan_id = ${scanId}
        `.pipe(Effect.map(([row]) => row!), withStoreErrors("count sources")),

      countsOfScans: (organizationId, scanIds, sourceVersion) =>
        sql<{ readonly scan_id: string; readonly answers: number; readonly derived: number }>`
          select wanted.id as scan_id, answers, derived
          from unnest(${formatUuidArray(scanIds)}::uuid[]) wanted (id) cross join lateral (
            select count(*)::int as answers, count((${selectDerived(organizationId, sourceVersion)}))::int as derived
            from answer where organization_id = ${organizationId} and scan_id = wanted.id
          ) counted
          where answers > 0
        `.pipe(
          Effect.map((rows) => new Map(rows.map(({ scan_id, ...counts }) => [scan_id as ScanId, counts]))),
          withStoreErrors("count sources")
        ),

      find: (organizationId, id) =>
        sql<Row>`
          select answer_id, source_version, status, sources, queries, cut, derived_at from answer_sources
          where organization_id = ${organizationId} and answer_id = ${id}
          order by source_version desc limit 1
        `.pipe(
          Effect.map(([row]) => row === undefined ? null : storedSourcesFromRow(row)),
          withStoreErrors("find sources")
        ),

      ofAnswers: (organizationId, ids) =>
        sql<ReadRow>`
          select answer.id, scan_id, platform, search, ${payloadKept}, newest.status, newest.sources, newest.queries
          from answer left join lateral (${newest}) newest on true
          where answer.organization_id = ${organizationId} and answer.id = any(${formatUuidArray(ids)}::uuid[])
        `.pipe(Effect.map((rows) => rows.map(readAnswerFromRow)), withStoreErrors("find sources of answers")),

      listReportingPlatforms: (organizationId, scanId) =>
        sql<{ readonly platform: string }>`
          select distinct platform from answer cross join lateral (${newest}) newest
          where answer.organization_id = ${organizationId} and scan_id = ${scanId} and newest.status = 'complete'
        `.pipe(
          Effect.map((rows) => new Set(rows.map(({ platform }) => platform as PlatformId))),
          withStoreErrors("list platforms that report sources")
        ),

      ofScans: (organizationId, scanIds, { measureVersion, trackedSetVersion }) =>
        sql<MeasuredRow>`
          select answer.id, scan_id, platform, keyword_id, search, created_at, brand_mentioned, competitors_mentioned,
            ${payloadKept}, newest.status, newest.sources, newest.queries
          from answer
          cross join lateral (
            select brand_mentioned, competitors_mentioned from measurement
            where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
              and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
            limit 1 offset 0
          ) measured
          left join lateral (${newest}) newest on true
          where answer.organization_id = ${organizationId} and answer.scan_id = any(${formatUuidArray(scanIds)}::uuid[])
          order by answer.id
        `.pipe(Effect.map((rows) => rows.map(answerWithSourcesFromRow)), withStoreErrors("read sources of scans")),

      stateOf: (organizationId, scanIds) =>
        sql<SourceState>`${
          selectSourceState(sql, organizationId, sql`${formatUuidArray(scanIds)}::uuid[]`, scanIds.length)
        }`.pipe(Effect.map(([row]) => row!), withStoreErrors("read the state of sources")),

      ofScan: (organizationId, scanId) =>
        sql<Pick<MeasuredRow, "id" | "scan_id" | "platform" | "keyword_id" | "created_at"> & Pick<Row, "sources">>`
          select answer.id, scan_id, platform, keyword_id, created_at, newest.sources
          from answer
          cross join lateral (${newest}) newest
          where answer.organization_id = ${organizationId} and answer.scan_id = ${scanId} and newest.sources <> '[]'
          order by answer.id
        `.pipe(
          Effect.map((rows) =>
            rows.map(({ created_at, id, keyword_id, platform, scan_id, sources }) => ({
              answerId: id as AnswerId,
              scanId: scan_id as ScanId,
              createdAt: created_at,
              platform: platform as PlatformId,
              keywordId: keyword_id as KeywordId,
              sources
            }))
          ),
          withStoreErrors("read sources of a scan")
        )
    })
  })
)
