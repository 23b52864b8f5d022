import { Clock, Deferred, Duration, Effect, Result, Schedule, Semaphore } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { maxPendingAge } from "../../domain/webhooks/Delivery.ts"
import { promoteStagedAfter } from "../../domain/webhooks/Webhook.ts"
import { concerns, type NewWork } from "../../domain/workers/NewWork.ts"
import { DeliveryStore, type DueDelivery, type EndpointQueue } from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { now } from "../now.ts"
import { keepTrying } from "../workers/keepTrying.ts"
import { type Kind, type Queue, runKind, type Slot, type Working } from "../workers/runKind.ts"
import type { WakeSignal } from "../workers/WakeSignal.ts"
import { attemptDelivery } from "./attemptDelivery.ts"
import { makePostSlots } from "./postSlots.ts"
import { recordAttempts } from "./recordAttempts.ts"
import { makeSigningKeys, type SigningKeys } from "./signingKeys.ts"
import { decryptSecrets } from "./webhookSecrets.ts"

const maintenanceInterval = "1 minute"
/**
 * Maximum number of transactions that record outcomes concurrently. Each uses a connection that other work waits for.
 */
const maxRecordings = 4
/** How long until an endpoint whose secret cannot be decrypted is tried again, in milliseconds. */
const unreadableSecretPauseMs = 60_000

interface DeliveryQueue extends EndpointQueue, Queue {
  readonly id: EndpointId
  readonly dueAt: Date
  readonly keys: SigningKeys
}

/** Promotes staged secrets that are due, and fails deliveries that have been pending for too long. */
const maintainEndpoints = Effect.gen(function*() {
  const at = yield* now
  yield* (yield* EndpointStore).promoteStaged(new Date(at.getTime() - Duration.toMillis(promoteStagedAfter)))
  yield* (yield* DeliveryStore).expire(new Date(at.getTime() - Duration.toMillis(maxPendingAge)), at)
})

/** Creates a cache of the signing keys of endpoints, which are rebuilt if their secrets change. */
const makeKeyRing = () => {
  const known = new Map<EndpointId, { readonly secrets: EndpointQueue["secrets"]; readonly keys: SigningKeys }>()
  const pausedUntil = new Map<EndpointId, number>()
  const retain = (endpoints: ReadonlySet<EndpointId>): void => {
    for (const id of known.keys()) if (!endpoints.has(id)) known.delete(id)
  }
  /** Returns the keys; null if the secrets cannot be decrypted. */
  const find = Effect.fnUntraced(function*({ endpointId, organizationId, secrets }: EndpointQueue) {
    const last = known.get(endpointId)
    if (last?.secrets.current === secrets.current && last.secrets.next === secrets.next) return last.keys
    const nowMs = yield* Clock.currentTimeMillis
    if ((pausedUntil.get(endpointId) ?? 0) > nowMs) return null
    const found = yield* Effect.result(decryptSecrets(organizationId, endpointId, secrets))
    if (Result.isSuccess(found)) {
      const keys = makeSigningKeys(found.success)
      known.set(endpointId, { secrets, keys })
      return keys
    }
    pausedUntil.set(endpointId, nowMs + unreadableSecretPauseMs)
    yield* Effect.logWarning(`${found.failure.message}: nothing is delivered to it (${found.failure.hint})`)
    return null
  })
  return { find, retain }
}

const claimedOf = (working: Working<DeliveryQueue, DueDelivery>) =>
  new Map([...working].map(([id, { endpointId }]) => [id, endpointId]))

/** The due deliveries of all organizations; `canStartPost` limits the posts that each may have in flight. */
const makeDeliveryKind = Effect.fnUntraced(function*(abort: Deferred.Deferred<void>) {
  const store = yield* DeliveryStore
  const keyRing = makeKeyRing()
  /** Endpoints whose last post failed, kept while the row that was read last may be older than the failure */
  const marked = new Set<EndpointId>()
  const recordings = yield* Semaphore.make(maxRecordings)
  const kind: Kind<
    DeliveryQueue,
    OrganizationId,
    DueDelivery,
    Slot,
    StoreError,
    Effect.Services<
      ReturnType<typeof keyRing.find> | ReturnType<typeof attemptDelivery> | ReturnType<typeof recordAttempts>
    >
  > = {
    name: "delivering",
    told: (work) => work.of === "deliveries" ? work.organizationId : concerns(work, "deliveries") ? "all" : null,
    nameOf: ({ organizationId }) => organizationId,
    keyOf: (organizationId) => organizationId,
    look: Effect.fnUntraced(function*(which, working) {
      const inWork = new Set([...working.values()].map(({ endpointId }) => endpointId))
      for (const id of marked) if (!inWork.has(id)) marked.delete(id)
      const found: Array<DeliveryQueue> = []
      for (const queue of yield* store.queues(claimedOf(working), which)) {
        const keys = queue.dueAt === null ? null : yield* keyRing.find(queue)
        if (keys !== null) found.push({ ...queue, dueAt: queue.dueAt!, id: queue.endpointId, keys })
      }
      return found
    }),
    slots: makePostSlots((queue) => queue.failing || marked.has(queue.endpointId)),
    claimAtOnce: 64,
    claim: Effect.fnUntraced(function*(turns, now, working) {
      const wanted = turns.map(({ queue, slots }) => ({ ...queue, limit: slots.length }))
      const due = yield* store.due(wanted, { now, claimed: claimedOf(working) })
      return due.map((delivery) => [delivery.endpointId, delivery] as const)
    }),
    run: Effect.fnUntraced(function*(queue, delivery) {
      const outcome = yield* Effect.raceFirst(
        Effect.interruptible(attemptDelivery(queue, delivery)),
        Effect.as(Effect.interruptible(Deferred.await(abort)), null)
      )
      // The attempt was aborted, so the delivery stays due
      if (outcome === null) return null
      if (outcome.failure === null) marked.delete(queue.endpointId)
      else marked.add(queue.endpointId)
      yield* keepTrying(abort)(recordings.withPermit(recordAttempts([outcome])))
      return outcome.retryAt
    }),
    retain: keyRing.retain
  }
  return kind
})

interface DeliveryWorkerOptions {
  /** Notifies when there may be new deliveries. */
  readonly newWork: Pick<WakeSignal<NewWork>, "subscribe">
  /** Completes when the process must end and posts in flight must be aborted. */
  readonly abort: Deferred.Deferred<void>
}

export const runDeliveryWorker = ({ abort, newWork }: DeliveryWorkerOptions) =>
  Effect.scoped(Effect.gen(function*() {
    yield* maintainEndpoints.pipe(
      Effect.catchCause((cause) => Effect.logDebug("endpoints are maintained later", cause)),
      Effect.repeat(Schedule.spaced(maintenanceInterval)),
      Effect.forkScoped
    )
    return yield* runKind(yield* makeDeliveryKind(abort), { newWork, abort, fence: Effect.void })
  }))
