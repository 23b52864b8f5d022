import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { BacklogStore } from "../../../ports/BacklogStore.ts"
import { decodeOne, decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const BacklogRow = rowOf({
  platform: PlatformId,
  open: Schema.Int,
  due: Schema.Int,
  nextDueAt: Schema.NullOr(Schema.Date)
})

const ActivityRow = rowOf({ lastActivityAt: Schema.NullOr(Schema.Date) })

/** The open cells of running scans, from table `cell`. */
export const PgBacklogStore = Layer.effect(
  BacklogStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const listOpen: BacklogStore["Service"]["listOpen"] = (organizationId, scanId, now) =>
      sql`
        select platform, count(*)::int as open,
          count(*) filter (where due_at <= ${now}::timestamptz)::int as due,
          min(due_at) filter (where due_at > ${now}::timestamptz) as next_due_at
        from cell
        where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'open'
        group by platform order by platform
      `.pipe(
        decodeRows(BacklogRow),
        withStoreErrors("list open cells")
      )
    return BacklogStore.of({
      listOpen,

      ofScan: Effect.fnUntraced(function*(organizationId, scanId, now) {
        const platforms = yield* listOpen(organizationId, scanId, now)
        const last = yield* sql`
          select greatest(
            (select max(first_attempt_at) from cell
              where organization_id = ${organizationId} and scan_id = ${scanId}),
            (select max(created_at) from answer
              where organization_id = ${organizationId} and scan_id = ${scanId})
          ) as last_activity_at
        `.pipe(decodeOne(ActivityRow))
        return { platforms, ...last }
      }, withStoreErrors("read backlog"))
    })
  })
)
