import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { TrackedSet } from "../../../domain/tracking/TrackedSet.ts"
import { TrackedSetChanged, TrackedSetStore } from "../../../ports/TrackedSetStore.ts"
import { decodeFirst, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const TrackedSetRow = rowOf({ ...TrackedSet.fields, topics: Schema.NullOr(TrackedSet.fields.topics.schema) }).pipe(
  mapRow(({ topics, ...set }): TrackedSet => topics === null ? set : { ...set, topics })
)

const IgnoredRow = rowOf({ name: Schema.String, form: Schema.String, ignoredAt: Schema.Date })

/**
 * Versions of tracked sets in table `tracked_set`, which the database keeps append-only; ignored names in
 * `ignored_name`.
 */
export const PgTrackedSetStore = Layer.effect(
  TrackedSetStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return TrackedSetStore.of({
      current: (organizationId) =>
        sql`
          select version, brand, competitors, topics, created_at from tracked_set
          where organization_id = ${organizationId} order by version desc limit 1
        `.pipe(decodeFirst(TrackedSetRow), withStoreErrors("read tracked set")),

      find: (organizationId, version) =>
        sql`
          select version, brand, competitors, topics, created_at from tracked_set
          where organization_id = ${organizationId} and version = ${version}
        `.pipe(decodeFirst(TrackedSetRow), withStoreErrors("read tracked set")),

      append: Effect.fnUntraced(function*(organizationId, set) {
        const added = yield* sql`
          insert into tracked_set (organization_id, version, brand, competitors, topics, created_at)
          values (
            ${organizationId}, ${set.version}, ${sql.json(set.brand)}, ${sql.json(set.competitors)},
            ${set.topics === undefined ? null : sql.json(set.topics)}, ${set.createdAt}
          )
          on conflict do nothing returning version
        `.pipe(withStoreErrors("add tracked set"))
        if (added.length === 0) return yield* new TrackedSetChanged({ version: set.version })
      }),

      ignore: (organizationId, { form, ignoredAt, name }) =>
        sql`
          insert into ignored_name (organization_id, form, name, ignored_at)
          values (${organizationId}, ${form}, ${name}, ${ignoredAt})
          on conflict do nothing returning form
        `.pipe(Effect.map((added) => added.length > 0), withStoreErrors("ignore name")),

      stopIgnoring: (organizationId, form) =>
        sql`
          delete from ignored_name where organization_id = ${organizationId} and form = ${form} returning form
        `.pipe(Effect.map((removed) => removed.length > 0), withStoreErrors("stop ignoring name")),

      listIgnored: (organizationId) =>
        sql`
          select name, form, ignored_at from ignored_name
          where organization_id = ${organizationId} order by ignored_at, form
        `.pipe(decodeRows(IgnoredRow), withStoreErrors("list ignored names"))
    })
  })
)
