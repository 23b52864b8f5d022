import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import { BacklogStore } from "../../../ports/BacklogStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"

interface BacklogRow {
  readonly platform: string
  readonly open: number
  readonly due: number
  readonly next_due_at: Date | null
}

/** What running scans wait for, from table `cell`. */
export const PgBacklogStore = Layer.effect(
  BacklogStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const listOpen: BacklogStore["Service"]["listOpen"] = (organizationId, scanId, now) =>
      sql<BacklogRow>`
        select platform, count(*)::int as open,
          count(*) filter (where due_at <= ${now}::timestamptz)::int as due,
          min(due_at) filter (where due_at > ${now}::timestamptz) as next_due_at
        from cell
        where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'open'
        group by platform order by platform
      `.pipe(
        Effect.map((rows) =>
          rows.map((row) => ({
            platform: row.platform as PlatformId,
            open: row.open,
            due: row.due,
            nextDueAt: row.next_due_at
          }))
        ),
        withStoreErrors("list open cells")
      )
    return BacklogStore.of({
      listOpen,

      ofScan: Effect.fnUntraced(function*(organizationId, scanId, now) {
        const platforms = yield* listOpen(organizationId, scanId, now)
        const [last] = yield* sql<{ readonly at: Date | null }>`
          select greatest(
            (select max(first_attempt_at) from cell
              where organization_id = ${organizationId} and scan_id = ${scanId}),
            (select max(created_at) from answer
              where organization_id = ${organizationId} and scan_id = ${scanId})
          ) as at
        `
        return { platforms, lastActivityAt: last?.at ?? null }
      }, withStoreErrors("read backlog"))
    })
  })
)
