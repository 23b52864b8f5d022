/** The worker of deliveries in a test's time: its store is a list in memory, its receiver is real. */
import {
  type AttemptOutcome,
  DeliveryId,
  DeliveryStore,
  EndpointId,
  EndpointStore,
  EventId,
  MailStore,
  maxTries,
  Notifications,
  OrganizationId,
  OrganizationStore,
  runDeliveryWorker,
  StoreError,
  Transaction,
  type WebhookReply,
  WebhookSender
} from "@sov/core"
import { Clock, Deferred, Effect, Fiber, Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { startReceiver } from "../../support/Receiver.ts"
import { deliveryServices } from "../../support/webhooks.ts"
import { storedSecrets } from "./storedSecrets.ts"

const pause = (ms: number) => Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))

const organizationId = OrganizationId.make("01900000-0000-7000-8000-000000000001")
const endpointId = EndpointId.make("01900000-0000-7000-8000-000000000002")
const id = DeliveryId.make("01900000-0000-7000-8000-000000000003")
const eventId = EventId.make("01900000-0000-7000-8000-000000000004")

/** What else the worker needs; no e-mail is queued here. */
const others = Layer.mergeAll(
  Layer.mock(EndpointStore, { promoteStaged: () => Effect.void }),
  Layer.succeed(Transaction, { run: (effect) => effect }),
  Layer.mock(OrganizationStore, {}),
  Layer.mock(MailStore, {}),
  Layer.mock(Notifications, {}),
  SecureRandom.layerWebCrypto
)

/**
 * One delivery to `url` that is due from the beginning, and how its tries ended. Nothing can be recorded while
 * `database.away`.
 */
const oneDelivery = (url: string, secrets = storedSecrets(organizationId, endpointId)) => {
  const outcomes: Array<AttemptOutcome> = []
  const database = { away: false }
  let dueAt: Date | null = new Date(0)
  const layer = Layer.merge(
    Layer.mock(DeliveryStore, {
      expire: () => Effect.void,
      // Takes real time, as a database does: a jump of the clock is one read then, not one for each two seconds
      queues: (claimed) =>
        Effect.map(pause(1), () =>
          dueAt === null
            ? []
            : [{
              organizationId,
              endpointId,
              url,
              format: "json" as const,
              secrets,
              failing: outcomes.length > 0,
              dueAt: claimed.has(id) ? null : dueAt
            }]),
      due: (_, { claimed, now }) =>
        Effect.sync(() =>
          dueAt === null || claimed.has(id) || dueAt > now
            ? []
            : [{ id, eventId, endpointId, tries: outcomes.length, body: Buffer.from("{}") }]
        ),
      record: (some) =>
        Effect.suspend(() => {
          if (database.away) return Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
          outcomes.push(...some)
          dueAt = some.at(-1)!.retryAt
          return Effect.succeed([])
        })
    }),
    others
  )
  return { database, outcomes, layer }
}

