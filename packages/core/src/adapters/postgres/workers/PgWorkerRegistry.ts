import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { RegisteredWorker } from "../../../domain/workers/Worker.ts"
import { WorkerRegistry } from "../../../ports/WorkerRegistry.ts"
import { decodeOne, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const WorkerRow = rowOf(RegisteredWorker.fields)
const SeenRow = rowOf({ seenAt: Schema.Date }).pipe(mapRow(({ seenAt }) => seenAt))

/** Workers in table `worker`. Its times are set and compared by the database's clock. */
export const PgWorkerRegistry = Layer.effect(
  WorkerRegistry,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    // clock_timestamp() rather than now(), which is the transaction's start: the worker may have waited for the lock
    // since then
    const subtractFromNow = (ms: number) => sql`clock_timestamp() - ${ms}::float8 * interval '1 millisecond'`
    return WorkerRegistry.of({
      register: (worker, pruneAfterMs) =>
        sql.withTransaction(Effect.gen(function*() {
          // Locks the table's workers, because workers that register at the same time would not see each other's rows.
          // Heartbeats do not take this lock
          yield* sql`select pg_advisory_xact_lock(hashtextextended('sov workers ' || current_schema(), 0))`
          yield* sql`delete from worker where seen_at < ${subtractFromNow(pruneAfterMs)} or id = ${worker.id}`
          return yield* sql`
            insert into worker (id, host, pid, version, digest, platforms, doing, stays, started_at, seen_at)
            values (${worker.id}, ${worker.host}, ${worker.pid}, ${worker.version}, ${worker.digest},
              ${worker.platforms}, ${worker.doing}, ${worker.stays}, ${worker.startedAt}, clock_timestamp())
            returning seen_at
          `.pipe(decodeOne(SeenRow))
        })).pipe(withStoreErrors("register worker")),

      heartbeat: (id, doing) =>
        sql`update worker set doing = ${doing}, seen_at = clock_timestamp() where id = ${id} returning id`.pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("renew worker")
        ),

      unregister: (id) =>
        sql`delete from worker where id = ${id}`.pipe(Effect.asVoid, withStoreErrors("remove worker")),

      list: (withinMs) =>
        sql`select * from worker where seen_at >= ${subtractFromNow(withinMs)} order by started_at, id`.pipe(
          decodeRows(WorkerRow),
          withStoreErrors("list workers")
        )
    })
  })
)
