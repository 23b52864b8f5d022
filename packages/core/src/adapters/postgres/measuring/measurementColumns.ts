import type { PgClient } from "@effect/sql-pg"
import type { SqlClient } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import type { StoredMeasurement } from "../../../ports/MeasurementStore.ts"
import { formatUuidArray, toStorableText } from "../values.ts"

/** A measurement as the columns of table `measurement`. */
export const measurementColumns = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  measurement: StoredMeasurement
) => ({
  organization_id: organizationId,
  answer_id: measurement.answerId,
  measure_version: measurement.measureVersion,
  tracked_set_version: measurement.trackedSetVersion,
  icu_version: measurement.icuVersion,
  brand_mentioned: measurement.brandMentioned,
  mention_count: measurement.mentionCount,
  mention_position: measurement.mentionPosition,
  sentiment: measurement.sentiment,
  sentiment_by: toStorableText(measurement.sentimentBy),
  sov_score: measurement.sovScore,
  competitors_mentioned: formatUuidArray(measurement.competitorsMentioned),
  mentions: sql.json(measurement.mentions),
  measured_at: measurement.measuredAt
})

/**
 * Adds the measurements that are missing. Each column is passed as one array: parsing a parameter for each value would
 * take longer than inserting.
 */
export const insertMeasurements = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  measurements: ReadonlyArray<StoredMeasurement>
) => {
  const texts = (of: (one: StoredMeasurement) => string) => measurements.map(of)
  const numbers = (of: (one: StoredMeasurement) => number | boolean | null) =>
    `{${measurements.map((one) => of(one) ?? "NULL").join(",")}}`
  // A sentiment is one of our words or null. An empty text represents null, because the driver cannot put null into an
  // array
  return sql`
    insert into measurement (organization_id, answer_id, measure_version, tracked_set_version, icu_version, brand_mentioned,
      mention_count, mention_position, sentiment, sentiment_by, sov_score, competitors_mentioned, mentions, measured_at)
    select ${organizationId}::uuid, answer_id, measure_version, tracked_set_version, icu_version, brand_mentioned,
      mention_count, mention_position, nullif(sentiment, ''), sentiment_by, sov_score, competitors::uuid[],
      mentions::jsonb, measured_at
    from unnest(
      ${formatUuidArray(texts(({ answerId }) => answerId))}::uuid[],
      ${numbers((one) => one.measureVersion)}::integer[],
      ${numbers((one) => one.trackedSetVersion)}::integer[],
      ${texts((one) => one.icuVersion)}::text[],
      ${numbers((one) => one.brandMentioned)}::boolean[],
      ${numbers((one) => one.mentionCount)}::integer[],
      ${numbers((one) => one.mentionPosition)}::integer[],
      ${texts((one) => one.sentiment ?? "")}::text[],
      ${texts((one) => toStorableText(one.sentimentBy))}::text[],
      ${numbers((one) => one.sovScore)}::double precision[],
      ${texts((one) => formatUuidArray(one.competitorsMentioned))}::text[],
      ${texts((one) => JSON.stringify(one.mentions))}::text[],
      ${texts((one) => one.measuredAt.toISOString())}::text[]::timestamptz[]
    ) given (answer_id, measure_version, tracked_set_version, icu_version, brand_mentioned, mention_count,
      mention_position, sentiment, sentiment_by, sov_score, competitors, mentions, measured_at)
    on conflict do nothing
  `
}
