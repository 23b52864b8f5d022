/** The reader of deliveries in front of a store that is a list in memory; times are milliseconds. */
import {
  DeliveryId,
  DeliveryLedger,
  DeliveryStore,
  type EncryptionKeys,
  EndpointId,
  EventId,
  makeDeliveryReader,
  OrganizationId
} from "@sov/core"
import { Effect, Layer, Logger } from "effect"
import { expect, it } from "vitest"
import { deliveryServices } from "../../support/webhooks.ts"
import { storedSecrets } from "./storedSecrets.ts"

const id = (kind: number, n: number) => `01900000-0000-7000-80${kind}0-${String(n).padStart(12, "0")}`
const organizationId = OrganizationId.make(id(1, 0))
const otherId = OrganizationId.make(id(1, 1))
const endpointId = (n: number) => EndpointId.make(id(2, n))

interface Endpoint {
  readonly n: number
  readonly dueAt: number
  readonly deliveries: number
  readonly failing?: boolean
  readonly unreadable?: boolean
  /** Of the other organization. */
  readonly other?: boolean
}

type Reader = Effect.Success<ReturnType<typeof makeDeliveryReader>>
type Queue = Parameters<Reader["take"]>[0]

/**
 * Runs the body with a reader of these endpoints, which the body may replace; `ready` has those that the reader says
 * are ready, `asked` the limits of each query of deliveries, and `read` what each read of the queues was about.
 */
const reading = (
  endpoints: Array<Endpoint>,
  body: (
    reader: Reader,
    ready: () => ReadonlyArray<Queue>,
    asked: ReadonlyArray<ReadonlyArray<number>>,
    ledger: DeliveryLedger,
    read: ReadonlyArray<"all" | ReadonlyArray<OrganizationId>>
  ) => Effect.Effect<void, unknown, DeliveryStore | EncryptionKeys>,
  /** Runs after the store has found the queues, before the reader has them. */
  onQueues: () => void = () => {}
) => {
  const asked: Array<ReadonlyArray<number>> = []
  const read: Array<"all" | ReadonlyArray<OrganizationId>> = []
  const warnings: Array<string> = []
  const unclaimed = ({ deliveries, n }: Endpoint, claimed: ReadonlyMap<DeliveryId, EndpointId>) =>
    Array.from({ length: deliveries }, (_, i) => DeliveryId.make(id(3, 1_000 * n + i))).filter((one) =>
      !claimed.has(one)
    )
  const store = Layer.mock(DeliveryStore, {
    queues: (claimed, which) =>
      Effect.sync(() => {
        read.push(which)
        const organizationOf = ({ other }: Endpoint) => other === true ? otherId : organizationId
        const wanted = endpoints.filter((one) => which === "all" || which.includes(organizationOf(one)))
        return wanted.map((one) => ({
          organizationId: organizationOf(one),
          endpointId: endpointId(one.n),
          url: `https://receiver.example/${one.n}`,
          format: "json" as const,
          secrets: one.unreadable === true
            ? { current: "unreadable", next: null }
            : storedSecrets(organizationOf(one), endpointId(one.n)),
          failing: one.failing ?? false,
          dueAt: unclaimed(one, claimed).length === 0 ? null : new Date(one.dueAt)
        }))
      }).pipe(Effect.tap(Effect.sync(onQueues))),
    due: (queues, { claimed, now }) =>
      Effect.sync(() => {
        asked.push(queues.map(({ limit }) => limit))
        return queues.flatMap((queue) =>
          endpoints.filter((one) => endpointId(one.n) === queue.endpointId && one.dueAt <= now.getTime())
            .flatMap((one) =>
              unclaimed(one, claimed).slice(0, queue.limit).map((delivery) => ({
                id: delivery,
                eventId: EventId.make(id(4, 0)),
                endpointId: queue.endpointId,
                tries: 0,
                body: Buffer.from("{}")
              }))
            )
        )
      })
  })
  const ledger = new DeliveryLedger()
  const known = new Map<EndpointId, { readonly queue: Queue; readonly isReady: boolean }>()
  const scheduler = {
    update: (queue: Queue, isReady: boolean) => void known.set(queue.endpointId, { queue, isReady }),
    retain: (kept: ReadonlySet<EndpointId>) => {
      for (const one of known.keys()) if (!kept.has(one)) known.delete(one)
    }
  }
  const ready = () => [...known.values()].flatMap(({ isReady, queue }) => isReady ? [queue] : [])
  return Effect.runPromise(
    Effect.flatMap(makeDeliveryReader({ ledger, scheduler }), (reader) => body(reader, ready, asked, ledger, read))
      .pipe(
        Effect.provide([
          store,
          deliveryServices,
          Logger.layer([Logger.make(({ message }) => void warnings.push(String(message)))])
        ]),
        Effect.as(warnings)
      )
  )
}

