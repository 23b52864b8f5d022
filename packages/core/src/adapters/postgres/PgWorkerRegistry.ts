import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { WorkerId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/Platform.ts"
import type { RegisteredWorker } from "../../domain/Worker.ts"
import { WorkerRegistry } from "../../ports/WorkerRegistry.ts"
import { guarded } from "./sqlErrors.ts"

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

const fromRow = (row: WorkerRow): RegisteredWorker => ({
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

/** Workers in table `worker`. */
export const PgWorkerRegistry = Layer.effect(
  WorkerRegistry,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return WorkerRegistry.of({
      enter: (worker, forgottenBefore) =>
        sql.withTransaction(Effect.gen(function*() {
          // Two that enter at once would not see each other's rows
          yield* sql`lock table worker in share row exclusive mode`
          yield* sql`delete from worker where seen_at < ${forgottenBefore} or id = ${worker.id}`
          yield* sql`insert into worker ${
            sql.insert({
              id: worker.id,
              host: worker.host,
              pid: worker.pid,
              version: worker.version,
              digest: worker.digest,
              platforms: worker.platforms,
              doing: worker.doing,
              stays: worker.stays,
              started_at: worker.startedAt,
              seen_at: worker.seenAt
            })
          }`
        })).pipe(guarded("register worker")),

      seen: (id, doing, now) =>
        sql`update worker set ${sql.update({ doing, seen_at: now })} where id = ${id} returning id`.pipe(
          Effect.map((rows) => rows.length === 1),
          guarded("renew worker")
        ),

      leave: (id) => sql`delete from worker where id = ${id}`.pipe(Effect.asVoid, guarded("remove worker")),

      list: (since) =>
        sql<WorkerRow>`select * from worker where seen_at >= ${since} order by started_at, id`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          guarded("list workers")
        )
    })
  })
)
