/** The statement behind `stateOf` of SourceStore, which other statements contain. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import { literalInteger } from "../values.ts"

/** Its row. */
export const SourceStateRow = Schema.Struct({
  scores: Schema.Int,
  trackedSetVersion: Schema.Int,
  resolvedUrls: Schema.Int,
  derived: Schema.Int
})

/**
 * Selects a SourceState of `scans`, an array of the ids of at most `count` scans. These tables are append-only: what is
 * added counts. An address that was resolved before the oldest of these scans has been counted ever since, so it is
 * left out. A look-up for each answer, see PgMeasurementStore.
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
