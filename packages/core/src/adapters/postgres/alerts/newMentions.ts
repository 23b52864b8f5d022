/**
 * Finds where a scan names the brand and earlier answers do not: the domain's rule `classifyNovelty`, in SQL. A
 * contract test compares the two.
 *
 * It is in SQL because there are many earlier answers: for a scan of 250 cells after 400 scans, the query takes 0.18 s;
 * fetching the 65,000 earlier answers of the cells that name the brand takes 1.5 s (embedded home).
 */
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decidingAnswers } from "../../../domain/alerts/newMention.ts"
import { AnswerId, KeywordId, type OrganizationId, type ScanId } from "../../../domain/ids.ts"
import { Sentiment } from "../../../domain/measuring/Measurement.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { maxPageBytes, type MeasurementVersions } from "../../../ports/MeasurementStore.ts"
import { UnmeasuredRow } from "../measuring/unmeasured.ts"
import { decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { literalInteger } from "../values.ts"

const NewMentionRow = rowOf({
  answerId: AnswerId,
  platform: PlatformId,
  keywordId: KeywordId,
  mentionCount: Schema.Int,
  mentionPosition: Schema.NullOr(Schema.Int),
  sentiment: Schema.NullOr(Sentiment),
  first: Schema.Boolean
})

/**
 * Creates the parts of the queries below. `limit` and `offset` force a separate look-up of the measurement for each
 * answer, whatever the planner knows about the tables.
 */
const makeQueryParts = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  scanId: ScanId,
  { measureVersion, trackedSetVersion }: MeasurementVersions
) => {
  const selectMeasurement = (answer: "answer" | "earlier") =>
    sql`
      select mention_count, mention_position, sentiment, brand_mentioned from measurement
      where measurement.organization_id = ${sql(answer)}.organization_id and measurement.answer_id = ${sql(answer)}.id
        and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
      limit 1 offset 0
    `
  // Selects the answers of earlier scans to a cell of `named`
  const earlier = sql`
    from answer earlier
    join scan on scan.organization_id = earlier.organization_id and scan.id = earlier.scan_id
      and scan.simulated = this.simulated and scan.view is not distinct from this.view
      and (scan.surface is not distinct from 'app') = (this.surface is not distinct from 'app')
      and (scan.started_at, scan.id) < (this.started_at, this.id)
    left join lateral (${selectMeasurement("earlier")}) measured on true
    where earlier.organization_id = ${organizationId} and earlier.keyword_id = named.keyword_id
      and earlier.platform = named.platform
  `
  // Whether the two answers have no known difference in origin that would make `findBreaks` report a break between them
  const isAlike = sql`
    (earlier.model = named.model or 'unknown' in (earlier.model, named.model))
      and (earlier.search = named.search or earlier.search is null or named.search is null)
      and (earlier.asked -> 'market' = named.asked -> 'market' or earlier.asked is null or named.asked is null)
  `
  // `fresh`: the cells where the scan names the brand, while the earlier answers that decide are not known to name it
  const fresh = sql`
    with this as materialized (select * from scan where organization_id = ${organizationId} and id = ${scanId}),
    named as materialized (
      select distinct on (platform, keyword_id) answer.id, platform, keyword_id, model, search, asked,
        mention_count, mention_position, sentiment
      from answer cross join lateral (${selectMeasurement("answer")}) measured
      where organization_id = ${organizationId} and scan_id = ${scanId} and brand_mentioned
      order by platform, keyword_id, answer.id
    ),
    fresh as materialized (
      select named.* from this cross join named cross join lateral (
        select bool_or(coalesce(brand_mentioned, false)) as named from (
          select measured.brand_mentioned ${earlier} and ${isAlike}
          order by earlier.created_at desc, earlier.id desc limit ${decidingAnswers}
        ) last
      ) before
      -- null without an earlier answer of the same origin
      where before.named = false
    )
  `
  return { earlier, fresh, isAlike }
}

/**
 * Implements `newMentions` of MeasurementStore. Reads the whole history only for the few cells whose last answers do
 * not name the brand.
 */
export const newMentions = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  scanId: ScanId,
  versions: MeasurementVersions
) => {
  const { earlier, fresh } = makeQueryParts(sql, organizationId, scanId, versions)
  return sql`
    ${fresh}
    select named.*, named.id as answer_id, not exists(select ${earlier} and measured.brand_mentioned) as first
    from this cross join fresh named order by platform, keyword_id
  `.pipe(decodeRows(NewMentionRow), withStoreErrors("look for new mentions"))
}

/** Implements `unmeasuredBefore` of MeasurementStore. */
export const unmeasuredBefore = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  scanId: ScanId,
  versions: MeasurementVersions,
  limit: number
) => {
  const { earlier, fresh, isAlike } = makeQueryParts(sql, organizationId, scanId, versions)
  return sql`
    ${fresh}
    select answer_id, keyword_id, platform, prompt_used, raw_response from (
      select found.*, sum(octet_length(raw_response)) over before as bytes_before from (
    select answer.id as answer_id, answer.keyword_id, answer.platform, answer.prompt_used, answer.raw_response, back
    from this cross join fresh named cross join lateral (
      select earlier.id, measured.brand_mentioned is null as missing,
        row_number() over (partition by ${isAlike} order by earlier.created_at desc, earlier.id desc) as back,
        bool_or(coalesce(measured.brand_mentioned, false)) over () as known
      ${earlier}
    ) one
    join answer on answer.organization_id = ${organizationId} and answer.id = one.id
    where missing and (back <= ${decidingAnswers} or not known)
    order by back, answer.id limit ${limit}
      ) found
      window before as (order by back, answer_id rows between unbounded preceding and 1 preceding)
    ) sized
    where coalesce(bytes_before, 0) < ${literalInteger(maxPageBytes)}
    order by back, answer_id
  `.pipe(decodeRows(UnmeasuredRow), withStoreErrors("list unmeasured earlier answers"))
}
