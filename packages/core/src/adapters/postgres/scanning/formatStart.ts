/** The statement that starts a scan. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import type { ScanStart } from "../../../ports/ScanStore.ts"
import { toEntryColumns } from "../audit/PgAuditLog.ts"
import { insertRows } from "../insertRows.ts"
import { takeUnit } from "../organizations/PgQuotaLedger.ts"
import { formatUuidArray, formatWordArray } from "../values.ts"
import { addRecord } from "./PgIdempotencyStore.ts"
import { toScanColumns } from "./scanRow.ts"

/** Column types: values in a SELECT have no types of their own. */
const scanTypes = {
  organization_id: "uuid",
  id: "uuid",
  status: "text",
  scan_type: "text",
  platforms: "text[]",
  samples: "integer",
  cell_count: "integer",
  simulated: "boolean",
  tracked_set_version: "integer",
  quota_period: "text",
  started_at: "timestamptz",
  completed_at: "timestamptz",
  askable_keywords: "integer",
  askable_platforms: "integer",
  surface: "text",
  view: "jsonb"
}
const entryTypes = {
  organization_id: "uuid",
  id: "uuid",
  at: "timestamptz",
  person_id: "uuid",
  api_key_id: "uuid",
  actor_kind: "text",
  actor: "text",
  action: "text",
  subject_kind: "text",
  subject_id: "text",
  detail: "jsonb"
}

/**
 * Writes the record of the Idempotency-Key, the unit of the quota, the scan, its cells, the audit log and the
 * notification, each only if the step before it succeeded. The month's row is locked only for this statement. If the
 * quota is used up, a record without its scan violates the foreign key at the commit, which undoes it. Returns no row
 * if nothing was started.
 */
export const formatStart = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  { cells, dueAt, entries, named, notification: { channel, payload }, quota, scan }: ScanStart
): Statement.Statement<{ readonly used: number | null }> => {
  const recorded = sql.literal(named === null ? "(select 1) as one" : "recorded")
  const parts = [
    ...(named === null ? [] : [
      sql`recorded as (${addRecord(sql, organizationId, named.record, named.since)})`
    ]),
    ...(quota === null ? [] : [sql`taken as (${takeUnit(sql, organizationId, quota, recorded)})`]),
    sql`started as (
      ${
      insertRows(
        sql,
        "scan",
        scanTypes,
        [toScanColumns(sql, organizationId, scan)],
        quota !== null ? "cross join taken" : named === null ? "" : "cross join recorded"
      )
    } returning id
    )`,
    sql`asked as (
      insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, due_at)
      select ${organizationId}::uuid, one.id, started.id, one.keyword_id, one.platform, one.sample, 'open',
        ${dueAt}::timestamptz
      from started, unnest(
        ${formatUuidArray(cells.map(({ id }) => id))}::uuid[],
        ${formatUuidArray(cells.map(({ keywordId }) => keywordId))}::uuid[],
        ${formatWordArray(cells.map(({ platform }) => platform))}::text[],
        ${formatWordArray(cells.map(({ sample }) => sample))}::integer[]
      ) as one (id, keyword_id, platform, sample)
    )`,
    ...entries.map((entry, n) =>
      sql`${sql.literal(`entry_${n}`)} as (${
        insertRows(sql, "audit_entry", entryTypes, [toEntryColumns(sql, organizationId, entry)], "cross join started")
      })`
    )
  ]
  const used = sql.literal(quota === null ? "null::integer" : "(select used from taken)")
  return sql<{ readonly used: number | null }>`
    with ${sql.csv(parts)} select ${used} as used, pg_notify(${channel}, ${payload}) from started
  `
}
