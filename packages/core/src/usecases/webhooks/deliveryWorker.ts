import { Clock, Deferred, Duration, Effect, Exit, Fiber, Latch, Result } from "effect"
import type { DeliveryId, EndpointId } from "../../domain/ids.ts"
import { mayBegin, pendingFor } from "../../domain/webhooks/Delivery.ts"
import { stagedFor } from "../../domain/webhooks/Webhook.ts"
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  DeliveryStore,
  type EndpointQueue
} from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { makeFairScheduler } from "../workers/makeFairScheduler.ts"
import { pollIntervalMs } from "../workers/pollLoop.ts"
import type { WakeSignal } from "../workers/WakeSignal.ts"
import { attemptDelivery } from "./attemptDelivery.ts"
import { recordTries } from "./recordTries.ts"
import { decryptSecrets, type PlainSecrets } from "./webhookSecrets.ts"

/** Deliveries of one endpoint that are read ahead, and endpoints that are read by one query. */
const [ahead, readAtOnce] = [32, 64]
/** Outcomes that are kept by one statement, and how long one waits for others while posts are in flight. */
const [recordAtOnce, gather] = [500, "25 millis"] as const
/** An endpoint whose secret cannot be opened is looked at again after this long. */
const sealedPauseMs = 60_000
const upkeepEveryMs = 60_000

/** An endpoint with what is known of it since the last look. */
interface Post extends EndpointQueue {
  readonly open: PlainSecrets
}

/** Where deliveries are worked on; `newWork` rings when there may be new ones, `abort` ends the posts in flight. */
export interface DeliveryPlace {
  readonly newWork: Pick<WakeSignal, "subscribe">
  readonly abort: Deferred.Deferred<void>
}

/**
 * Posts the due deliveries of all organizations, for ever. Organizations take turns, and so do the endpoints of one;
 * `mayBegin` says how many posts each may have at once. One process at a time should do this; two would deliver twice what
 * both have read, with the same `webhook-id`. Interruption ends reading; posts in flight are awaited, and how they ended
 * is kept. Rows are the state: what dies here in the middle is due as before.
 */
