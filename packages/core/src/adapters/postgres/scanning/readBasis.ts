/** The statement that reads everything that decides whether and how a scan starts. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import { KeywordId, type OrganizationId, ScanId } from "../../../domain/ids.ts"
import { Organization } from "../../../domain/organizations/Organization.ts"
import type { ScanBasis } from "../../../ports/ScanStore.ts"
import { decodeFirst, mapRow, rowOf } from "../rows.ts"

/** The record's columns are null if the key has no record. */
const BasisRow = rowOf({
  ...Organization.fields,
  trackedSetVersion: Schema.NullOr(Schema.Int),
  keywordIds: Schema.Array(KeywordId),
  key: Schema.NullOr(Schema.String),
  fingerprint: Schema.NullOr(Schema.Uint8Array),
  scanId: Schema.NullOr(ScanId),
  estimatedSeconds: Schema.NullOr(Schema.Int),
  recordedAt: Schema.NullOr(Schema.Date)
}).pipe(mapRow((
  { estimatedSeconds, fingerprint, key, keywordIds, recordedAt, scanId, trackedSetVersion, ...organization }
): ScanBasis => ({
  organization,
  trackedSetVersion,
  keywordIds,
  record: key === null ? null : {
    key,
    fingerprint: fingerprint!,
    scanId: scanId!,
    estimatedSeconds: estimatedSeconds!,
    createdAt: recordedAt!
  }
})))

/** Implements `ScanStore.readBasis`. Without a key, no record matches. */
export const readBasis = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  named: { readonly key: string; readonly since: Date } | null
) =>
  sql`
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
  `.pipe(decodeFirst(BasisRow))
