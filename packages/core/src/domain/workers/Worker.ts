/**
 * A worker is a process that asks platforms for every organization of a database. It registers with the tasks that it
 * runs, and sends a heartbeat every `heartbeatIntervalMs`, so that other processes see which worker runs what.
 */
import { Schema } from "effect"
import { WorkerId } from "../ids.ts"
import { PlatformId } from "../platforms/Platform.ts"

export const RegisteredWorker = Schema.Struct({
  id: WorkerId,
  host: Schema.String,
  pid: Schema.Int,
  /** Version of sov that the worker runs. */
  version: Schema.String,
  /** Digest of the worker's platform bindings (`AnswerPlatforms.digest`). */
  digest: Schema.String,
  /** The platforms that the worker asks. */
  platforms: Schema.Array(PlatformId),
  /** The tasks that the worker runs now, such as `platform/assistant_a`. These names contain no tenant data. */
  doing: Schema.Array(Schema.String),
  /**
   * Whether the worker runs until it is stopped, as `sov serve` and `sov worker` do; other workers leave when their
   * scan ends.
   */
  stays: Schema.Boolean,
  startedAt: Schema.Date,
  /** Time of the last heartbeat, by the registry's clock and not the worker's. */
  seenAt: Schema.Date
})
export type RegisteredWorker = typeof RegisteredWorker.Type

/** A worker as status commands show it, with takeovers resolved. */
export interface ReportedWorker extends RegisteredWorker {
  /** The tasks that the worker ran until another worker took them over. */
  readonly takenOver: ReadonlyArray<string>
}

/**
 * Assigns each task to the worker whose heartbeat named it last. A killed worker is still listed for a while with all
 * its tasks, although others already run them.
 */
export const resolveTakeovers = (workers: ReadonlyArray<RegisteredWorker>): ReadonlyArray<ReportedWorker> => {
  const inOrder = workers.toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime())
  const lastAt = new Map(inOrder.flatMap(({ doing, id }) => doing.map((task) => [task, id] as const)))
  return workers.map((worker) => ({
    ...worker,
    doing: worker.doing.filter((task) => lastAt.get(task) === worker.id),
    takenOver: worker.doing.filter((task) => lastAt.get(task) !== worker.id)
  }))
}

/** How often a worker sends a heartbeat. */
export const heartbeatIntervalMs = 2_000
/** A worker without a heartbeat for longer than this is considered dead. */
export const heartbeatTimeoutMs = 10_000
/** A worker without a heartbeat for longer than this is deleted when another one registers. */
export const pruneAfterMs = 3_600_000

/**
 * A worker whose last heartbeat is older than this sends a heartbeat before it begins a call, so that it still counts
 * as alive when it sends the call.
 */
export const leaseRenewalMs = 7_000
/** A clock that differs from the database's by more than this causes a warning. */
export const clockToleranceMs = 2_000

/**
 * Finds a worker with other platform bindings. All workers of one database must have the same bindings, because
 * otherwise chance would decide which model a cell is asked. Returns the worker with bindings other than `digest` and
 * the newest heartbeat; null if there is no such worker.
 */
export const findConflictingWorker = (
  workers: ReadonlyArray<RegisteredWorker>,
  digest: string
): RegisteredWorker | null =>
  workers
    .filter((worker) => worker.digest !== digest)
    .reduce<RegisteredWorker | null>(
      (last, worker) => last === null || worker.seenAt > last.seenAt ? worker : last,
      null
    )
