import {
  DeliveryId,
  DeliveryStore,
  encodeEventBody,
  type EndpointId,
  EndpointStore,
  EventOutbox,
  maxTries,
  OrganizationId,
  Transaction
} from "@sov/core"
import { at, hostileTexts, newId } from "@sov/core/testing"
import { Deferred, Effect } from "effect"
import assert from "node:assert/strict"
import { sameBytes, storeContract } from "./storeContract.ts"
import { chatMessage, outcomeOf, scanCompleted, seedDelivery, seedEndpoint } from "./webhookSeeds.ts"

type Seeded = Effect.Success<ReturnType<typeof seedDelivery>>

const nothing: ReadonlyMap<DeliveryId, EndpointId> = new Map()
const failed = { status: 500, failure: "status", message: "answered 500", response: "down" } as const

const queueOf = Effect.fnUntraced(function*({ endpoint, organizationId }: Seeded, claimed = nothing) {
  const { queues } = yield* DeliveryStore
  const found = (yield* queues(claimed, "all")).find(({ endpointId }) => endpointId === endpoint.id)
  // The same where its organization alone is asked for, and nothing where another one is
  const own = yield* queues(claimed, [organizationId])
  assert.deepEqual(own.find(({ endpointId }) => endpointId === endpoint.id), found)
  assert.deepEqual(own.filter((one) => one.organizationId !== organizationId), [])
  assert.deepEqual(yield* queues(claimed, [yield* newId(OrganizationId)]), [])
  return found
})
const dueOf = Effect.fnUntraced(function*(seed: Seeded, seconds: number, claimed = nothing) {
  const queue = { organizationId: seed.organizationId, endpointId: seed.endpoint.id, limit: 9 }
  return yield* (yield* DeliveryStore).due([queue], { now: at(seconds), claimed })
})
const deliveryOf = Effect.fnUntraced(function*({ delivery, organizationId }: Seeded) {
  return (yield* (yield* DeliveryStore).find(organizationId, delivery.id))!.delivery
})
const endpointOf = Effect.fnUntraced(function*({ endpoint, organizationId }: Seeded) {
  return (yield* (yield* EndpointStore).find(organizationId, endpoint.id))!
})

/** Begins it again at this time, due at once. */
const beginAgain = Effect.fnUntraced(function*({ delivery, organizationId }: Seeded, seconds: number) {
  return yield* (yield* DeliveryStore).restart(organizationId, delivery.id, { now: at(seconds), dueAt: at(seconds) })
})

const day = 86_400

