import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Brand, Competitor, TrackedSet } from "../../../domain/tracking/TrackedSet.ts"
import { type IgnoredName, TrackedSetChanged, TrackedSetStore } from "../../../ports/TrackedSetStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"

interface TrackedSetRow {
  readonly version: number
  readonly brand: Brand
  readonly competitors: ReadonlyArray<Competitor>
  readonly created_at: Date
}

const firstTrackedSet = ([row]: ReadonlyArray<TrackedSetRow>): TrackedSet | null =>
  row === undefined
    ? null
    : { version: row.version, brand: row.brand, competitors: row.competitors, createdAt: row.created_at }

interface IgnoredRow {
  readonly name: string
  readonly form: string
  readonly ignored_at: Date
}

const ignoredFromRow = ({ form, ignored_at, name }: IgnoredRow): IgnoredName => ({ name, form, ignoredAt: ignored_at })

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
        sql<TrackedSetRow>`
          select version, brand, competitors, created_at from tracked_set
          where organization_id = ${organizationId} order by version desc limit 1
        `.pipe(Effect.map(firstTrackedSet), withStoreErrors("read tracked set")),

      find: (organizationId, version) =>
        sql<TrackedSetRow>`
          select version, brand, competitors, created_at from tracked_set
          where organization_id = ${organizationId} and version = ${version}
        `.pipe(Effect.map(firstTrackedSet), withStoreErrors("read tracked set")),

      append: Effect.fnUntraced(function*(organizationId, set) {
        const added = yield* sql`
          insert into tracked_set (organization_id, version, brand, competitors, created_at)
          values (
            ${organizationId}, ${set.version}, ${sql.json(set.brand)}, ${sql.json(set.competitors)}, ${set.createdAt}
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
        sql<IgnoredRow>`
          select name, form, ignored_at from ignored_name
          where organization_id = ${organizationId} order by ignored_at, form
        `.pipe(Effect.map((rows) => rows.map(ignoredFromRow)), withStoreErrors("list ignored names"))
    })
  })
)
