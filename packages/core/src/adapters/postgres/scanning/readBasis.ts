/** The statement that reads what decides about the start of a scan. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { KeywordId, OrganizationId } from "../../../domain/ids.ts"
import type { ScanBasis } from "../../../ports/ScanStore.ts"
import { organizationFromRow, type OrganizationRow } from "../organizations/organizationRow.ts"
import { recordFromRow, type RecordRow } from "./PgIdempotencyStore.ts"

/** The columns of the key's record are null where it has none. */
type BasisRow =
  & OrganizationRow
  & { readonly [K in Exclude<keyof RecordRow, "created_at">]: RecordRow[K] | null }
  & {
    readonly tracked_set_version: number | null
    readonly keyword_ids: ReadonlyArray<string>
    readonly recorded_at: Date | null
  }

const basisFromRow = (row: BasisRow): ScanBasis => ({
  organization: organizationFromRow(row),
  trackedSetVersion: row.tracked_set_version,
  keywordIds: row.keyword_ids as ReadonlyArray<KeywordId>,
  record: row.key === null
    ? null
    : recordFromRow({
      key: row.key,
      fingerprint: row.fingerprint!,
      scan_id: row.scan_id!,
      estimated_seconds: row.estimated_seconds!,
      created_at: row.recorded_at!
    })
})

/** `ScanStore.readBasis`. A start without key looks for the record of none. */
export const readBasis = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  named: { readonly key: string; readonly since: Date } | null
): Effect.Effect<ScanBasis | null, SqlError.SqlError> =>
  sql<BasisRow>`
    select organization.*, (
        select version from tracked_set where tracked_set.organization_id = ${organizationId} order by version desc limit 1
      ) as tracked_set_version, array(
        select id from keyword where keyword.organization_id = ${organizationId} and status = 'active'
        order by created_at, id
      ) as keyword_ids,
      record.key, record.fingerprint, record.scan_id, record.estimated_seconds, record.created_at as recorded_at
    from organization
    left join idempotency_key record on record.organization_id = ${organizationId}
      and record.key = ${named?.key ?? null}::text and record.created_at >= ${named?.since ?? null}::timestamptz
    where organization.id = ${organizationId}
  `.pipe(Effect.map(([row]) => row === undefined ? null : basisFromRow(row)))
