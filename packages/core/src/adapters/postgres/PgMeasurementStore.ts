import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type { AnswerId, CompetitorId, KeywordId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/Platform.ts"
import type { ScoredRow } from "../../domain/Score.ts"
import { MeasurementStore, type Unmeasured } from "../../ports/MeasurementStore.ts"
import { measurementColumns } from "./measurementColumns.ts"
import { guarded } from "./sqlErrors.ts"
import { inBatches } from "./values.ts"

interface UnmeasuredRow {
  readonly id: string
  readonly keyword_id: string
  readonly platform: string
  readonly prompt_used: string
  readonly raw_response: string
}

const unmeasuredFromRow = (row: UnmeasuredRow): Unmeasured => ({
  answerId: row.id as AnswerId,
  keywordId: row.keyword_id as KeywordId,
  platform: row.platform as PlatformId,
  promptUsed: row.prompt_used,
  rawResponse: row.raw_response
})

interface MeasuredRow {
  readonly platform: string
  readonly keyword_id: string
  readonly brand_mentioned: boolean
  readonly competitors_mentioned: ReadonlyArray<string>
}

const scoredFromRow = (row: MeasuredRow): ScoredRow => ({
  platform: row.platform as PlatformId,
  keywordId: row.keyword_id as KeywordId,
  brandMentioned: row.brand_mentioned,
  competitorsMentioned: row.competitors_mentioned as ReadonlyArray<CompetitorId>
})

/** Measurements in table `measurement`, which the database keeps append-only. */
export const PgMeasurementStore = Layer.effect(
  MeasurementStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return MeasurementStore.of({
      insert: (organizationId, measurements) =>
        inBatches(sql, measurements, (batch) =>
          sql`
            insert into measurement ${
            sql.insert(Array.map(batch, (measurement) => measurementColumns(sql, organizationId, measurement)))
          } on conflict do nothing
          `).pipe(Effect.asVoid, guarded("add measurements")),

      unmeasured: (organizationId, scanId, { measureVersion, trackedSetVersion }, limit) =>
        sql<UnmeasuredRow>`
          select id, keyword_id, platform, prompt_used, raw_response from answer
          where organization_id = ${organizationId} and scan_id = ${scanId} and not exists (
            select 1 from measurement
            where measurement.organization_id = ${organizationId} and measurement.answer_id = answer.id
              and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
          )
          order by id limit ${limit}
        `.pipe(Effect.map((rows) => rows.map(unmeasuredFromRow)), guarded("list unmeasured answers")),

      rows: (organizationId, scanId, { measureVersion, trackedSetVersion }) =>
        sql<MeasuredRow>`
          select answer.platform, answer.keyword_id, measurement.brand_mentioned, measurement.competitors_mentioned
          from answer
          join measurement on measurement.organization_id = answer.organization_id
            and measurement.answer_id = answer.id
          where answer.organization_id = ${organizationId} and answer.scan_id = ${scanId}
            and measurement.tracked_set_version = ${trackedSetVersion}
            and measurement.measure_version = ${measureVersion}
          order by answer.id
        `.pipe(Effect.map((rows) => rows.map(scoredFromRow)), guarded("read measurements"))
    })
  })
)
