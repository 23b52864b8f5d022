/** Where a scan names the brand and earlier answers do not. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { absentIn, type NewMention } from "../../domain/alerts/newMention.ts"
import type { AnswerId, KeywordId, OrganizationId, ScanId } from "../../domain/ids.ts"
import type { Sentiment } from "../../domain/Measurement.ts"
import type { PlatformId } from "../../domain/Platform.ts"
import type { MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { guarded } from "./sqlErrors.ts"

interface NewMentionRow {
  readonly id: string
  readonly platform: string
  readonly keyword_id: string
  readonly mention_count: number
  readonly mention_position: number | null
  readonly sentiment: string | null
  readonly first: boolean
}

const fromRow = (row: NewMentionRow): NewMention => ({
  answerId: row.id as AnswerId,
  platform: row.platform as PlatformId,
  keywordId: row.keyword_id as KeywordId,
  mentionCount: row.mention_count,
  mentionPosition: row.mention_position,
  sentiment: row.sentiment as Sentiment | null,
  first: row.first
})

/**
 * As the port says it. The whole history is looked through only for the few cells that are new against their last
 * answers.
 */
export const newMentions = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  scanId: ScanId,
  { measureVersion, trackedSetVersion }: MeasurementVersions
) => {
  // `limit` and `offset` keep it a look-up of its own for each answer, whatever the planner knows of the tables
  const earlier = sql`
    from answer earlier
    join scan on scan.organization_id = earlier.organization_id and scan.id = earlier.scan_id
      and scan.simulated = this.simulated and (scan.started_at, scan.id) < (this.started_at, this.id)
    cross join lateral (
      select brand_mentioned from measurement
      where measurement.organization_id = earlier.organization_id and measurement.answer_id = earlier.id
      order by tracked_set_version desc, measure_version desc limit 1 offset 0
    ) newest
    where earlier.organization_id = ${organizationId} and earlier.keyword_id = named.keyword_id
      and earlier.platform = named.platform
  `
  return sql<NewMentionRow>`
    with this as materialized (select * from scan where organization_id = ${organizationId} and id = ${scanId}),
    named as materialized (
      select distinct on (platform, keyword_id) answer.id, platform, keyword_id, mention_count, mention_position, sentiment
      from answer cross join lateral (
        select mention_count, mention_position, sentiment, brand_mentioned from measurement
        where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
          and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
        limit 1 offset 0
      ) measured
      where organization_id = ${organizationId} and scan_id = ${scanId} and brand_mentioned
      order by platform, keyword_id, answer.id
    )
    select named.*, not exists(select ${earlier} and newest.brand_mentioned) as first
    from this cross join named cross join lateral (
      select bool_or(brand_mentioned) as named from (
        select newest.brand_mentioned ${earlier}
        order by earlier.created_at desc, earlier.id desc limit ${absentIn}
      ) last
    ) before
    -- null without an earlier answer
    where before.named = false
    order by named.platform, named.keyword_id
  `.pipe(Effect.map((rows) => rows.map(fromRow)), guarded("look for new mentions"))
}
