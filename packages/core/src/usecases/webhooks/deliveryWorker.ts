/**
 * Posts deliveries to webhook endpoints. The states of a delivery in this process, beside its row in the database:
 *
 * | state | kept in | next state |
 * | --- | --- | --- |
 * | waiting | its row: `pending`, and claimed by nobody | read ahead, once it is due (`deliveryReader`) |
 * | read ahead | the reader's buffer; claimed | in flight, when `PostScheduler` chooses; waiting, if its endpoint is disabled |
 * | in flight | the scheduler's counts; claimed | ended; waiting, if it was aborted |
 * | ended | the recorder's list; claimed | recorded: delivered, failed, or waiting for the next try (`deliveryRecorder`) |
 *
 * Claims are in memory only (`DeliveryLedger`): if the process dies in any of these states, the row is due as before.
 */
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { maxPendingAge } from "../../domain/webhooks/Delivery.ts"
import { promoteStagedAfter } from "../../domain/webhooks/Webhook.ts"
import { concerns, type NewWork } from "../../domain/workers/NewWork.ts"
import { type ClaimedDelivery, DeliveryStore } from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { makePollLoop } from "../workers/pollLoop.ts"
import type { WakeSignal } from "../workers/WakeSignal.ts"
import { attemptDelivery } from "./attemptDelivery.ts"
import { DeliveryLedger } from "./DeliveryLedger.ts"
import { makeDeliveryReader, type OpenQueue } from "./deliveryReader.ts"
import { makeDeliveryRecorder } from "./deliveryRecorder.ts"
import { PostScheduler } from "./PostScheduler.ts"

const maintenanceIntervalMs = 60_000

interface DeliveryWorkerOptions {
  /** Notifies when there may be new deliveries. */
  readonly newWork: Pick<WakeSignal<NewWork>, "subscribe">
  /** Done when posts in flight must be aborted: the process has to end. */
  readonly abort: Deferred.Deferred<void>
}

/** Promotes staged secrets whose time has come, and fails deliveries that have been pending for too long. */
const maintainEndpoints = Effect.fnUntraced(function*(nowMs: number) {
  yield* (yield* EndpointStore).promoteStaged(new Date(nowMs - Duration.toMillis(promoteStagedAfter)))
  yield* (yield* DeliveryStore).expire(new Date(nowMs - Duration.toMillis(maxPendingAge)), new Date(nowMs))
})

/**
 * Posts the due deliveries of all organizations until interrupted. Organizations take turns, and so do the endpoints of
 * one; `canStartPost` says how many posts each may have in flight. One process at a time should do this: two would send
 * twice what both have read, with the same `webhook-id`. Interruption ends reading; posts in flight are awaited, and
 * how they ended is recorded.
 */
export const runDeliveryWorker = ({ abort, newWork }: DeliveryWorkerOptions) =>
  Effect.scoped(Effect.gen(function*() {
    const scheduler = new PostScheduler<OpenQueue>()
    const loop = makePollLoop()
    const ledger = new DeliveryLedger()
    const reader = yield* makeDeliveryReader({ ledger, scheduler })
    const posts = new Set<Fiber.Fiber<void>>()
    let maintenanceAt = 0

    yield* newWork.subscribe((work) => {
      if (!concerns(work, "deliveries")) return
      if (work.of === "deliveries") reader.readAt(work.organizationId, 0)
      else reader.readAll()
      loop.wake()
    })
    const recorder = yield* makeDeliveryRecorder({
      ledger,
      scheduler,
      onRecorded: (outcomes) => {
        for (const { organizationId, retryAt } of outcomes) {
          if (retryAt !== null) reader.readAt(organizationId, retryAt.getTime())
        }
        loop.wake()
      }
    })
    // Registered after the recorder's, so that it runs first: posts end while the recorder still runs
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Effect.raceFirst(Effect.interruptible(Fiber.awaitAll(posts)), Effect.interruptible(Deferred.await(abort))),
        Effect.suspend(() => Fiber.interruptAll(posts))
      )
    )

    /** Posts once; `end` is called however it ended, also when it was aborted. */
    const postDelivery = Effect.fnUntraced(function*(queue: OpenQueue, delivery: ClaimedDelivery, end: () => void) {
      const attempt = attemptDelivery(queue, delivery)
      const exit = yield* Effect.exit(Effect.interruptible(attempt))
      end()
      if (Exit.isSuccess(exit)) {
        if (exit.value.failure !== null && !queue.failing) reader.markFailing(queue.endpointId)
        recorder.add(exit.value)
      } else {
        ledger.release(delivery.id)
        yield* Effect.logDebug("a delivery was aborted and is sent later", exit.cause)
      }
      loop.wake()
    })

    const startDelivery = Effect.fnUntraced(
      function*(queue: OpenQueue, nowMs: number) {
        const delivery = yield* reader.take(queue, nowMs)
        if (delivery === null) return
        const end = scheduler.trackInFlight(queue)
        // Forked uninterruptible: interrupted before its first step, it would count as in flight for ever
        const fiber = yield* Effect.forkDetach(postDelivery(queue, delivery, end), { uninterruptible: true })
        posts.add(fiber)
        fiber.addObserver(() => posts.delete(fiber))
      },
      Effect.uninterruptible
    )

    const poll = Effect.fnUntraced(function*(nowMs: number) {
      if (nowMs >= maintenanceAt) {
        maintenanceAt = nowMs + maintenanceIntervalMs
        yield* maintainEndpoints(nowMs)
      }
      yield* reader.readQueues(nowMs, recorder.failedEndpoints())
      for (let next = scheduler.next(); next !== null; next = scheduler.next()) yield* startDelivery(next, nowMs)
      return Math.min(reader.nextReadAt(), maintenanceAt) - nowMs
    })
    return yield* loop.run({ onFailure: "deliveries pause", poll })
  }))
