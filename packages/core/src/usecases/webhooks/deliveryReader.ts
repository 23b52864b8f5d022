import { Effect, Result } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { type ClaimedDelivery, DeliveryStore, type EndpointQueue } from "../../ports/DeliveryStore.ts"
import { ReadPlan } from "../workers/ReadPlan.ts"
import type { DeliveryLedger } from "./DeliveryLedger.ts"
import type { PostScheduler } from "./PostScheduler.ts"
import { makeSigningKeys, type SigningKeys } from "./signingKeys.ts"
import { decryptSecrets } from "./webhookSecrets.ts"

/** Deliveries of one endpoint that are read ahead, and endpoints whose deliveries one query reads. */
const [readAhead, maxQueuesPerQuery] = [32, 64]

/** An endpoint whose secret cannot be decrypted is tried again after this long. */
const unreadableSecretPauseMs = 60_000

/** An endpoint's queue with the keys of its secrets. */
export interface OpenQueue extends EndpointQueue {
  readonly keys: SigningKeys
}

/** An endpoint with pending deliveries. */
interface Reading {
  queue: OpenQueue
  /** Whether a delivery that is not claimed was due when the queues were read. */
  isDue: boolean
  /** Claimed, and not begun yet. */
  readonly buffer: Array<ClaimedDelivery>
}

interface ReaderOptions {
  readonly ledger: DeliveryLedger
  /** Gets each endpoint with pending deliveries, ready while it has one that is due or read ahead. */
  readonly scheduler: Pick<PostScheduler<OpenQueue>, "retain" | "update">
}

/**
 * Reads which endpoints have pending deliveries, and claims the deliveries that are due: many endpoints per query, a
 * number of deliveries of each ahead. Of an endpoint that is failing only one is read at a time.
 */