const nothing = new Set<EndpointId>()

it("is ready for endpoints with deliveries that are due, and is read again when the next one is", () =>
  reading(
    [{ n: 1, dueAt: 0, deliveries: 1 }, { n: 2, dueAt: 700, deliveries: 1 }],
    (reader, ready) =>
      Effect.gen(function*() {
        expect(reader.nextReadAt()).toBe(0)
        yield* reader.readQueues(0, nothing)
        expect(ready().map((queue) => queue.endpointId)).toEqual([endpointId(1)])
        expect(reader.nextReadAt()).toBe(700)
        reader.readAt(organizationId, 900)
        expect(reader.nextReadAt()).toBe(700)
        reader.readAt(organizationId, 300)
        expect(reader.nextReadAt()).toBe(300)
        yield* reader.readQueues(700, nothing)
        expect(ready()).toHaveLength(2)
        // Nothing is due later: two seconds after all were read at the latest
        expect(reader.nextReadAt()).toBe(2_000)
      })
  ))

it("reads the queues of the organization alone whose delivery is due or new, and all of them every two seconds", () => {
  const endpoints: Array<Endpoint> = [
    { n: 1, dueAt: 700, deliveries: 1 },
    { n: 2, dueAt: 0, deliveries: 2, other: true },
    { n: 3, dueAt: 0, deliveries: 2 }
  ]
  return reading(endpoints, (reader, ready, _asked, ledger, read) =>
    Effect.gen(function*() {
      const isReady = () => ready().map((queue) => queue.endpointId)
      yield* reader.readQueues(0, nothing)
      yield* reader.readQueues(699, nothing)
      yield* reader.take(ready()[0]!, 699)
      expect([isReady(), ledger.claimed.size]).toEqual([[endpointId(2), endpointId(3)], 4])
      // Disabled since: what was read ahead of it is given back by the read of its own organization
      endpoints.splice(1, 2)
      yield* reader.readQueues(700, nothing)
      expect([isReady(), ledger.claimed.size]).toEqual([[endpointId(1), endpointId(2)], 2])
      reader.readAt(otherId, 0)
      yield* reader.readQueues(800, nothing)
      expect(isReady()).toEqual([endpointId(1)])
      expect(ledger.claimed.size).toBe(1)
      yield* reader.readQueues(2_000, nothing)
      reader.readAll()
      yield* reader.readQueues(2_001, nothing)
      expect(read).toEqual(["all", [organizationId], [otherId], "all", "all"])
    }))
})

it("one query reads 32 deliveries ahead for each ready endpoint, and one for an endpoint that is failing", () =>
  reading(
    [{ n: 1, dueAt: 0, deliveries: 40 }, { n: 2, dueAt: 0, deliveries: 40, failing: true }],
    (reader, ready, asked, ledger) =>
      Effect.gen(function*() {
        yield* reader.readQueues(0, nothing)
        const [first] = ready()
        for (let n = 0; n < 32; n++) expect(yield* reader.take(first!, 0)).not.toBeNull()
        expect(asked).toEqual([[32, 1]])
        expect(ledger.claimed.size).toBe(33)
        for (let n = 0; n < 8; n++) expect(yield* reader.take(first!, 0)).not.toBeNull()
        expect(asked).toEqual([[32, 1], [32]])
        expect(yield* reader.take(first!, 0)).toBeNull()
        // The last query found fewer than asked for: the endpoint is not ready before the next read
        expect(ready().map((queue) => queue.endpointId)).toEqual([endpointId(2)])
      })
  ))

