import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer, Schema } from "effect"
import { type OperatorEntry, OperatorKey } from "../../../domain/access/OperatorKey.ts"
import { ActorKind } from "../../../domain/audit/Actor.ts"
import { OperatorKeyId } from "../../../domain/ids.ts"
import { OperatorStore } from "../../../ports/OperatorStore.ts"
import { decodeFirst, decodeRows, jsonOf, mapRow, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"
import { inBatches } from "../values.ts"

const KeyRow = rowOf(OperatorKey.fields)

const EntryRow = rowOf({
  id: Schema.String,
  at: Schema.Date,
  actorKind: ActorKind,
  actor: Schema.String,
  operatorKeyId: Schema.NullOr(OperatorKeyId),
  action: jsonOf<OperatorEntry["action"]>(),
  subjectId: Schema.String,
  detail: jsonOf<OperatorEntry["detail"]>()
}).pipe(mapRow(({ actor: name, actorKind: kind, operatorKeyId: keyId, ...entry }): OperatorEntry => ({
  ...entry,
  actor: { kind, name, keyId }
})))

/**
 * The operator's keys in table `operator_key`, and the log in `operator_entry`, which the database keeps append-only.
 */
export const PgOperatorStore = Layer.effect(
  OperatorStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return OperatorStore.of({
      insertKey: (key, hash) =>
        sql`insert into operator_key ${sql.insert({ hash, ...toColumns(OperatorKey.fields, key) })}`.pipe(
          Effect.asVoid,
          withStoreErrors("add operator key")
        ),

      listKeys: sql`select * from operator_key order by created_at desc, id desc`.pipe(
        decodeRows(KeyRow),
        withStoreErrors("list operator keys")
      ),

      findKeyByHash: (hash) =>
        sql`select * from operator_key where hash = ${hash}`.pipe(
          tryElsewhere(sql),
          decodeFirst(KeyRow),
          withStoreErrors("find operator key")
        ),

      revokeKey: (id, at) =>
        sql`update operator_key set revoked_at = ${at} where id = ${id} and revoked_at is null returning *`.pipe(
          decodeFirst(KeyRow),
          withStoreErrors("revoke operator key")
        ),

      recordUse: (id, at) =>
        sql`
          update operator_key set last_used_at = ${at} where id = ${id}
          and (last_used_at is null or last_used_at < ${at}::timestamptz - interval '1 minute')
        `.pipe(Effect.asVoid, withStoreErrors("note use of operator key")),

      record: (entries) =>
        inBatches(
          sql,
          entries,
          (batch) =>
            sql`insert into operator_entry ${
              sql.insert(Array.map(batch, ({ action, actor, at, detail, id, subjectId }) => ({
                id,
                at,
                actor_kind: actor.kind,
                actor: actor.name,
                operator_key_id: actor.keyId,
                action,
                subject_id: subjectId,
                detail: sql.json(detail)
              })))
            }`
        ).pipe(Effect.asVoid, withStoreErrors("record in the operator's log")),

      entries: ({ after, limit }) =>
        sql`
          select * from operator_entry
          ${after === undefined ? sql.literal("") : sql`where (at, id) < (${after.createdAt}, ${after.id}::uuid)`}
          order by at desc, id desc limit ${limit}
        `.pipe(decodeRows(EntryRow), withStoreErrors("read the operator's log"))
    })
  })
)
