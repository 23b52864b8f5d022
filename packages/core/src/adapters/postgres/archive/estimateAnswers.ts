/** Estimates how many answers match from data stored with the scans: reads one row per scan and no answers. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import type { AnswerFilters } from "../../../domain/archive/ArchiveFilters.ts"
import type { OrganizationId } from "../../../domain/ids.ts"
import { decodeOne, mapRow, rowOf } from "../rows.ts"
import { formatUuidArray } from "../values.ts"

const EstimateRow = rowOf({ answers: Schema.Number }).pipe(mapRow(({ answers }) => answers))

/**
 * Estimates how many answers match, from the numbers of cells of matching scans. A scan counts in full if any part of
 * it is between `from` and `to`. A keyword counts in every scan that began after it was added. Filters on measurements
 * are ignored.
 */
export const estimateAnswers = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  { from, keywordId, keywordIds = keywordId === undefined ? undefined : [keywordId], platform, scanId, to }:
    AnswerFilters
) => {
  const platforms = platform === undefined ? sql`cardinality(platforms)` : sql`(${platform} = any(platforms))::int`
  const keywords = keywordIds === undefined
    ? sql`cell_count / (cardinality(platforms) * samples)`
    : sql`(
        select count(*) from keyword
        where keyword.organization_id = scan.organization_id and keyword.id = any(${
      formatUuidArray(keywordIds)
    }::uuid[])
          and keyword.created_at <= scan.started_at
      )`
  return sql`
    select coalesce(sum(least(cell_count, ${keywords} * ${platforms} * samples)), 0)::float8 as answers from scan
    where ${
    sql.and([
      sql`organization_id = ${organizationId}`,
      ...scanId === undefined ? [] : [sql`id = ${scanId}`],
      ...from === undefined ? [] : [sql`(completed_at is null or completed_at >= ${from})`],
      ...to === undefined ? [] : [sql`started_at <= ${to}`]
    ])
  }
  `.pipe(decodeOne(EstimateRow))
}
