import type { PgClient } from "@effect/sql-pg"
import type { OrganizationId } from "../../../domain/ids.ts"
import type { StoredMeasurement } from "../../../ports/MeasurementStore.ts"
import { formatUuidArray, storableText } from "../values.ts"

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
  sentiment_by: storableText(measurement.sentimentBy),
  sov_score: measurement.sovScore,
  competitors_mentioned: formatUuidArray(measurement.competitorsMentioned),
  mentions: sql.json(measurement.mentions),
  measured_at: measurement.measuredAt
})
