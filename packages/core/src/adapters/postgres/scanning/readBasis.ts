/** The statement that reads what decides about the start of a scan. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { KeywordId, OrganizationId } from "../../../domain/ids.ts"
import type { ScanBasis } from "../../../ports/ScanStore.ts"
import { organizationFromRow, type OrganizationRow } from "../organizations/organizationRow.ts"
import { recordFromRow, type RecordRow } from "./PgIdempotencyStore.ts"

interface BasisRow extends OrganizationRow {
  readonly tracked_set_version: number | null
  readonly keyword_ids: ReadonlyArray<string>
}

/** A row with the columns of the key's record, which are null where it has none. */
type NamedRow =
  & BasisRow
  & {
    readonly [K in Exclude<keyof RecordRow, "created_at">]: RecordRow[K] | null
  }
  & { readonly recorded_at: Date | null }

const readRecord = ({ estimated_seconds, fingerprint, key, recorded_at, scan_id }: NamedRow) =>
  key === null
    ? null
    : recordFromRow({
      key,
      fingerprint: fingerprint!,
      scan_id: scan_id!,
      estimated_seconds: estimated_seconds!,
      created_at: recorded_at!
    })

/** `ScanStore.readBasis`. */
export const readBasis = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  named: { readonly key: string; readonly since: Date } | null
): Effect.Effect<ScanBasis | null, SqlError.SqlError> => {
  const columns = sql`
    organization.*,
    (
      select version from tracked_set where tracked_set.organization_id = ${organizationId} order by version desc limit 1
    ) as tracked_set_version,
    array(
      select id from keyword where keyword.organization_id = ${organizationId} and status = 'active'
      order by created_at, id
    ) as keyword_ids
  `
  const toBasis = (row: BasisRow, record: ScanBasis["record"]): ScanBasis => ({
    organization: organizationFromRow(row),
    trackedSetVersion: row.tracked_set_version,
    keywordIds: row.keyword_ids as ReadonlyArray<KeywordId>,
    record
  })
  if (named === null) {
    return sql<BasisRow>`select ${columns} from organization where organization.id = ${organizationId}`.pipe(
      Effect.map(([row]) => row === undefined ? null : toBasis(row, null))
    )
  }
  return sql<NamedRow>`
    select ${columns}, record.key, record.fingerprint, record.scan_id, record.estimated_seconds,
      record.created_at as recorded_at
    from organization
    left join idempotency_key record on record.organization_id = ${organizationId} and record.key = ${named.key}
      and record.created_at >= ${named.since}
    where organization.id = ${organizationId}
  `.pipe(Effect.map(([row]) => row === undefined ? null : toBasis(row, readRecord(row))))
}