export const makeDeliveryReader = Effect.fnUntraced(function*({ ledger, scheduler }: ReaderOptions) {
  const store = yield* DeliveryStore
  const readings = new Map<EndpointId, Reading>()
  /** With a delivery that is due, and none that is read ahead. */
  const unread = new Set<EndpointId>()
  const pausedUntil = new Map<EndpointId, number>()
  /** Marked as failing since the last `readQueues` began: what it reads may be older. */
  const marked = new Set<EndpointId>()
  const reads = new ReadPlan<OrganizationId>((id) => id)

  /** To be called after each change of what is known of an endpoint. */
  const publish = ({ buffer, isDue, queue }: Reading): void => {
    if (isDue && buffer.length === 0) unread.add(queue.endpointId)
    else unread.delete(queue.endpointId)
    scheduler.update(queue, isDue || buffer.length > 0)
  }

  /** The keys of an endpoint, made anew when its secrets have changed; null while they cannot be decrypted. */
  const findKeys = Effect.fnUntraced(function*(queue: EndpointQueue, nowMs: number) {
    const known = readings.get(queue.endpointId)?.queue
    if (known?.secrets.current === queue.secrets.current && known.secrets.next === queue.secrets.next) return known.keys
    if ((pausedUntil.get(queue.endpointId) ?? 0) > nowMs) return null
    const secrets = yield* Effect.result(decryptSecrets(queue.organizationId, queue.endpointId, queue.secrets))
    if (Result.isSuccess(secrets)) return makeSigningKeys(secrets.success)
    pausedUntil.set(queue.endpointId, nowMs + unreadableSecretPauseMs)
    yield* Effect.logWarning(`${secrets.failure.message}: nothing is delivered to it (${secrets.failure.hint})`)
    return null
  })

  /** Those that a read of these organizations is about. */
  const readingsOf = (which: "all" | ReadonlyArray<OrganizationId>): ReadonlyArray<Reading> => {
    const all = [...readings.values()]
    if (which === "all") return all
    const asked = new Set(which)
    return all.filter(({ queue }) => asked.has(queue.organizationId))
  }

  /** Gives back what was claimed for an endpoint that is disabled or gone: it is not sent. */
  const drop = ({ buffer, queue }: Reading): void => {
    for (const { id } of buffer) ledger.release(id)
    readings.delete(queue.endpointId)
    unread.delete(queue.endpointId)
    scheduler.update(queue, false)
  }

  const fillBuffers = Effect.fnUntraced(function*(empty: ReadonlyArray<Reading>, nowMs: number) {
    const wanted = empty.map(({ queue }) => ({ ...queue, limit: queue.failing ? 1 : readAhead }))
    const claimed = ledger.claimedOf(wanted.map(({ endpointId }) => endpointId))
    for (const delivery of yield* store.due(wanted, { now: new Date(nowMs), claimed })) {
      ledger.claim(delivery.id, delivery.endpointId)
      readings.get(delivery.endpointId)!.buffer.push(delivery)
    }
    for (const [n, reading] of empty.entries()) {
      // Fewer than asked for: nothing more of the endpoint is due before the queues are read again
      reading.isDue = reading.buffer.length === wanted[n]!.limit
      publish(reading)
    }
  })

  const markFailing = (endpointId: EndpointId): void => {
    marked.add(endpointId)
    const reading = readings.get(endpointId)
    if (reading === undefined || reading.queue.failing) return
    reading.queue = { ...reading.queue, failing: true }
    publish(reading)
  }

  return {
    /** When the queues are to be read again, in milliseconds since 1970. */
    nextReadAt: (): number => reads.findNext(false),
    /** Has the queues of all organizations read again. */
    readAll: (): void => reads.readAll(),
    /** Has the queues of the organization read again at this time at the latest. */
    readAt: (id: OrganizationId, ms: number): void => reads.readAt(id, ms),
    /**
     * Reads the queues that are to be read by now: those of all organizations at each poll, otherwise of those alone
     * that may have a delivery which is due. `failed` are endpoints with failures that are not recorded yet. An
     * endpoint that is marked while this reads stays marked.
     */
    readQueues: Effect.fnUntraced(function*(nowMs: number, failed: ReadonlySet<EndpointId>) {
      const which = reads.take(nowMs, false)
      if (which === null) return
      marked.clear()
      const known = new Set<EndpointId>()
      const opened: Array<OpenQueue> = []
      const claimed = which === "all"
        ? ledger.claimed
        : ledger.claimedOf(readingsOf(which).map(({ queue }) => queue.endpointId))
      const found = yield* store.queues(claimed, which).pipe(
        Effect.onError(() => Effect.sync(() => reads.recordFailure()))
      )
      for (const queue of found) {
        const keys = yield* findKeys(queue, nowMs)
        if (keys !== null) opened.push({ ...queue, keys })
      }
      for (const queue of opened) {
        const { dueAt, endpointId } = queue
        known.add(endpointId)
        const failing = queue.failing || failed.has(endpointId) || marked.has(endpointId)
        const isDue = dueAt !== null && dueAt.getTime() <= nowMs
        if (dueAt !== null && !isDue) reads.readAt(queue.organizationId, dueAt.getTime())
        const reading = { queue: { ...queue, failing }, isDue, buffer: readings.get(endpointId)?.buffer ?? [] }
        readings.set(endpointId, reading)
        publish(reading)
      }
      for (const reading of readingsOf(which)) if (!known.has(reading.queue.endpointId)) drop(reading)
      if (which === "all") scheduler.retain(known)
    }),
    /** Counts an endpoint as failing from its first failure on, without waiting for the next `readQueues`. */
    markFailing,
    /**
     * Takes the next delivery of `queue`, null when nothing of it is due. If none is buffered it reads ahead, for other
     * endpoints without a buffered delivery as well.
     */
    take: Effect.fnUntraced(function*({ endpointId }: OpenQueue, nowMs: number) {
      const reading = readings.get(endpointId)
      if (reading === undefined) return null
      if (reading.buffer.length === 0) {
        const empty = [reading]
        for (const id of unread) {
          if (empty.length === maxQueuesPerQuery) break
          if (id !== endpointId) empty.push(readings.get(id)!)
        }
        yield* fillBuffers(empty, nowMs)
      }
      const delivery = reading.buffer.shift() ?? null
      publish(reading)
      return delivery
    })
  }
})
