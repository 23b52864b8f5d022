import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { WorkerId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { RegisteredWorker } from "../../../domain/workers/Worker.ts"
import { WorkerRegistry } from "../../../ports/WorkerRegistry.ts"
import { withStoreErrors } from "../sqlErrors.ts"

interface WorkerRow {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly digest: string
  readonly platforms: ReadonlyArray<string>
  readonly doing: ReadonlyArray<string>
  readonly stays: boolean
  readonly started_at: Date
  readonly seen_at: Date
}

const workerFromRow = (row: WorkerRow): RegisteredWorker => ({
  id: row.id as WorkerId,
  host: row.host,
  pid: row.pid,
  version: row.version,
  digest: row.digest,
  platforms: row.platforms as ReadonlyArray<PlatformId>,
  doing: row.doing,
  stays: row.stays,
  startedAt: row.started_at,
  seenAt: row.seen_at
})

/** Workers in table `worker`, stamped and compared with the database's clock. */
export const PgWorkerRegistry = Layer.effect(
  WorkerRegistry,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    // Not now(): who waited for the table's lock would be older than it is
    const subtractFromNow = (ms: number) => sql`clock_timestamp() - ${ms}::float8 * interval '1 millisecond'`
    return WorkerRegistry.of({
      register: (worker, pruneAfterMs) =>
        sql.withTransaction(Effect.gen(function*() {
          // Two that register at the same time would not see each other's rows
          yield* sql`lock table worker in share row exclusive mode`
          yield* sql`delete from worker where seen_at < ${subtractFromNow(pruneAfterMs)} or id = ${worker.id}`
          const [row] = yield* sql<{ readonly seen_at: Date }>`
            insert into worker (id, host, pid, version, digest, platforms, doing, stays, started_at, seen_at)
            values (${worker.id}, ${worker.host}, ${worker.pid}, ${worker.version}, ${worker.digest},
              ${worker.platforms}, ${worker.doing}, ${worker.stays}, ${worker.startedAt}, clock_timestamp())
            returning seen_at`
          return row!.seen_at
        })).pipe(withStoreErrors("register worker")),

      heartbeat: (id, doing) =>
        sql`update worker set doing = ${doing}, seen_at = clock_timestamp() where id = ${id} returning id`.pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("renew worker")
        ),

      unregister: (id) =>
        sql`delete from worker where id = ${id}`.pipe(Effect.asVoid, withStoreErrors("remove worker")),

      list: (withinMs) =>
        sql<WorkerRow>`select * from worker where seen_at >= ${subtractFromNow(withinMs)} order by started_at, id`.pipe(
          Effect.map((rows) => rows.map(workerFromRow)),
          withStoreErrors("list workers")
        )
    })
  })
)
