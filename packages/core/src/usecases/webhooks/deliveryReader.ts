import { Effect, Result } from "effect"
import type { EndpointId } from "../../domain/ids.ts"
import { type ClaimedDelivery, DeliveryStore, type EndpointQueue } from "../../ports/DeliveryStore.ts"
import { pollIntervalMs } from "../workers/pollLoop.ts"
import type { DeliveryLedger } from "./DeliveryLedger.ts"
import { decryptSecrets, type PlainSecrets } from "./webhookSecrets.ts"

/** Deliveries of one endpoint that are read ahead, and endpoints whose deliveries one query reads. */
const [readAhead, maxQueuesPerQuery] = [32, 64]

/** An endpoint whose secret cannot be decrypted is tried again after this long. */
const unreadableSecretPauseMs = 60_000

/** An endpoint's queue with its secrets decrypted. */
export interface OpenQueue extends EndpointQueue {
  readonly plainSecrets: PlainSecrets
}

/**
 * Reads which endpoints have pending deliveries, and claims the deliveries that are due: many endpoints per query, a
 * number of deliveries of each ahead. Of an endpoint that is failing only one is read at a time.
 */
export const makeDeliveryReader = Effect.fnUntraced(function*(ledger: DeliveryLedger) {
  const store = yield* DeliveryStore
  /** Claimed, and not begun yet. */
  const buffers = new Map<EndpointId, Array<ClaimedDelivery>>()
  const pausedUntil = new Map<EndpointId, number>()
  /** Marked as failing since the last `readQueues` began: what it reads may be older. */
  const marked = new Set<EndpointId>()
  let queues: ReadonlyArray<OpenQueue> = []
  let nextReadAt = 0

  const isBuffered = ({ endpointId }: OpenQueue) => (buffers.get(endpointId)?.length ?? 0) > 0
  const hasWork = (queue: OpenQueue, nowMs: number) =>
    isBuffered(queue) || (queue.dueAt !== null && queue.dueAt.getTime() <= nowMs)

  /** The queue if its secrets can be decrypted; otherwise its endpoint is paused. */
  const openQueue = Effect.fnUntraced(function*(queue: EndpointQueue, nowMs: number) {
    if ((pausedUntil.get(queue.endpointId) ?? 0) > nowMs) return []
    const secrets = yield* Effect.result(decryptSecrets(queue.organizationId, queue.endpointId, queue.secrets))
    if (Result.isSuccess(secrets)) return [{ ...queue, plainSecrets: secrets.success }]
    pausedUntil.set(queue.endpointId, nowMs + unreadableSecretPauseMs)
    yield* Effect.logWarning(`${secrets.failure.message}: nothing is delivered to it (${secrets.failure.hint})`)
    return []
  })

  /** Gives back what was claimed for endpoints that are disabled or gone: it is not sent. */
  const dropBuffersOfOthers = () => {
    const known = new Set(queues.map(({ endpointId }) => endpointId))
    for (const [endpointId, deliveries] of buffers) {
      if (known.has(endpointId)) continue
      for (const { id } of deliveries) ledger.release(id)
      buffers.delete(endpointId)
    }
  }

  const fillBuffers = Effect.fnUntraced(function*(empty: ReadonlyArray<OpenQueue>, nowMs: number) {
    const wanted = new Map(
      empty.map((queue) => [queue.endpointId, { ...queue, limit: queue.failing ? 1 : readAhead }])
    )
    const due = yield* store.due([...wanted.values()], { now: new Date(nowMs), claimed: ledger.claimed })
    for (const endpointId of wanted.keys()) buffers.set(endpointId, [])
    for (const delivery of due) {
      ledger.claim(delivery.id, delivery.endpointId)
      buffers.get(delivery.endpointId)!.push(delivery)
    }
    // Fewer than asked for: nothing more of the endpoint is due before the queues are read again
    queues = queues.map((queue) => {
      const limit = wanted.get(queue.endpointId)?.limit
      return limit === undefined || buffers.get(queue.endpointId)!.length === limit ? queue : { ...queue, dueAt: null }
    })
  })

  const markFailing = (failed: ReadonlySet<EndpointId>): void => {
    for (const endpointId of failed) marked.add(endpointId)
    queues = queues.map((queue) => failed.has(queue.endpointId) ? { ...queue, failing: true } : queue)
  }

  return {
    /** When the queues are to be read again, in milliseconds since 1970. */
    nextReadAt: (): number => nextReadAt,
    /** Has the queues read again at this time at the latest. */
    readAgainAt: (ms: number): void => {
      nextReadAt = Math.min(nextReadAt, ms)
    },
    /**
     * Reads the queues and returns them; `failed` are endpoints with failures that are not recorded yet. An endpoint that
     * is marked while this reads stays marked. Then `nextReadAt` is when the next delivery of any endpoint is due, at
     * most `pollIntervalMs` later.
     */
    readQueues: Effect.fnUntraced(function*(nowMs: number, failed: ReadonlySet<EndpointId>) {
      nextReadAt = nowMs + pollIntervalMs
      marked.clear()
      const found = yield* store.queues(ledger.claimed)
      queues = (yield* Effect.forEach(found, (queue) => openQueue(queue, nowMs))).flat()
      markFailing(new Set([...failed, ...marked]))
      for (const { dueAt } of queues) {
        if (dueAt !== null && dueAt.getTime() > nowMs) nextReadAt = Math.min(nextReadAt, dueAt.getTime())
      }
      dropBuffersOfOthers()
      return queues
    }),
    /** Counts endpoints as failing from their first failure on, without waiting for the next `readQueues`. */
    markFailing,
    /** The queues with a delivery that is due, to whose endpoints another post may start. */
    ready: (nowMs: number): ReadonlyArray<OpenQueue> =>
      queues.filter((queue) => ledger.canStart(queue) && hasWork(queue, nowMs)),
    /**
     * Takes the next delivery of `queue`, null when nothing of it is due. If none is buffered it reads ahead, for the
     * other `ready` queues without a buffered delivery as well.
     */
    take: Effect.fnUntraced(function*(queue: OpenQueue, ready: ReadonlyArray<OpenQueue>, nowMs: number) {
      if (!isBuffered(queue)) {
        const others = ready.filter((other) => other !== queue && !isBuffered(other))
        yield* fillBuffers([queue, ...others.slice(0, maxQueuesPerQuery - 1)], nowMs)
      }
      return buffers.get(queue.endpointId)?.shift() ?? null
    })
  }
})
