/** The query for `stateOf` of SourceStore, for use in other statements. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import { literalInteger } from "../values.ts"

/** The query's row. */
export const SourceStateRow = Schema.Struct({
  scores: Schema.Int,
  trackedSetVersion: Schema.Int,
  resolvedUrls: Schema.Int,
  derived: Schema.Int
})

/**
 * Selects the SourceState of `scans`, an array of at most `count` scan ids. The tables are append-only, so counting
 * rows shows additions. Addresses resolved before the oldest of these scans are left out, because their number cannot
 * change. Looks up each answer separately, see PgMeasurementStore.
 */
export const selectSourceState = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId | Statement.Fragment,
  scans: Statement.Fragment,
  count: number
): Statement.Fragment =>
  sql`
    select
      (select count(*)::int from score where organization_id = ${organizationId}) as scores,
      (select coalesce(max(version), 0) from tracked_set where organization_id = ${organizationId})
        as "trackedSetVersion",
      (
        select count(*)::int from resolved_url where organization_id = ${organizationId} and resolved_at >= (
          select min(started_at) from scan where organization_id = ${organizationId} and id = any(${scans})
        )
      ) as "resolvedUrls",
      (
        select coalesce(sum((
          select count(*) from answer_sources
          where answer_sources.organization_id = ${organizationId} and answer_id = answer.id
        ))::int, 0)
        from (select unnest(${scans}) as id limit ${literalInteger(count)}) wanted_scan
        join answer on answer.organization_id = ${organizationId} and answer.scan_id = wanted_scan.id
      ) as derived
  `
