import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { type OrganizationId, ScanId } from "../../../domain/ids.ts"
import { IdempotencyStore, type StartRecord } from "../../../ports/IdempotencyStore.ts"
import { decodeFirst, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const RecordRow = rowOf({
  key: Schema.String,
  fingerprint: Schema.Uint8Array,
  scanId: ScanId,
  estimatedSeconds: Schema.Int,
  createdAt: Schema.Date
})

/**
 * Adds the record unless there is one for the key from `since` or later; returns the key if the record was added. The
 * lock timeout is set first: a start waits at most 5 s for another transaction that uses its key.
 */
export const addRecord = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  { createdAt, estimatedSeconds, fingerprint, key, scanId }: StartRecord,
  since: Date
): Statement.Statement<object> =>
  sql`
    insert into idempotency_key (organization_id, key, fingerprint, scan_id, estimated_seconds, created_at)
    select ${organizationId}::uuid, ${key}::text, ${fingerprint}::bytea, ${scanId}::uuid,
      ${estimatedSeconds}::integer, ${createdAt}::timestamptz
    from (select set_config('lock_timeout', '5s', true)) as lock_limit
    on conflict (organization_id, key) do update set fingerprint = excluded.fingerprint,
      scan_id = excluded.scan_id, estimated_seconds = excluded.estimated_seconds, created_at = excluded.created_at
    where idempotency_key.created_at < ${since}
    returning key
  `

/** Scan starts under an Idempotency-Key, in table `idempotency_key`. */
export const PgIdempotencyStore = Layer.effect(
  IdempotencyStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return IdempotencyStore.of({
      find: (organizationId, key, since) =>
        sql`
          select key, fingerprint, scan_id, estimated_seconds, created_at from idempotency_key
          where organization_id = ${organizationId} and key = ${key} and created_at >= ${since}
        `.pipe(
          decodeFirst(RecordRow),
          withStoreErrors("find idempotency key")
        ),

      add: (organizationId, record, since) =>
        addRecord(sql, organizationId, record, since).pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("add idempotency key")
        )
    })
  })
)
