import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { AnswerId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../../../domain/ids.ts"
import { type Mention, Sentiment } from "../../../domain/measuring/Measurement.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Origin } from "../../../domain/scoring/breaks.ts"
import { SearchMode } from "../../../domain/sources/Source.ts"
import { AnalysisError } from "../../../ports/AnswerAnalysis.ts"
import {
  maxPageBytes,
  type MeasuredScans,
  MeasurementStore,
  type MeasurementVersions
} from "../../../ports/MeasurementStore.ts"
import { newMentions, unmeasuredBefore } from "../alerts/newMentions.ts"
import { decodeFirst, decodeOne, decodeRows, jsonOf, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, inBatches, literalInteger, literalLimit } from "../values.ts"
import { insertMeasurements } from "./measurementColumns.ts"
import { unmeasuredColumns, UnmeasuredRow } from "./unmeasured.ts"

const reading = {
  measureVersion: Schema.Int,
  trackedSetVersion: Schema.Int,
  brandMentioned: Schema.Boolean,
  mentionCount: Schema.Int,
  sentiment: Schema.NullOr(Sentiment),
  sovScore: Schema.Number
}
const NewestRow = rowOf({ ...unmeasuredColumns, newest: Schema.NullOr(rowOf(reading)) })

const versionsOf = { answerId: AnswerId, measureVersion: Schema.Int, trackedSetVersion: Schema.Int }

const FailureRow = rowOf({
  ...versionsOf,
  reason: AnalysisError.fields.reason,
  failedAt: Schema.Date
})

const competitorsMentioned = Schema.Array(CompetitorId)
const mentions = jsonOf<ReadonlyArray<Mention>>()
const MentionsRow = rowOf({ ...versionsOf, competitorsMentioned, sentiment: Schema.NullOr(Sentiment), mentions })

const RulesRow = rowOf({
  answerId: AnswerId,
  trackedSetVersion: Schema.Int,
  brandMentioned: Schema.Boolean,
  mentionCount: Schema.Int,
  mentionPosition: Schema.NullOr(Schema.Int),
  sentiment: Schema.NullOr(Sentiment),
  mentions
})

const ScoredRow = rowOf({
  platform: PlatformId,
  keywordId: KeywordId,
  brandMentioned: Schema.Boolean,
  competitorsMentioned
})

const FailuresRow = rowOf({ organizationId: OrganizationId, answers: Schema.Int })
const UntriedRow = rowOf({ untried: Schema.Boolean })
const counts = { answers: Schema.Int, measured: Schema.Int }
const CountsRow = rowOf(counts)
const ScanCountsRow = rowOf({ scanId: ScanId, ...counts })
const CommonRow = rowOf({
  scanId: ScanId,
  platform: PlatformId,
  cells: Schema.Int,
  common: Schema.Int,
  origins: jsonOf<ReadonlyArray<Origin>>()
})

const OriginRow = rowOf({
  scanId: ScanId,
  platform: PlatformId,
  model: Schema.NullOr(Schema.String),
  search: Schema.NullOr(SearchMode),
  sent: Schema.NullOr(Schema.String),
  answers: Schema.Int
})

/** The separators of rows and of fields in `rowsOfScans`; they are removed from model names. */
const [rowEnd, fieldEnd] = ["\u001e", "\u001f"]

/**
 * Parses a row of `rowsOfScans`: scan id, keyword id, platform, 1 if the brand is named (else 0) and ids of
 * competitors, separated by spaces; then search mode, model and sent market, separated by `fieldEnd`.
 */
const scoredFromText = (text: string): MeasuredScans["rows"][number] => {
  const [fields, search, model, sent] = text.split(fieldEnd)
  const [scanId, keywordId, platform, mentioned, ...competitors] = fields!.split(" ")
  return {
    scanId: scanId as ScanId,
    keywordId: keywordId as KeywordId,
    platform: platform as PlatformId,
    brandMentioned: mentioned === "1",
    competitorsMentioned: competitors.filter((id) => id !== "") as ReadonlyArray<string> as ReadonlyArray<CompetitorId>,
    origin: {
      model: model === "" ? null : model!,
      search: search === "" ? null : search as SearchMode,
      sent: sent || null
    }
  }
}

/** Measurements in table `measurement`, which the database keeps append-only; failures in `measurement_failure`. */
export const PgMeasurementStore = Layer.effect(
  MeasurementStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    // Selects the measurement of an answer. `limit` and `offset` force a separate look-up for each answer. A join would
    // be planned by statistics, which the embedded database never gathers: each answer would be compared with all
    // measurements of these versions.
    const selectMeasurement = (
      organizationId: OrganizationId,
      { measureVersion, trackedSetVersion }: MeasurementVersions,
      columns: string
    ) =>
      sql`
        select ${sql.literal(columns)} from measurement
        where measurement.organization_id = ${organizationId} and measurement.answer_id = answer.id
          and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
        limit 1 offset 0
      `
    // The model of an imported answer may be unknown
    const knownModel = sql`translate(case model when 'unknown' then '' else model end, ${rowEnd + fieldEnd}, '')`
    // As text, so that null means unknown and a JSON null means that no market was sent
    const sentMarket = sql.literal("(answer.asked -> 'market')::text")
    const isStillUnmeasured = sql`
      not exists (
        select from measurement
        where measurement.organization_id = failure.organization_id and measurement.answer_id = failure.answer_id
          and measurement.tracked_set_version = failure.tracked_set_version
          and measurement.measure_version = failure.measure_version
      )`
    /** Selects the next answers of a scan; the page ends after the answer that brings its texts to `maxPageBytes`. */
    const selectPage = (
      organizationId: OrganizationId,
      scanId: ScanId,
      limit: number,
      after: AnswerId | undefined,
      condition: Statement.Fragment
    ) =>
      sql`
        select * from (
          select found.*, sum(octet_length(raw_response)) over before as bytes_before
          from (
            select id, keyword_id, platform, prompt_used, raw_response from answer
            where organization_id = ${organizationId} and scan_id = ${scanId}
              ${after === undefined ? sql`` : sql`and id > ${after}`} ${condition}
            order by id limit ${literalLimit(limit)}
          ) found
          window before as (order by id rows between unbounded preceding and 1 preceding)
        ) sized
        where coalesce(bytes_before, 0) < ${literalInteger(maxPageBytes)}
      `
    return MeasurementStore.of({
      insert: (organizationId, measurements) =>
        inBatches(sql, measurements, (batch) => insertMeasurements(sql, organizationId, batch)).pipe(
          Effect.asVoid,
          withStoreErrors("add measurements")
        ),

      noteFailure: (organizationId, failure) =>
        sql`
          insert into measurement_failure
            (organization_id, answer_id, tracked_set_version, measure_version, reason, failed_at)
          select organization_id, id, ${failure.trackedSetVersion}, ${failure.measureVersion}, ${failure.reason}, ${failure.failedAt}
          from answer where organization_id = ${organizationId} and id = ${failure.answerId}
          on conflict (organization_id, answer_id, tracked_set_version, measure_version)
            do update set reason = excluded.reason, failed_at = excluded.failed_at
        `.pipe(Effect.asVoid, withStoreErrors("note an answer that is not measured")),

      findFailure: (organizationId, answerId) =>
        sql`
          select failure.* from measurement_failure failure
          where organization_id = ${organizationId} and answer_id = ${answerId} and ${isStillUnmeasured}
          order by tracked_set_version desc, measure_version desc limit 1
        `.pipe(
          decodeFirst(FailureRow),
          withStoreErrors("read why an answer is not measured")
        ),

      countFailures: (measureVersion) =>
        sql`
          select organization_id, count(*)::int as answers from measurement_failure failure
          where measure_version = ${measureVersion} and ${isStillUnmeasured} and tracked_set_version = (
            select max(version) from tracked_set where tracked_set.organization_id = failure.organization_id
          )
          group by organization_id order by organization_id
        `.pipe(
          decodeRows(FailuresRow),
          withStoreErrors("count answers that are not measured")
        ),

      unmeasured: (organizationId, scanId, versions, limit, after) => {
        const isUnmeasured = sql`and not exists (${selectMeasurement(organizationId, versions, "1")})`
        return sql`
          select id as answer_id, keyword_id, platform, prompt_used, raw_response
          from (${selectPage(organizationId, scanId, limit, after, isUnmeasured)}) page order by id
        `.pipe(decodeRows(UnmeasuredRow), withStoreErrors("list unmeasured answers"))
      },

      hasUntried: (organizationId, scanId, versions) =>
        sql`
          select exists (
            select from answer
            where organization_id = ${organizationId} and scan_id = ${scanId}
              and not exists (${selectMeasurement(organizationId, versions, "1")})
              and not exists (
                select from measurement_failure failure
                where failure.organization_id = ${organizationId} and failure.answer_id = answer.id
                  and failure.tracked_set_version = ${versions.trackedSetVersion}
                  and failure.measure_version = ${versions.measureVersion}
              )
          ) as untried
        `.pipe(
          decodeOne(UntriedRow),
          Effect.map(({ untried }) => untried),
          withStoreErrors("look for an answer that waits for measuring")
        ),

      counts: (organizationId, scanId, versions) =>
        sql`
          select count(*)::int as answers, count((${selectMeasurement(organizationId, versions, "1")}))::int as measured
          from answer where organization_id = ${organizationId} and scan_id = ${scanId}
        `.pipe(decodeOne(CountsRow), withStoreErrors("count measurements")),

      // Measurements are only ever added, so if a score covers all answers, they are not looked up one by one
      countsOfScans: (organizationId, scanIds, versions) =>
        sql`
          select wanted.id as scan_id, answers, case when answers = (
            select max(results_count - unmeasured_count) from score
            where score.organization_id = ${organizationId} and score.scan_id = wanted.id
              and tracked_set_version = ${versions.trackedSetVersion} and measure_version = ${versions.measureVersion}
          ) then answers else (
            select count((${selectMeasurement(organizationId, versions, "1")}))::int
            from answer where organization_id = ${organizationId} and scan_id = wanted.id
          ) end as measured
          from unnest(${formatUuidArray(scanIds)}::uuid[]) wanted (id) cross join lateral (
            select count(*)::int as answers from answer
            where organization_id = ${organizationId} and scan_id = wanted.id
          ) counted
          where answers > 0
        `.pipe(
          decodeRows(ScanCountsRow),
          Effect.map((rows) => new Map(rows.map(({ scanId, ...its }) => [scanId, its]))),
          withStoreErrors("count measurements")
        ),

      newest: (organizationId, scanId, limit, after, among) => {
        const isAmong = among === undefined ? sql`` : sql`and id = any(${formatUuidArray(among)}::uuid[])`
        return sql`
          select id as answer_id, keyword_id, platform, prompt_used, raw_response, to_jsonb(newest) as newest
          from (${selectPage(organizationId, scanId, limit, after, isAmong)}) page
          left join lateral (
            select measure_version, tracked_set_version, brand_mentioned, mention_count, sentiment, sov_score
            from measurement
            where measurement.organization_id = ${organizationId} and measurement.answer_id = page.id
            order by tracked_set_version desc, measure_version desc limit 1
          ) newest on true
          order by id
        `.pipe(decodeRows(NewestRow), withStoreErrors("read newest measurements"))
      },

      newestMentions: (organizationId, ids) =>
        sql`
          select newest.* from unnest(${formatUuidArray(ids)}::uuid[]) wanted (id)
          cross join lateral (
            select answer_id, measure_version, tracked_set_version, competitors_mentioned, sentiment, mentions
            from measurement
            where measurement.organization_id = ${organizationId} and measurement.answer_id = wanted.id
            order by tracked_set_version desc, measure_version desc limit 1
          ) newest
        `.pipe(
          decodeRows(MentionsRow),
          withStoreErrors("read mentions")
        ),

      newestByRules: (organizationId, ids, { icuVersion, measureVersion }) =>
        sql`
          select newest.* from unnest(${formatUuidArray(ids)}::uuid[]) wanted (id)
          cross join lateral (
            select answer_id, tracked_set_version, brand_mentioned, mention_count, mention_position, sentiment, mentions
            from measurement
            where measurement.organization_id = ${organizationId} and measurement.answer_id = wanted.id
              and measure_version = ${measureVersion} and icu_version = ${icuVersion} and sentiment_by = 'rules'
            order by tracked_set_version desc limit 1
          ) newest
        `.pipe(decodeRows(RulesRow), withStoreErrors("read measurements of the rules")),

      rows: (organizationId, scanId, versions) =>
        sql`
          select platform, keyword_id, brand_mentioned, competitors_mentioned
          from answer cross join lateral (
            ${selectMeasurement(organizationId, versions, "brand_mentioned, competitors_mentioned")}
          ) measured
          where organization_id = ${organizationId} and scan_id = ${scanId}
          order by id
        `.pipe(decodeRows(ScoredRow), withStoreErrors("read measurements")),

      // Returns the rows as one text: building JSON takes the embedded database longer than reading the rows
      rowsOfScans: (organizationId, scanIds, versions, keywordIds) => {
        const ids = sql`any(${formatUuidArray(scanIds)}::uuid[])`
        const ofKeywords = (column: string) =>
          keywordIds === undefined
            ? sql``
            : sql`and ${sql.literal(column)} = any(${formatUuidArray(keywordIds)}::uuid[])`
        return sql<MeasuredScans["trackedSet"] & Pick<MeasuredScans, "keywords"> & { readonly rows: string | null }>`
          select brand, competitors, topics,
            (
              select string_agg(
                concat_ws(' ', scan_id, keyword_id, platform, brand_mentioned::int, array_to_string(competitors_mentioned, ' '))
                  || ${fieldEnd}::text || coalesce(search, '') || ${fieldEnd}::text || ${knownModel}
                  || ${fieldEnd}::text || coalesce(${sentMarket}, ''),
                ${rowEnd}::text order by id
              )
              from answer cross join lateral (
                ${selectMeasurement(organizationId, versions, "brand_mentioned, competitors_mentioned")}
              ) measured
              where answer.organization_id = ${organizationId} and answer.scan_id = ${ids} ${
          ofKeywords("answer.keyword_id")
        }
            ) as rows,
            (
              select coalesce(json_agg(json_build_object('id', id, 'text', text) order by id), '[]') from keyword
              where organization_id = ${organizationId} ${ofKeywords("id")} and (
                select true from answer
                where answer.organization_id = ${organizationId} and answer.keyword_id = keyword.id
                  and answer.scan_id = ${ids}
                limit 1 offset 0
              )
            ) as keywords
          from tracked_set where organization_id = ${organizationId} and version = ${versions.trackedSetVersion}
        `.pipe(
          Effect.map(([found]) => {
            if (found === undefined) return null
            const { brand, competitors, keywords, rows, topics } = found
            return {
              trackedSet: { brand, competitors, ...topics === null ? {} : { topics } },
              rows: rows === null ? [] : rows.split(rowEnd).map(scoredFromText),
              keywords
            }
          }),
          withStoreErrors("read measurements of scans")
        )
      },

      // Uses window functions instead of joins, which would be planned by statistics (see `selectMeasurement`)
      countCommonCells: (organizationId, scanId, others, leftOut) =>
        sql`
          with found as materialized (
            select scan_id, keyword_id, platform, search, ${knownModel} as model, ${sentMarket} as sent from answer
            where organization_id = ${organizationId} and scan_id = any(${
          formatUuidArray([scanId, ...others])
        }::uuid[]) and keyword_id <> all(${formatUuidArray(leftOut)}::uuid[])
          )
          select scan_id, platform, count(*)::int as cells, count(*) filter (where shared)::int as common,
            (
              select json_agg(origin) from (
                select found.platform, nullif(model, '') as model, search, sent, count(*)::int as answers from found
                where found.scan_id = paired.scan_id and found.platform = paired.platform
                group by found.platform, model, search, sent
              ) origin
            ) as origins
          from (
            select scan_id, platform, bool_or(scan_id = ${scanId}::uuid) over (partition by keyword_id, platform) as shared
            from (select distinct scan_id, keyword_id, platform from found) cell
          ) paired
          group by scan_id, platform
        `.pipe(
          decodeRows(CommonRow),
          Effect.map((rows) => Map.groupBy(rows, (row) => row.scanId)),
          withStoreErrors("count common cells")
        ),

      originsOfScans: (organizationId, scanIds) =>
        sql`
          select scan_id, platform, nullif(${knownModel}, '') as model, search, ${sentMarket} as sent, count(*)::int as answers from answer
          where organization_id = ${organizationId} and scan_id = any(${formatUuidArray(scanIds)}::uuid[])
          group by scan_id, platform, answer.model, search, answer.asked -> 'market'
        `.pipe(
          decodeRows(OriginRow),
          Effect.map((rows) => Map.groupBy(rows, (row) => row.scanId)),
          withStoreErrors("read the models that answered")
        ),

      newMentions: (organizationId, scanId, versions) => newMentions(sql, organizationId, scanId, versions),

      unmeasuredBefore: (organizationId, scanId, versions, limit) =>
        unmeasuredBefore(sql, organizationId, scanId, versions, limit)
    })
  })
)
