/**
 * Views for programs that read with SQL, in a separate schema. docs/data-out.md describes their columns, which do not
 * change: changing a meaning or removing a column requires a new schema, `sov_v2`. The views read with the rights of
 * the tables' owner, so that a role needs no rights on the tables.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteIdentifier } from "../backup/backupTables.ts"

/** The newest measurement of an answer, made with the newest names and rules. */
const newestMeasurement = `
  left join lateral (
    select * from measurement
    where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
    order by tracked_set_version desc, measure_version desc limit 1
  ) measured on true`

/** The newest score of a scan. */
const newestScore = `
  lateral (
    select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
    order by tracked_set_version desc, measure_version desc, results_count - unmeasured_count desc limit 1
  ) newest on true`

export const views: { readonly [view: string]: string } = {
  scans: `
    select organization.slug as organization, scan.id, scan.status, scan.scan_type, scan.platforms, scan.samples,
      scan.cell_count, scan.started_at, scan.completed_at, newest.avg_sov, newest.results_count, newest.unmeasured_count,
      newest.failed_count, newest.mentioned_count, scan.simulated
    from scan join organization on organization.id = scan.organization_id left join ${newestScore}`,

  answers: `
    select organization.slug as organization, answer.id, answer.scan_id, answer.platform, answer.keyword_id, answer.sample,
      answer.prompt_used, answer.raw_response, measured.brand_mentioned, measured.mention_count,
      measured.mention_position, measured.sentiment, measured.sentiment_by, measured.sov_score, answer.model,
      answer.search, answer.latency_ms, answer.input_tokens, answer.output_tokens, answer.cost_usd, answer.created_at,
      answer.simulated
    from answer join organization on organization.id = answer.organization_id ${newestMeasurement}`,

  mentions: `
    select organization.slug as organization, answer.id as answer_id, answer.scan_id, answer.platform, answer.keyword_id,
      case when named.entity = 'brand' then 'brand' else 'competitor' end as entity,
      (entity_of.found ->> 'id')::uuid as entity_id, entity_of.found ->> 'name' as name, named.mention_count, named.first_at,
      answer.created_at, answer.simulated
    from answer join organization on organization.id = answer.organization_id ${newestMeasurement}
    join tracked_set on tracked_set.organization_id = answer.organization_id
      and tracked_set.version = measured.tracked_set_version
    cross join lateral (
      select mention ->> 'entity' as entity, count(*)::integer as mention_count, min((mention ->> 'start')::integer) as first_at
      from jsonb_array_elements(measured.mentions) mention group by 1
    ) named
    cross join lateral (
      select case when named.entity = 'brand' then tracked_set.brand
        else tracked_set.competitors -> named.entity::integer end as found
    ) entity_of`,

  scores: `
    select organization.slug as organization, scan.id as scan_id, part.platform, part.entity, part.entity_id, part.name, part.sov,
      part.interval_low, part.interval_high, scan.started_at, scan.completed_at, scan.simulated
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
    ) part`,

  sources: `
    select organization.slug as organization, answer.id as answer_id, answer.scan_id, answer.platform, answer.keyword_id,
      source.place::integer as position, source.found ->> 'kind' as kind, source.found ->> 'url' as url,
      source.found ->> 'title' as title, source.found ->> 'host' as host,
      source.found ->> 'domain' as domain, resolved_url.target as resolved_url,
      (source.found ->> 'start')::integer as start_at, (source.found ->> 'end')::integer as end_at,
      answer.created_at, answer.simulated
    from answer join organization on organization.id = answer.organization_id
    cross join lateral (
      select * from answer_sources
      where answer_sources.organization_id = answer.organization_id and answer_sources.answer_id = answer.id
      order by source_version desc limit 1
    ) kept
    cross join lateral jsonb_array_elements(kept.sources) with ordinality source (found, place)
    left join resolved_url on resolved_url.organization_id = answer.organization_id
      and resolved_url.url_sha256 = sha256(convert_to(source.found ->> 'url', 'UTF8'))`
}

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Uses the schema of the tables, because two installations may share a database, each in its own schema
  const [row] = yield* sql<{ readonly schema: string }>`
    select case current_schema() when 'public' then 'sov' else current_schema()::text end || '_v1' as schema
  `
  const name = quoteIdentifier(row!.schema)
  yield* sql.unsafe(`create schema ${name}`)
  yield* Effect.forEach(
    Object.entries(views),
    ([view, query]) => sql.unsafe(`create view ${name}.${view} as ${query}`),
    { discard: true }
  )
})