/** What every DeliveryStore must keep. */
export const deliveryStoreContract = storeContract("DeliveryStore", {
  "gives what is due and not claimed, with the bytes to send": Effect.fnUntraced(function*() {
    const seed = yield* seedDelivery()
    const { delivery, endpoint, event, organizationId } = seed
    assert.deepEqual(yield* queueOf(seed), {
      organizationId,
      endpointId: endpoint.id,
      url: endpoint.url,
      format: "json",
      secrets: { current: "sealed", next: null },
      failing: false,
      dueAt: at(30)
    })
    assert.deepEqual(yield* dueOf(seed, 29), [])
    const [due] = yield* dueOf(seed, 30)
    assert.equal(due!.id, delivery.id)
    assert.equal(due!.eventId, event.id)
    assert.equal(due!.tries, 0)
    sameBytes(due!.body, encodeEventBody(organizationId, event))
    const claimed = new Map([[delivery.id, endpoint.id]])
    assert.deepEqual(yield* dueOf(seed, 30, claimed), [])
    assert.equal((yield* queueOf(seed, claimed))?.dueAt, null)
  }),

  "gives of many endpoints at once as many as are asked of each, the first due first": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const [one, two, third] = [yield* seedDelivery(), yield* seedDelivery(), yield* seedDelivery()]
    for (const seconds of [60, 40, 50]) {
      yield* (yield* EventOutbox).put(one.organizationId, yield* scanCompleted(at(seconds)), chatMessage)
    }
    yield* (yield* EventOutbox).put(two.organizationId, yield* scanCompleted(at(45)), chatMessage)
    const queue = ({ endpoint, organizationId }: Seeded, limit: number) => ({
      organizationId,
      endpointId: endpoint.id,
      limit
    })
    const due = yield* store.due([queue(one, 3), queue(two, 1)], { now: at(99), claimed: nothing })
    const of = ({ endpoint }: Seeded) => due.filter(({ endpointId }) => endpointId === endpoint.id).map(({ id }) => id)
    const all = (yield* store.list(one.organizationId, { limit: 9 })).toReversed()
    assert.deepEqual(of(one), all.slice(0, 3).map(({ id }) => id))
    assert.deepEqual([of(two), of(third)], [[two.delivery.id], []])
    assert.deepEqual(yield* store.due([], { now: at(99), claimed: nothing }), [])
  }),

  "ends what was delivered, and logs it": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery({ failingSince: at(1) })
    yield* store.record([outcomeOf(seed, 31, { response: hostileTexts.join("\u0000") })])
    assert.equal(yield* queueOf(seed), undefined)
    const found = (yield* store.find(seed.organizationId, seed.delivery.id))!
    const attempt = {
      number: 1,
      startedAt: at(31),
      durationMs: 1_000,
      status: 200,
      failure: null,
      message: null,
      response: hostileTexts.join("\uFFFD")
    }
    assert.deepEqual(found.attempts, [attempt])
    assert.deepEqual(found.delivery, {
      id: seed.delivery.id,
      endpointId: seed.endpoint.id,
      eventId: seed.event.id,
      event: "scan.completed",
      state: "delivered",
      attempts: 1,
      dueAt: at(30),
      createdAt: at(30),
      endedAt: at(32),
      last: attempt
    })
    sameBytes(found.body, encodeEventBody(seed.organizationId, seed.event))
    const after = yield* endpointOf(seed)
    assert.deepEqual([after.failingSince, after.lastSuccessAt, after.lastFailureAt], [null, at(32), null])
    // A second one that was in flight changes nothing
    yield* store.record([outcomeOf(seed, 33, failed)])
    assert.deepEqual((yield* store.find(seed.organizationId, seed.delivery.id))!.attempts, [attempt])
  }),

  "puts off what failed, counts it, and fails it when there is no next time": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    yield* store.record([outcomeOf(seed, 31, { ...failed, retryAt: at(60) })])
    assert.deepEqual([(yield* queueOf(seed))?.failing, (yield* queueOf(seed))?.dueAt], [true, at(60)])
    assert.equal((yield* dueOf(seed, 60))[0]?.tries, 1)
    const pending = yield* deliveryOf(seed)
    assert.deepEqual([pending.state, pending.attempts, pending.last?.message], ["pending", 1, "answered 500"])
    yield* store.record([outcomeOf(seed, 61, failed)])
    const ended = yield* deliveryOf(seed)
    assert.deepEqual([ended.state, ended.attempts, ended.endedAt], ["failed", 2, at(62)])
    assert.deepEqual((yield* endpointOf(seed)).failingSince, at(31))
  }),

  "keeps many at once, each its own": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seeds = [yield* seedDelivery(), yield* seedDelivery(), yield* seedDelivery()]
    yield* store.record(seeds.map((seed, n) => outcomeOf(seed, 40 + n, n === 1 ? { ...failed, retryAt: at(99) } : {})))
    const states = yield* Effect.forEach(seeds, (seed) => Effect.map(deliveryOf(seed), ({ state }) => state))
    assert.deepEqual(states, ["delivered", "pending", "delivered"])
  }),

  "begins again: the schedule from its start, the log goes on": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    yield* store.record([outcomeOf(seed, 31, failed)])
    const again = yield* beginAgain(seed, 50)
    assert.ok(again !== null && again !== "in flight")
    assert.deepEqual([again.tries, again.eventId, again.endpointId], [0, seed.event.id, seed.endpoint.id])
    sameBytes(again.body, encodeEventBody(seed.organizationId, seed.event))
    assert.deepEqual(yield* dueOf(seed, 49), [])
    yield* store.record([outcomeOf(seed, 51)])
    const found = (yield* store.find(seed.organizationId, seed.delivery.id))!
    assert.deepEqual(found.attempts.map(({ number, status }) => [number, status]), [[1, 500], [2, 200]])
  }),

  "begins nothing again that somebody may be sending: what is due, and what was not tried since it began": Effect
    .fnUntraced(function*() {
      const store = yield* DeliveryStore
      const seed = yield* seedDelivery()
      const rows = Effect.all([deliveryOf(seed), queueOf(seed)])
      const refused = Effect.fnUntraced(function*(seconds: number) {
        const before = yield* rows
        assert.equal(yield* beginAgain(seed, seconds), "in flight")
        assert.deepEqual(yield* rows, before)
      })
      // Due at 30, and never tried
      for (const seconds of [29, 30, 90]) yield* refused(seconds)
      // Tried, and due again at 60
      yield* store.record([outcomeOf(seed, 31, { ...failed, retryAt: at(60) })])
      for (const seconds of [60, 61]) yield* refused(seconds)
      const begun = yield* beginAgain(seed, 59)
      assert.equal(begun === null || begun === "in flight" ? begun : begun.tries, 0)
      // Who has begun it again is sending it, whenever it would be due
      yield* refused(59)
      yield* store.record([outcomeOf(seed, 60)])
      assert.equal((yield* store.find(seed.organizationId, seed.delivery.id))!.attempts.length, 2)
      assert.equal(typeof (yield* beginAgain(seed, 61)), "object")
      const nobody = yield* newId(DeliveryId)
      assert.equal(yield* store.restart(seed.organizationId, nobody, { now: at(99), dueAt: at(99) }), null)
    }),

  "disables an endpoint that answers 410, and one whose tries have all failed for five days": Effect.fnUntraced(
    function*() {
      const store = yield* DeliveryStore
      const gone = yield* seedDelivery()
      yield* store.record([outcomeOf(gone, 31, { ...failed, status: 410 })])
      const left = yield* endpointOf(gone)
      assert.deepEqual([left.disabledReason, left.disabledAt], ["gone", at(32)])

      const dead = yield* seedDelivery()
      yield* store.record([outcomeOf(dead, 31, { ...failed, retryAt: at(60) })])
      yield* store.record([outcomeOf(dead, 29 + 5 * day, { ...failed, retryAt: at(60) })])
      assert.equal((yield* endpointOf(dead)).disabledReason, null)
      yield* store.record([outcomeOf(dead, 30 + 5 * day, { ...failed, retryAt: at(60) })])
      const disabled = yield* endpointOf(dead)
      assert.deepEqual([disabled.disabledReason, disabled.disabledAt], ["failing", at(31 + 5 * day)])
      assert.equal(yield* queueOf(dead), undefined)
      assert.equal((yield* deliveryOf(dead)).state, "pending")
      yield* (yield* EndpointStore).enable(dead.organizationId, dead.endpoint.id)
      assert.deepEqual((yield* queueOf(dead))?.dueAt, at(60))

      const once = yield* seedDelivery()
      yield* store.record([outcomeOf(once, 31, { ...failed, retryAt: at(60) })])
      yield* store.record([outcomeOf(once, 4 * day, { retryAt: null })])
      const more = yield* scanCompleted()
      yield* (yield* EventOutbox).put(once.organizationId, more, chatMessage)
      const [second] = yield* store.list(once.organizationId, { limit: 1, state: "pending" })
      yield* store.record([outcomeOf({ ...once, delivery: second! }, 8 * day, failed)])
      assert.equal((yield* endpointOf(once)).disabledReason, null)
    }
  ),

  "says once that an endpoint is disabled, and once a day that a delivery to it is given up": Effect.fnUntraced(
    function*() {
      const store = yield* DeliveryStore
      const outbox = yield* EventOutbox
      const tell = ({ endpoint, organizationId }: Seeded, trouble: string, since: number) => [
        { organizationId, endpointId: endpoint.id, url: endpoint.url, trouble, failedSince: at(since) }
      ]
      const gone = yield* seedDelivery()
      const answered = outcomeOf(gone, 31, { ...failed, status: 410 })
      assert.deepEqual(yield* store.record([answered]), tell(gone, "gone", 31))
      assert.deepEqual(yield* store.record([answered]), [])

      const dead = yield* seedDelivery({ failingSince: at(0) })
      const late = outcomeOf(dead, 5 * day, { ...failed, retryAt: at(6 * day) })
      assert.deepEqual(yield* store.record([late]), tell(dead, "failing", 0))
      assert.deepEqual(yield* store.record([late]), [])

      // The schedule ends on its last try; a try that is made only once ends no schedule
      const seed = yield* seedDelivery()
      assert.deepEqual(yield* store.record([outcomeOf(seed, 31, failed)]), [])
      const exhaust = Effect.fnUntraced(function*(seconds: number, more = failed as Partial<typeof answered>) {
        yield* outbox.put(seed.organizationId, yield* scanCompleted(at(seconds)), chatMessage)
        const [delivery] = yield* store.list(seed.organizationId, { limit: 1, state: "pending" })
        for (let n = 1; n < maxTries; n++) {
          yield* store.record([
            outcomeOf({ ...seed, delivery: delivery! }, seconds, { ...failed, retryAt: at(seconds) })
          ])
        }
        return yield* store.record([outcomeOf({ ...seed, delivery: delivery! }, seconds, more)])
      })
      assert.deepEqual(yield* exhaust(40), tell(seed, "exhausted", 41))
      assert.deepEqual(yield* exhaust(50), [])
      assert.deepEqual(yield* exhaust(40 + day, { status: 200, failure: null }), [])
      assert.deepEqual(yield* exhaust(41 + day), tell(seed, "exhausted", 42 + day))
      // Disabled in the end: that is told instead
      assert.deepEqual(yield* exhaust(42 + 2 * day, { ...failed, status: 410 }), tell(seed, "gone", 41 + day))
    }
  ),

  "lists by endpoint, event, state and time, the newest first": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    const other = yield* seedEndpoint(seed.organizationId)
    yield* (yield* EventOutbox).put(seed.organizationId, yield* scanCompleted(at(40)), chatMessage)
    yield* store.record([outcomeOf(seed, 31)])
    const listed = (options: Parameters<typeof store.list>[1]) =>
      Effect.map(
        store.list(seed.organizationId, options),
        (all) =>
          all.map(({ createdAt, endpointId, state }) => [createdAt, endpointId === other.id ? "other" : "own", state])
      )
    const newer = [[at(40), "own", "pending"], [at(40), "other", "pending"]]
    const all = yield* listed({ limit: 9 })
    assert.deepEqual(all.slice(0, 2).toSorted((a, b) => String(b[1]).localeCompare(String(a[1]))), newer)
    assert.deepEqual(all.slice(2), [[at(30), "own", "delivered"]])
    assert.deepEqual(yield* listed({ limit: 9, state: "delivered" }), [[at(30), "own", "delivered"]])
    assert.deepEqual(yield* listed({ limit: 9, endpointId: other.id }), [[at(40), "other", "pending"]])
    assert.equal((yield* listed({ limit: 9, since: at(40) })).length, 2)
    assert.deepEqual(yield* listed({ limit: 9, eventId: seed.delivery.eventId }), [[at(30), "own", "delivered"]])
    assert.equal((yield* listed({ limit: 1 })).length, 1)
  }),

  "lists what has failed since a time, whenever it was made, and no samples": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    const failedSince = (seconds: number) =>
      Effect.map(
        store.list(seed.organizationId, { limit: 9, endpointId: seed.endpoint.id, failedSince: at(seconds) }),
        (all) => all.map(({ id }) => id)
      )
    const failing = { ...failed, retryAt: at(3 * day) }
    yield* store.record([outcomeOf(seed, 31, failing)])
    assert.deepEqual(yield* failedSince(0), [])
    yield* store.record([outcomeOf(seed, 3 * day, failed)])
    // Made three days before it failed
    assert.deepEqual(yield* failedSince(3 * day + 1), [seed.delivery.id])
    assert.deepEqual(yield* failedSince(3 * day + 2), [])
    for (const data of [{ test: true }, { competitor_name: "\"test\":true" }] as const) {
      const [id, made] = [yield* newId(DeliveryId), yield* scanCompleted(at(45))]
      const event = { ...made, data: { ...made.data, ...data } }
      yield* store.addOne(seed.organizationId, seed.endpoint.id, event, chatMessage, id, at(45))
      yield* store.record([outcomeOf({ ...seed, delivery: { id } }, 50, failed)])
      assert.equal((yield* failedSince(0)).includes(id), !("test" in data))
    }
    yield* (yield* EventOutbox).put(seed.organizationId, yield* scanCompleted(at(60)), chatMessage)
    assert.equal((yield* failedSince(0)).length, 2)
    const { endpoint, organizationId } = seed
    assert.equal(yield* store.countFailed(organizationId, endpoint.id, at(0)), 2)
    assert.equal(yield* store.countFailed(organizationId, endpoint.id, at(3 * day + 2)), 0)
  }),

  "begins those again that have failed since a time, and no others": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    const { endpoint, organizationId } = seed
    const other = yield* seedDelivery({}, organizationId)
    yield* store.record([outcomeOf(seed, 31, failed), outcomeOf(other, 31, failed)])
    const sample = yield* newId(DeliveryId)
    const made = yield* scanCompleted(at(45))
    const event = { ...made, data: { ...made.data, test: true as const } }
    yield* store.addOne(organizationId, endpoint.id, event, chatMessage, sample, at(45))
    yield* store.record([outcomeOf({ ...seed, delivery: { id: sample } }, 50, failed)])
    assert.equal(yield* store.restartFailed(organizationId, endpoint.id, at(33), at(70)), 0)
    assert.equal(yield* store.restartFailed(organizationId, endpoint.id, at(30), at(70)), 1)
    const [again, untouched] = [
      yield* store.find(organizationId, seed.delivery.id),
      yield* store.find(organizationId, other.delivery.id)
    ]
    assert.deepEqual(
      [again!.delivery.state, again!.delivery.dueAt, again!.delivery.endedAt, again!.delivery.attempts],
      ["pending", at(70), null, 1]
    )
    assert.equal(untouched!.delivery.state, "failed")
    assert.equal(yield* store.countFailed(organizationId, endpoint.id, at(0)), 0)
  }),

  "pages by time and id without a gap or a repetition": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const { endpoint, organizationId } = yield* seedDelivery()
    for (const seconds of [40, 40, 50, 60]) {
      yield* (yield* EventOutbox).put(organizationId, yield* scanCompleted(at(seconds)), chatMessage)
    }
    const all = yield* store.list(organizationId, { limit: 99, endpointId: endpoint.id })
    const paged: Array<(typeof all)[number]> = []
    for (let last = undefined as (typeof all)[number] | undefined;;) {
      const page = yield* store.list(organizationId, {
        limit: 2,
        endpointId: endpoint.id,
        ...last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
      })
      if (page.length === 0) break
      paged.push(...page)
      last = page.at(-1)
    }
    assert.equal(all.length, 5)
    assert.deepEqual(paged, all)
  }),

  "says once that deliveries are given up, also when two processes keep them at once": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const { run } = yield* Transaction
    const seed = yield* seedDelivery()
    yield* (yield* EventOutbox).put(seed.organizationId, yield* scanCompleted(at(40)), chatMessage)
    const both = yield* store.list(seed.organizationId, { limit: 9 })
    const last = both.map((delivery) => outcomeOf({ ...seed, delivery }, 50, failed))
    for (let n = 1; n < maxTries; n++) yield* store.record(last.map((one) => ({ ...one, retryAt: at(50) })))
    const kept = yield* Deferred.make<void>()
    const told = yield* Effect.all([
      run(Effect.gen(function*() {
        const troubles = yield* store.record([last[0]!])
        yield* Deferred.succeed(kept, undefined)
        // The other one begins before this is committed
        yield* Effect.sleep("100 millis")
        return troubles
      })),
      Effect.andThen(Deferred.await(kept), store.record([last[1]!]))
    ], { concurrency: 2 })
    assert.deepEqual(told.map((troubles) => troubles.map(({ trouble }) => trouble)), [["exhausted"], []])
  }),

  "adds an event for one endpoint alone, a disabled one too": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    const other = yield* seedEndpoint(seed.organizationId, { disabledReason: "operator", disabledAt: at(1) })
    const [id, event] = [yield* newId(DeliveryId), yield* scanCompleted(at(45))]
    yield* store.addOne(seed.organizationId, other.id, event, chatMessage, id, at(90))
    const found = (yield* store.find(seed.organizationId, id))!
    assert.deepEqual([found.delivery.endpointId, found.delivery.dueAt], [other.id, at(90)])
    assert.equal((yield* store.list(seed.organizationId, { limit: 9 })).length, 2)
  }),

  "knows whether anything waits for its first try": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    assert.equal(yield* store.hasUnattempted(seed.organizationId, at(29)), false)
    assert.equal(yield* store.hasUnattempted(seed.organizationId, at(30)), true)
    yield* (yield* EndpointStore).disable(seed.organizationId, seed.endpoint.id, at(30))
    assert.equal(yield* store.hasUnattempted(seed.organizationId, at(30)), false)
    yield* (yield* EndpointStore).enable(seed.organizationId, seed.endpoint.id)
    yield* store.record([outcomeOf(seed, 31, { ...failed, retryAt: at(32) })])
    assert.equal(yield* store.hasUnattempted(seed.organizationId, at(99)), false)
  }),

  "fails what waited too long": Effect.fnUntraced(function*() {
    const store = yield* DeliveryStore
    const seed = yield* seedDelivery()
    yield* store.expire(at(29), at(99))
    assert.equal((yield* deliveryOf(seed)).state, "pending")
    yield* store.expire(at(30), at(99))
    const { endedAt, state } = yield* deliveryOf(seed)
    assert.deepEqual([state, endedAt], ["failed", at(99)])
    // One that was begun again is as old as that
    yield* beginAgain(seed, 200)
    yield* store.expire(at(199), at(201))
    assert.equal((yield* deliveryOf(seed)).state, "pending")
    yield* store.expire(at(200), at(202))
    assert.equal((yield* deliveryOf(seed)).state, "failed")
  })
})
