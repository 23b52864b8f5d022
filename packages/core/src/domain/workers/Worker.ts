/**
 * A worker is a process that asks platforms for every organization of a database. It says so in the registry, with what
 * it works on now, and again every `heartbeatMs`: whoever looks on sees who works where.
 */
import type { WorkerId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"

export interface RegisteredWorker {
  readonly id: WorkerId
  readonly host: string
  readonly pid: number
  /** Version of sov that it runs. */
  readonly version: string
  /** Of its platform bindings (`AnswerPlatforms.digest`). */
  readonly digest: string
  /** The platforms that it asks. */
  readonly platforms: ReadonlyArray<PlatformId>
  /** What it works on now: `platform/assistant_a`, … Names of things, never anything of a tenant. */
  readonly doing: ReadonlyArray<string>
  /** Whether it works until it is stopped, as `sov serve` and `sov worker` do; one that does not leaves with the scan it came for. */
  readonly stays: boolean
  readonly startedAt: Date
  /** By the registry's clock, which is not that of any worker. */
  readonly seenAt: Date
}

/** A worker as onlookers see it. */
export interface SeenWorker extends RegisteredWorker {
  /** What it worked on until another worker took it. */
  readonly takenOver: ReadonlyArray<string>
}

/**
 * Who does what: a piece of work is at the worker that spoke of it last. One that was killed stays listed for a while with
 * all that it did, though others are at it already.
 */
export const whoDoesWhat = (workers: ReadonlyArray<RegisteredWorker>): ReadonlyArray<SeenWorker> => {
  const inOrder = workers.toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime())
  const lastAt = new Map(inOrder.flatMap(({ doing, id }) => doing.map((piece) => [piece, id] as const)))
  return workers.map((worker) => ({
    ...worker,
    doing: worker.doing.filter((piece) => lastAt.get(piece) === worker.id),
    takenOver: worker.doing.filter((piece) => lastAt.get(piece) !== worker.id)
  }))
}

/** How often a worker says that it is there. */
export const heartbeatMs = 2_000
/** A worker that said nothing for longer than this is taken for gone. */
export const freshForMs = 10_000
/** A worker that said nothing for longer than this is forgotten when another one enters. */
export const forgottenAfterMs = 3_600_000

/**
 * A worker whose last sign was taken longer ago than this signs again before it asks anything: soon enough for what it
 * asks then to be sent while it still counts as being there.
 */
export const signedForMs = 7_000
/** A clock that is further than this from the database's is worth a warning. */
export const clockToleranceMs = 2_000

/**
 * All workers of one database carry the same platform bindings, else a cell would be asked of one model or another by
 * chance. Of workers that are there the one, last seen of those, whose bindings are others than `digest`; null = none.
 */
export const differingWorker = (
  workers: ReadonlyArray<RegisteredWorker>,
  digest: string
): RegisteredWorker | null =>
  workers
    .filter((worker) => worker.digest !== digest)
    .reduce<RegisteredWorker | null>(
      (last, worker) => last === null || worker.seenAt > last.seenAt ? worker : last,
      null
    )
