/** A worker of one platform before stores that always have work for it. */
import {
  type AnswerPlatform,
  AnswerPlatforms,
  ArchiveStore,
  type Cell,
  type CellFailure,
  CellStore,
  HealthStore,
  Notifications,
  Placement,
  type RegisteredWorker,
  type ScanQueue,
  ScanStore,
  startWorker,
  StoreError,
  TrackedSetStore,
  Transaction,
  type Usage,
  UsageStore,
  type Worker,
  WorkerRegistry
} from "@sov/core"
import { Duration, Effect, Fiber, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { idleStores } from "../../support/idleStores.ts"
import { unaudited } from "../../support/unaudited.ts"
import { deliveryServices } from "../../support/webhooks.ts"

export interface Line {
  /** Organizations that wait. */
  readonly organizations?: number
  /** How long a claim is at the database. */
  readonly claimFor?: Duration.Input
  readonly onClaim?: (limit: number) => void
  /** How many cells are in flight, and how many claims at the database, when a scan is given up. */
  readonly onGiveUp?: (inFlight: number, claiming: number) => void
  /** Interrupts the work each time it completes, and begins it again, as a hand-over there and back does. */
  readonly moved?: Effect.Effect<void>
  readonly archive?: ArchiveStore["Service"]["archive"]
  readonly onFailed?: (failure: CellFailure) => void
  readonly onCharge?: (usage: Usage) => void
  /** Announce that there is new work. */
  readonly notifications?: Stream.Stream<string>
  /** How long a read of the scans that there are is at the database. */
  readonly readFor?: Duration.Input
  readonly onRead?: () => void
  /** Replaces what the store of cells says of its scans. */
  readonly cells?: Partial<CellStore["Service"]>
  /** What leaving the other workers takes. */
  readonly leaving?: Effect.Effect<void>
  /**
   * Who else is there, where others may begin what this worker still does; "away" = no sign of it reaches the registry.
   */
  readonly others?: () => "away" | ReadonlyArray<Partial<RegisteredWorker>>
}

/** A line that never ends: every claim gives as many cells as it may. */
const endlessWork = (
  {
    archive = () => Effect.succeed(true),
    cells = {},
    claimFor = 0,
    leaving = Effect.void,
    moved = Effect.never,
    notifications = Stream.never,
    onCharge,
    onClaim,
    onFailed,
    onGiveUp,
    onRead,
    organizations = 1,
    others,
    readFor = 0
  }: Line
) =>
  Effect.sync(() => {
    let made = 0
    let claiming = 0
    const id = () => `00000000-0000-7000-8000-${String(++made).padStart(12, "0")}`
    const queues = Array.from(
      { length: organizations },
      () =>
        ({
          organizationId: id(),
          scanId: id(),
          trackedSetVersion: 1,
          startedAt: new Date(0),
          dueAt: new Date(0)
        }) as unknown as ScanQueue
    )
    const cell = () =>
      ({
        id: id(),
        scanId: queues[0]!.scanId,
        keywordId: id(),
        prompt: "?",
        platform: "assistant_a",
        sample: 1,
        attempts: 1,
        firstAttemptAt: new Date(0)
      }) as unknown as Cell
    return Layer.mergeAll(
      unaudited,
      idleStores,
      Layer.mock(CellStore, {
        queues: () => Effect.as(Effect.delay(Effect.sync(() => onRead?.()), readFor), queues),
        claim: (_, __, { limit }) =>
          // What is at the database is done there, whatever becomes of the caller
          Effect.uninterruptible(
            Effect.sync(() => claiming++).pipe(
              Effect.andThen(Effect.sleep(claimFor)),
              Effect.andThen(Effect.sync(() => claiming--))
            )
          ).pipe(
            Effect.tap(() => Effect.sync(() => onClaim?.(limit))),
            Effect.map(() => Array.from({ length: limit }, () => ({ cell: cell(), exhausted: false })))
          ),
        failOpen: (_, __, inFlight) => Effect.sync(() => onGiveUp?.(inFlight.length, claiming)),
        fail: (_, __, failure) => Effect.sync(() => onFailed?.(failure)),
        counts: () => Effect.succeed([]),
        hasOpen: () => Effect.succeed(true),
        ...cells
      }),
      Layer.mock(ScanStore, { listSettled: Effect.succeed([]) }),
      Layer.mock(ArchiveStore, { archive }),
      Layer.mock(TrackedSetStore, {
        find: () =>
          Effect.succeed({
            version: 1,
            brand: { id: id(), name: "Acme", aliases: [], domains: [], excludes: [] },
            competitors: []
          } as never)
      }),
      Layer.mock(Notifications, { listen: () => notifications }),
      Layer.succeed(Placement, {
        exclusive: others === undefined,
        run: (tasks) =>
          Effect.andThen(
            Effect.addFinalizer(() => leaving),
            Effect.forEach(
              Object.values(tasks),
              (one) => Effect.forkScoped(Effect.forever(Effect.raceFirst(Effect.scoped(one), moved))),
              { discard: true }
            )
          )
      }),
      deliveryServices,
      Layer.mock(HealthStore, { list: Effect.succeed([]), save: () => Effect.void }),
      Layer.mock(UsageStore, { charge: (_, { usage }) => Effect.sync(() => onCharge?.(usage)) }),
      Layer.mock(Transaction, { run: (effect) => effect }),
      Layer.mock(WorkerRegistry, {
        register: () => Effect.succeed(new Date(0)),
        list: () => {
          const there = others?.() ?? []
          return Effect.succeed(there === "away" ? [] : there as ReadonlyArray<RegisteredWorker>)
        },
        heartbeat: () =>
          others?.() === "away"
            ? Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
            : Effect.succeed(true),
        unregister: () => Effect.void
      }),
      SecureRandom.layerWebCrypto
    )
  })

/** A worker of one platform, which has worked for this many seconds. */
export const working = Effect.fnUntraced(function*(
  limits: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute"> & { readonly simulated?: boolean },
  ask: AnswerPlatform["ask"],
  seconds: number,
  line: Line = {}
) {
  const platform: AnswerPlatform = {
    id: "assistant_a",
    adapter: "scripted",
    model: "m",
    simulated: false,
    timeout: Duration.seconds(10),
    ask,
    ...limits
  }
  const platforms = Layer.succeed(AnswerPlatforms, { all: new Map([[platform.id, platform]]), digest: "d" })
  const worker = yield* Effect.provide(startWorker(), Layer.merge(yield* endlessWork(line), platforms))
  for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
  return worker
})

export const stopped = Effect.fnUntraced(function*(worker: Worker) {
  const stopping = yield* Effect.forkChild(worker.stop("5 seconds"))
  yield* TestClock.adjust("1 second")
  yield* Fiber.join(stopping)
})

export const answer = {
  text: "Acme",
  payload: Buffer.from(""),
  citations: [],
  model: "m",
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
  latencyMs: 1,
  simulated: false
} as const