it("a query reads for 64 endpoints at most", () =>
  reading(
    Array.from({ length: 70 }, (_, n) => ({ n, dueAt: 0, deliveries: 1 })),
    (reader, ready, asked) =>
      Effect.gen(function*() {
        yield* reader.readQueues(0, nothing)
        expect(yield* reader.take(ready()[69]!, 0)).not.toBeNull()
        expect(asked.map((limits) => limits.length)).toEqual([64])
        // What the others have is due, and was read for them
        expect(ready()).toHaveLength(69)
      })
  ))

it("releases what it has read ahead for an endpoint that is disabled since", () => {
  const endpoints = [{ n: 1, dueAt: 0, deliveries: 3 }, { n: 2, dueAt: 0, deliveries: 3 }]
  return reading(endpoints, (reader, ready, _asked, ledger) =>
    Effect.gen(function*() {
      yield* reader.readQueues(0, nothing)
      yield* reader.take(ready()[0]!, 0)
      expect(ledger.claimed.size).toBe(6)
      endpoints.splice(1, 1)
      yield* reader.readQueues(2_000, nothing)
      expect(new Set(ledger.claimed.values())).toEqual(new Set([endpointId(1)]))
      expect(ready().map((queue) => queue.endpointId)).toEqual([endpointId(1)])
    }))
})

it("an endpoint counts as failing once it is marked, and at a read while its failure is not recorded yet", () =>
  reading([{ n: 1, dueAt: 0, deliveries: 9 }], (reader, ready) =>
    Effect.gen(function*() {
      const failed = new Set([endpointId(1)])
      yield* reader.readQueues(0, nothing)
      expect(ready()[0]!.failing).toBe(false)
      reader.markFailing(endpointId(1))
      expect(ready()[0]!.failing).toBe(true)
      yield* reader.readQueues(2_000, failed)
      expect(ready()[0]!.failing).toBe(true)
    })))

it("an endpoint that is marked as failing while the queues are being read counts as failing, until the next read", () => {
  let markFailing = () => {}
  return reading([{ n: 1, dueAt: 0, deliveries: 9 }], (reader, ready) =>
    Effect.gen(function*() {
      markFailing = () => reader.markFailing(endpointId(1))
      yield* reader.readQueues(0, nothing)
      expect(ready()[0]!.failing).toBe(true)
      markFailing = () => {}
      yield* reader.readQueues(2_000, nothing)
      expect(ready()[0]!.failing).toBe(false)
    }), () => markFailing())
})

it("an endpoint whose secret cannot be decrypted is left out for a minute, with one warning", async () => {
  const warnings = await reading(
    [{ n: 1, dueAt: 0, deliveries: 1, unreadable: true }, { n: 2, dueAt: 0, deliveries: 1 }],
    (reader, ready) =>
      Effect.gen(function*() {
        for (const nowMs of [0, 59_999]) {
          yield* reader.readQueues(nowMs, nothing)
          expect(ready().map((queue) => queue.endpointId)).toEqual([endpointId(2)])
        }
      })
  )
  expect(warnings).toEqual([expect.stringContaining(`webhook endpoint ${endpointId(1)}`)])
})

it("makes the keys of an endpoint anew only when its secrets have changed", () => {
  const endpoints = [{ n: 1, dueAt: 0, deliveries: 1, unreadable: false }]
  return reading(endpoints, (reader, ready) =>
    Effect.gen(function*() {
      yield* reader.readQueues(0, nothing)
      const { keys } = ready()[0]!
      yield* reader.readQueues(2_000, nothing)
      expect(ready()[0]!.keys).toBe(keys)
      // Another secret, which cannot be decrypted
      endpoints[0] = { ...endpoints[0]!, unreadable: true }
      yield* reader.readQueues(4_000, nothing)
      expect(ready()).toEqual([])
      endpoints[0] = { ...endpoints[0]!, unreadable: false }
      yield* reader.readQueues(64_000, nothing)
      expect(ready()[0]!.keys).not.toBe(keys)
    }))
})
