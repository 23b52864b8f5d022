import { Effect } from "effect"
import type { EndpointId } from "../../domain/ids.ts"
import type { AttemptOutcome } from "../../ports/DeliveryStore.ts"
import { makePollLoop } from "../workers/pollLoop.ts"
import type { DeliveryLedger } from "./DeliveryLedger.ts"
import type { PostScheduler } from "./PostScheduler.ts"
import { recordAttempts } from "./recordAttempts.ts"

/** Outcomes that one statement records. */
const maxBatch = 500
/** How long the first outcome waits for others while posts are in flight: one transaction then records many. */
const gatherFor = "25 millis"

interface RecorderOptions {
  readonly ledger: DeliveryLedger
  /** Knows how many posts are in flight. */
  readonly scheduler: Pick<PostScheduler<never>, "inFlight">
  /** Called with each batch that is recorded; its deliveries are released by then. */
  readonly onRecorded: (outcomes: ReadonlyArray<AttemptOutcome>) => void
}

/**
 * Records in the database how posts ended, in batches, and releases their deliveries then. When the database fails, the
 * outcomes stay and are recorded later. When the scope closes the rest is recorded, for two seconds at most: what is
 * not recorded by then is due as before, and is sent once more.
 */
export const makeDeliveryRecorder = Effect.fnUntraced(function*({ ledger, onRecorded, scheduler }: RecorderOptions) {
  const outcomes: Array<AttemptOutcome> = []
  const loop = makePollLoop()

  const recordBatch = Effect.gen(function*() {
    const batch = outcomes.slice(0, maxBatch)
    if (batch.length === 0) return
    yield* recordAttempts(batch)
    outcomes.splice(0, batch.length)
    for (const { deliveryId } of batch) ledger.release(deliveryId)
    onRecorded(batch)
  })
  const recordAll = Effect.suspend(() => Effect.repeat(recordBatch, { while: () => outcomes.length > 0 }))

  // Registered before the loop is forked, so that it runs after the loop has ended
  yield* Effect.addFinalizer(() => recordAll.pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore))
  yield* loop.run({
    onFailure: "outcomes of deliveries are recorded later",
    poll: Effect.fnUntraced(function*() {
      if (outcomes.length === 0) return Infinity
      if (scheduler.inFlight > 0 && outcomes.length < maxBatch) yield* Effect.sleep(gatherFor)
      yield* Effect.uninterruptible(recordAll)
      return Infinity
    })
  }).pipe(Effect.forkScoped)

  return {
    add: (outcome: AttemptOutcome): void => {
      outcomes.push(outcome)
      loop.wake()
    },
    /** Endpoints with a failure that is not recorded yet. */
    failedEndpoints: (): ReadonlySet<EndpointId> =>
      new Set(outcomes.flatMap(({ endpointId, failure }) => failure === null ? [] : [endpointId]))
  }
})