it(
  "a delivery is attempted ten times, each within a tenth of its interval, with the same bytes and id",
  () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const got = yield* Effect.promise(() => startReceiver((_, response) => response.writeHead(500).end("down")))
        const { layer, outcomes } = oneDelivery(got.url)
        const working = yield* runDeliveryWorker({
          newWork: { subscribe: () => Effect.void },
          abort: yield* Deferred.make<void>()
        }).pipe(
          Effect.provide(Layer.merge(layer, deliveryServices)),
          Effect.forkChild({ startImmediately: true })
        )
        const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
        for (let tries = 1; tries <= maxTries; tries++) {
          for (let n = 0; n < 24_000 && outcomes.length < tries; n++) yield* pause(5)
          expect([outcomes.length, got.received.length]).toEqual([tries, tries])
          const { endedAt, retryAt } = outcomes.at(-1)!
          const wait = seconds[tries - 1]
          if (wait === undefined) {
            expect(retryAt).toBeNull()
            break
          }
          const waited = retryAt!.getTime() - endedAt.getTime()
          expect(waited).toBeGreaterThanOrEqual(wait * 900)
          expect(waited).toBeLessThanOrEqual(wait * 1_100)
          yield* TestClock.setTime(retryAt!.getTime() - 1)
          yield* pause(15)
          expect(got.received).toHaveLength(tries)
          // What slept from before the jump wakes a little later
          yield* TestClock.adjust("2 seconds")
        }
        yield* TestClock.adjust("48 hours")
        yield* pause(30)
        expect(got.received).toHaveLength(10)
        expect(new Set(got.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([eventId]))
        expect(new Set(got.received.map(({ body }) => body.toString()))).toEqual(new Set(["{}"]))
        // Each try is signed for its own time
        expect(new Set(got.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10)
        expect(yield* Clock.currentTimeMillis).toBeGreaterThan(0.9 * 272_105_000)
        yield* Fiber.interrupt(working)
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
    ),
  120_000
)

it("an outcome is recorded once the database is available again, and nothing is posted twice until then", () =>
  Effect.runPromise(
    Effect.gen(function*() {
      const got = yield* Effect.promise(() => startReceiver((_, response) => response.writeHead(204).end()))
      const { database, layer, outcomes } = oneDelivery(got.url)
      database.away = true
      const working = yield* runDeliveryWorker({
        newWork: { subscribe: () => Effect.void },
        abort: yield* Deferred.make<void>()
      }).pipe(
        Effect.provide(Layer.merge(layer, deliveryServices)),
        Effect.forkChild({ startImmediately: true })
      )
      for (let n = 0; n < 2_000 && got.received.length === 0; n++) yield* pause(5)
      for (let n = 0; n < 10; n++) {
        yield* TestClock.adjust("2 seconds")
        yield* pause(5)
      }
      expect([got.received.length, outcomes.length]).toEqual([1, 0])
      database.away = false
      for (let n = 0; n < 400 && outcomes.length === 0; n++) {
        yield* TestClock.adjust("100 millis")
        yield* pause(5)
      }
      expect(outcomes.map(({ status }) => status)).toEqual([204])
      yield* Fiber.interrupt(working)
      expect(got.received).toHaveLength(1)
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  ))

it("an endpoint whose secret cannot be decrypted gets no deliveries, with one warning a minute", () => {
  const warnings: Array<string> = []
  return Effect.runPromise(
    Effect.gen(function*() {
      const { layer, outcomes } = oneDelivery("https://receiver.example", { current: "unreadable", next: null })
      const working = yield* runDeliveryWorker({
        newWork: { subscribe: () => Effect.void },
        abort: yield* Deferred.make<void>()
      }).pipe(
        Effect.provide(Layer.mergeAll(
          layer,
          deliveryServices,
          Logger.layer([Logger.make(({ message }) => void warnings.push(String(message)))])
        )),
        Effect.forkChild({ startImmediately: true })
      )
      const counts: Array<number> = []
      for (const seconds of [0, 30, 29, 3]) {
        yield* TestClock.adjust(`${seconds} seconds`)
        yield* pause(30)
        counts.push(warnings.length)
      }
      expect(counts).toEqual([1, 1, 1, 2])
      expect(warnings[0]).toContain(`webhook endpoint ${endpointId}`)
      expect(outcomes).toEqual([])
      yield* Fiber.interrupt(working)
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  )
})

/** An endpoint with deliveries that are all due. */
interface Busy {
  readonly organization: number
  readonly endpoint: number
  readonly failing?: boolean
  readonly count: number
}

const idOf = (kind: number, n: number) => `01900000-0000-7000-80${kind}0-${String(n).padStart(12, "0")}`

/** Which endpoints are posted to, in this order: `refused` posts fail, and after them no receiver ever answers. */
const firstPosts = (busy: ReadonlyArray<Busy>, refused = 0): Promise<ReadonlyArray<string>> => {
  const failed = new Set<EndpointId>()
  const posted: Array<string> = []
  const endpointOf = ({ endpoint }: Busy) => EndpointId.make(idOf(2, endpoint))
  const deliveriesOf = (one: Busy) =>
    Array.from({ length: one.count }, (_, n) => ({
      id: DeliveryId.make(idOf(3, one.endpoint * 1_000 + n)),
      eventId: EventId.make(idOf(4, n)),
      endpointId: endpointOf(one),
      tries: 0,
      body: Buffer.from("{}")
    }))
  const store = Layer.mock(DeliveryStore, {
    expire: () => Effect.void,
    queues: () =>
      Effect.sync(() =>
        busy.map((one) => {
          const organizationId = OrganizationId.make(idOf(1, one.organization))
          const id = endpointOf(one)
          return {
            organizationId,
            endpointId: id,
            url: `https://${one.organization}.example/${one.endpoint}`,
            format: "json" as const,
            secrets: storedSecrets(organizationId, id),
            failing: one.failing ?? failed.has(id),
            dueAt: new Date(0)
          }
        })
      ),
    due: (queues, { claimed }) =>
      Effect.sync(() =>
        queues.flatMap(({ endpointId: id, limit }) =>
          busy.filter((one) => endpointOf(one) === id)
            .flatMap((one) => deliveriesOf(one).filter((delivery) => !claimed.has(delivery.id)).slice(0, limit))
        )
      ),
    record: (outcomes) =>
      Effect.sync(() => {
        for (const outcome of outcomes) failed.add(outcome.endpointId)
        return []
      })
  })
  const reply: WebhookReply = {
    status: null,
    failure: "reset",
    message: "the connection broke",
    response: null,
    retryAfterMs: null
  }
  const silent = Layer.succeed(WebhookSender, {
    refusal: () => null,
    send: ({ url }) => Effect.suspend(() => posted.push(url) > refused ? Effect.never : Effect.succeed(reply))
  })
  return Effect.runPromise(
    Effect.gen(function*() {
      const abort = yield* Deferred.make<void>()
      const working = yield* runDeliveryWorker({ newWork: { subscribe: () => Effect.void }, abort }).pipe(
        // The first one that provides a service counts
        Effect.provide(silent),
        Effect.provide([store, others, deliveryServices]),
        Effect.forkChild({ startImmediately: true })
      )
      for (let n = 0; n < 400 && posted.length === 0; n++) yield* pause(5)
      // Another read changes nothing
      yield* TestClock.adjust("3 seconds")
      yield* pause(20)
      const found = [...posted]
      yield* Deferred.succeed(abort, undefined)
      yield* Fiber.interrupt(working)
      return found
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  )
}

const counted = (all: ReadonlyArray<string>, start: string) => all.filter((url) => url.startsWith(start)).length

describe("where no receiver ever answers", () => {
  it("an endpoint has up to four posts in flight, and a failing endpoint a single one", async () => {
    const posted = await firstPosts([
      { organization: 1, endpoint: 1, count: 40 },
      { organization: 2, endpoint: 2, count: 40, failing: true },
      { organization: 2, endpoint: 3, count: 2 }
    ])
    expect([1, 2, 3].map((n) => posted.filter((url) => url.endsWith(`/${n}`)).length)).toEqual([4, 1, 2])
  })

  it("organizations take turns, and so do the endpoints of one organization", async () => {
    const posted = await firstPosts([
      ...Array.from({ length: 9 }, (_, n) => ({ organization: 1, endpoint: n, count: 9 })),
      { organization: 2, endpoint: 20, count: 9 },
      { organization: 3, endpoint: 30, count: 9 }
    ])
    expect(posted.slice(0, 3).map((url) => new URL(url).hostname).toSorted())
      .toEqual(["1.example", "2.example", "3.example"])
    const own = posted.filter((url) => url.startsWith("https://1.")).slice(0, 9)
    expect(new Set(own).size).toBe(9)
  })

  it("an organization takes no more than its share of the slots", async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ organization: 1, endpoint: n, count: 9 }))
    const posted = await firstPosts([...many, { organization: 2, endpoint: 200, count: 9 }])
    expect([counted(posted, "https://1."), counted(posted, "https://2.")]).toEqual([31, 4])
    expect(await firstPosts(many)).toHaveLength(32)
  })

  it("failing endpoints take half of their organization's share, and leave the other half to other endpoints", async () => {
    const failing = Array.from({ length: 40 }, (_, n) => ({ organization: 1, endpoint: n, count: 9, failing: true }))
    const good = Array.from({ length: 45 }, (_, n) => ({ organization: 1, endpoint: 100 + n, count: 1 }))
    const posted = await firstPosts([...failing, ...good])
    const toFailing = posted.filter((url) => Number(new URL(url).pathname.slice(1)) < 100)
    expect([toFailing.length, posted.length]).toEqual([16, 32])
  })

  it("eight hanging endpoints leave slots of the share to endpoints that come later", async () => {
    const hanging = Array.from({ length: 8 }, (_, n) => ({ organization: 1, endpoint: n, count: 9 }))
    expect(await firstPosts(hanging)).toHaveLength(24)
  })

  it("an endpoint is failing from its first failure on", async () => {
    const posted = await firstPosts([{ organization: 1, endpoint: 1, count: 40 }], 4)
    expect(posted).toHaveLength(5)
  })

  it("two hundred organizations whose endpoints are known to fail leave half of all slots free", async () => {
    const failing = Array.from({ length: 200 }, (_, n) => ({ organization: n, endpoint: n, count: 9, failing: true }))
    const posted = await firstPosts([...failing, { organization: 200, endpoint: 200, count: 9 }])
    expect([posted.length, counted(posted, "https://200.")]).toEqual([68, 4])
  })

  it("each organization with hanging endpoints has a post in flight, however many there are", async () => {
    const posted = await firstPosts(
      Array.from({ length: 600 }, (_, n) => ({ organization: 1 + n % 60, endpoint: n, count: 9 }))
    )
    expect(new Set(posted.map((url) => new URL(url).hostname)).size).toBe(60)
    expect(posted.length).toBeLessThanOrEqual(128)
  })
})
