/**
 * A scan stores how many questions it could have asked when it started, so that a narrowed scan stays marked, also in
 * `sov_v1.scans` and `sov_v1.scores`. Scans of earlier releases lack these numbers and do not count as narrowed.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteIdentifier } from "../backup/backupTables.ts"

/** The newest score of a scan. */
const newestScore = `
  lateral (
    select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
    order by tracked_set_version desc, measure_version desc, results_count - unmeasured_count desc limit 1
  ) newest on true`

/** New columns of a scan. They come last, because a view can only be extended at its end. */
const narrowing = `
  scan.cell_count / nullif(cardinality(scan.platforms) * scan.samples, 0) as asked_keywords, scan.askable_keywords as tracked_keywords,
  scan.askable_platforms as configured_platforms,
  coalesce(
    scan.cell_count / nullif(cardinality(scan.platforms) * scan.samples, 0) < scan.askable_keywords
      or cardinality(scan.platforms) < scan.askable_platforms,
    false
  ) as narrowed`

/** The views of migration 40, extended by these columns. */
export const views: { readonly [view: string]: string } = {
  scans: `
    select organization.slug as organization, scan.id, scan.status, scan.scan_type, scan.platforms, scan.samples,
      scan.cell_count, scan.started_at, scan.completed_at, newest.avg_sov, newest.results_count, newest.unmeasured_count,
      newest.failed_count, newest.mentioned_count, scan.simulated, ${narrowing}
    from scan join organization on organization.id = scan.organization_id left join ${newestScore}`,

  scores: `
    select organization.slug as organization, scan.id as scan_id, part.platform, part.entity, part.entity_id, part.name, part.sov,
      part.interval_low, part.interval_high, scan.started_at, scan.completed_at, scan.simulated,
      ${narrowing}
    from scan join organization on organization.id = scan.organization_id join ${newestScore}
    join tracked_set on tracked_set.organization_id = scan.organization_id
      and tracked_set.version = newest.tracked_set_version
    cross join lateral (
      select null as platform, 'brand' as entity, (tracked_set.brand ->> 'id')::uuid as entity_id,
        tracked_set.brand ->> 'name' as name, newest.avg_sov as sov,
        (newest.uncertainty -> 'interval' ->> 'low')::double precision as interval_low,
        (newest.uncertainty -> 'interval' ->> 'high')::double precision as interval_high
      union all
      select on_platform.key, 'brand', (tracked_set.brand ->> 'id')::uuid, tracked_set.brand ->> 'name',
        on_platform.value::double precision,
        (newest.uncertainty -> 'platforms' -> on_platform.key ->> 'low')::double precision,
        (newest.uncertainty -> 'platforms' -> on_platform.key ->> 'high')::double precision
      from jsonb_each_text(newest.platform_breakdown) on_platform
      union all
      select null, 'competitor', (competitor ->> 'id')::uuid, (
          select tracked ->> 'name' from jsonb_array_elements(tracked_set.competitors) tracked
          where tracked ->> 'id' = competitor ->> 'id'
        ), (competitor ->> 'sov')::double precision, null, null
      from jsonb_array_elements(newest.competitors) competitor
    ) part`
}

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("alter table scan add column askable_keywords integer, add column askable_platforms integer")
  const [row] = yield* sql<{ readonly schema: string }>`
    select case current_schema() when 'public' then 'sov' else current_schema()::text end || '_v1' as schema
  `
  const name = quoteIdentifier(row!.schema)
  yield* Effect.forEach(
    Object.entries(views),
    ([view, query]) => sql.unsafe(`create or replace view ${name}.${view} as ${query}`),
    { discard: true }
  )
})