export const runDeliveryWorker = ({ abort, newWork }: DeliveryPlace) =>
  Effect.scoped(Effect.gen(function*() {
    const store = yield* DeliveryStore
    const endpoints = yield* EndpointStore
    const turns = makeFairScheduler<Post>(({ organizationId }) => organizationId, ({ endpointId }) => endpointId)
    const awake = Latch.makeUnsafe(true)
    const ended = Latch.makeUnsafe(false)
    /** Read, in flight, or ended and not kept yet: nobody reads them again. */
    const held = new Map<DeliveryId, EndpointId>()
    const read = new Map<EndpointId, Array<ClaimedDelivery>>()
    const flying = new Map<string, number>()
    const outcomes: Array<AttemptOutcome> = []
    const paused = new Map<EndpointId, number>()
    const inFlight = new Set<Fiber.Fiber<void>>()
    let posts: ReadonlyArray<Post> = []
    let lookAt = 0
    let upkeepAt = 0

    yield* newWork.subscribe(() => {
      lookAt = 0
      awake.openUnsafe()
    })

    const flightsOf = (whose: string) => flying.get(whose) ?? 0
    const fly = ({ endpointId, failing, organizationId }: EndpointQueue, by: 1 | -1) => {
      const failingToo = failing ? ["failing", `failing ${organizationId}`] : []
      for (const whose of ["all", organizationId, endpointId, ...failingToo]) {
        flying.set(whose, flightsOf(whose) + by)
        if (flying.get(whose) === 0) flying.delete(whose)
      }
    }

    /** Keeps how posts ended; on trouble with the database all of it is kept later. */
    const keep = Effect.gen(function*() {
      const some = outcomes.slice(0, recordAtOnce)
      if (some.length === 0) return
      yield* recordTries(some)
      outcomes.splice(0, some.length)
      for (const { deliveryId, retryAt } of some) {
        held.delete(deliveryId)
        if (retryAt !== null) lookAt = Math.min(lookAt, retryAt.getTime())
      }
      awake.openUnsafe()
    })
    const keepAll = Effect.suspend(() => Effect.repeat(keep, { while: () => outcomes.length > 0 }))

    // Registered first, so that it comes last
    yield* Effect.addFinalizer(() => keepAll.pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore))
    yield* Effect.gen(function*() {
      yield* ended.await
      if (flightsOf("all") > 0 && outcomes.length < recordAtOnce) yield* Effect.sleep(gather)
      ended.closeUnsafe()
      yield* Effect.uninterruptible(keepAll)
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.logDebug("how deliveries went is kept later", cause).pipe(
          Effect.andThen(Effect.sleep("1 second")),
          Effect.andThen(Effect.sync(() => ended.openUnsafe()))
        )
      ),
      Effect.forever,
      Effect.forkScoped
    )
    // Posts end while their outcomes are kept: this comes first of all that the end brings
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Effect.raceFirst(Effect.interruptible(Fiber.awaitAll(inFlight)), Effect.interruptible(Deferred.await(abort))),
        Effect.suspend(() => Fiber.interruptAll(inFlight))
      )
    )

    /** An endpoint is failing from its first failure on, not from the next look on. */
    const withFailures = (failed: ReadonlySet<EndpointId>) => (queue: Post): Post =>
      failed.has(queue.endpointId) ? { ...queue, failing: true } : queue

    /** Posts one; the place is free when it has ended, also when it was abort. */
    const post = Effect.fnUntraced(function*(queue: Post, delivery: ClaimedDelivery) {
      const attempt = attemptDelivery({ ...queue, secrets: queue.open }, delivery)
      const exit = yield* Effect.exit(Effect.interruptible(attempt))
      fly(queue, -1)
      if (Exit.isSuccess(exit)) {
        outcomes.push(exit.value)
        if (exit.value.failure !== null && !queue.failing) posts = posts.map(withFailures(new Set([queue.endpointId])))
        ended.openUnsafe()
      } else {
        held.delete(delivery.id)
        yield* Effect.logDebug("a delivery is left for later", exit.cause)
      }
      awake.openUnsafe()
    })

    /** Endpoints that may be posted to: a secret that cannot be opened rests its endpoint for a while. */
    const opened = Effect.fnUntraced(function*(queue: EndpointQueue, nowMs: number) {
      if ((paused.get(queue.endpointId) ?? 0) > nowMs) return []
      const secrets = yield* Effect.result(decryptSecrets(queue.organizationId, queue.endpointId, queue.secrets))
      if (Result.isSuccess(secrets)) return [{ ...queue, open: secrets.success }]
      paused.set(queue.endpointId, nowMs + sealedPauseMs)
      yield* Effect.logWarning(`${secrets.failure.message}: nothing is delivered to it (${secrets.failure.hint})`)
      return []
    })

    const look = Effect.fnUntraced(function*(nowMs: number) {
      lookAt = nowMs + pollIntervalMs
      const queues = yield* store.queues(held)
      const found = (yield* Effect.forEach(queues, (queue) => opened(queue, nowMs))).flat()
      const failed = outcomes.flatMap(({ endpointId, failure }) => failure === null ? [] : [endpointId])
      posts = found.map(withFailures(new Set(failed)))
      for (const { dueAt } of posts) {
        if (dueAt !== null && dueAt.getTime() > nowMs) lookAt = Math.min(lookAt, dueAt.getTime())
      }
      turns.retain(posts)
      // What was read for an endpoint that is disabled or gone is not sent
      const known = new Set(posts.map(({ endpointId }) => endpointId))
      for (const [endpointId, deliveries] of read) {
        if (known.has(endpointId)) continue
        for (const { id } of deliveries) held.delete(id)
        read.delete(endpointId)
      }
    })

    const mayFly = ({ endpointId, failing, organizationId }: Post) =>
      mayBegin(failing, {
        all: flightsOf("all"),
        failing: flightsOf("failing"),
        own: flightsOf(organizationId),
        ownFailing: flightsOf(`failing ${organizationId}`),
        endpoint: flightsOf(endpointId)
      })
    const isRead = ({ endpointId }: Post) => (read.get(endpointId)?.length ?? 0) > 0
    const hasWork = (queue: Post, nowMs: number) =>
      isRead(queue) || (queue.dueAt !== null && queue.dueAt.getTime() <= nowMs)
    const waiting = (nowMs: number) => posts.filter((queue) => mayFly(queue) && hasWork(queue, nowMs))

    /** Reads ahead for these endpoints. */
    const refill = Effect.fnUntraced(function*(queues: ReadonlyArray<Post>, nowMs: number) {
      const wanted = new Map(queues.map((queue) => [queue.endpointId, { ...queue, limit: queue.failing ? 1 : ahead }]))
      const due = yield* store.due([...wanted.values()], { now: new Date(nowMs), held })
      for (const endpointId of wanted.keys()) read.set(endpointId, [])
      for (const one of due) {
        held.set(one.id, one.endpointId)
        read.get(one.endpointId)!.push(one)
      }
      posts = posts.map((queue) => {
        const limit = wanted.get(queue.endpointId)?.limit
        return limit === undefined || read.get(queue.endpointId)!.length === limit ? queue : { ...queue, dueAt: null }
      })
    })

    const serve = Effect.fnUntraced(function*(queue: Post, queues: ReadonlyArray<Post>, nowMs: number) {
      if (!isRead(queue)) {
        const others = queues.filter((one) => one !== queue && !isRead(one))
        yield* refill([queue, ...others.slice(0, readAtOnce - 1)], nowMs)
      }
      const next = read.get(queue.endpointId)?.shift()
      if (next === undefined) return
      fly(queue, 1)
      // Born uninterruptible: one that is interrupted before its first step would keep its place for ever
      const fiber = yield* Effect.forkDetach(post(queue, next), { uninterruptible: true })
      inFlight.add(fiber)
      fiber.addObserver(() => inFlight.delete(fiber))
    }, Effect.uninterruptible)

    const upkeep = Effect.fnUntraced(function*(nowMs: number) {
      upkeepAt = nowMs + upkeepEveryMs
      yield* endpoints.promoteStaged(new Date(nowMs - Duration.toMillis(stagedFor)))
      yield* store.expire(new Date(nowMs - Duration.toMillis(pendingFor)), new Date(nowMs))
    })

    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs >= upkeepAt) yield* upkeep(nowMs)
      if (nowMs >= lookAt) yield* look(nowMs)
      let queues = waiting(nowMs)
      while (queues.length > 0) {
        yield* serve(turns.next(queues), queues, nowMs)
        queues = waiting(nowMs)
      }
      yield* Effect.timeoutOrElse(awake.await, {
        duration: Math.max(0, Math.min(lookAt, upkeepAt) - nowMs),
        orElse: () => Effect.void
      })
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.logDebug("deliveries pause", cause).pipe(Effect.andThen(Effect.sleep("1 second")))
      )
    )
    return yield* Effect.forever(step)
  }))
