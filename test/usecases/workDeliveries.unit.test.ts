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
  seal,
  Transaction,
  workDeliveries
} from "@sov/core"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { startReceiver } from "../support/Receiver.ts"
import { deliveryServices, testKey } from "../support/webhooks.ts"

const pause = (ms: number) => Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))

const organizationId = OrganizationId.make("01900000-0000-7000-8000-000000000001")
const endpointId = EndpointId.make("01900000-0000-7000-8000-000000000002")
const id = DeliveryId.make("01900000-0000-7000-8000-000000000003")
const eventId = EventId.make("01900000-0000-7000-8000-000000000004")
const place = `webhook_endpoint|secret|${endpointId}|${organizationId}`
const current = seal(testKey, new Uint8Array(12), place, "whsec_c2VjcmV0")

/** What else a worker of deliveries needs; nobody is told anything here. */
const others = Layer.mergeAll(
  Layer.mock(EndpointStore, { promoteStaged: () => Effect.void }),
  Layer.succeed(Transaction, { run: (effect) => effect }),
  Layer.mock(OrganizationStore, {}),
  Layer.mock(MailStore, {}),
  Layer.mock(Notifications, {}),
  SecureRandom.layerWebCrypto
)

/** One delivery to `url` that is due from the beginning, and how its tries ended. */
const oneDelivery = (url: string) => {
  const outcomes: Array<AttemptOutcome> = []
  let dueAt: Date | null = new Date(0)
  const layer = Layer.merge(
    Layer.mock(DeliveryStore, {
      expire: () => Effect.void,
      // Takes real time, as a database does: a jump of the clock is one look then, not one for each two seconds
      lanes: (held) =>
        Effect.map(pause(1), () =>
          dueAt === null
            ? []
            : [{
              organizationId,
              endpointId,
              url,
              secrets: { current, next: null },
              failing: outcomes.length > 0,
              dueAt: held.has(id) ? null : dueAt
            }]),
      due: (_, { held, now }) =>
        Effect.sync(() =>
          dueAt === null || held.has(id) || dueAt > now
            ? []
            : [{ id, eventId, endpointId, tries: outcomes.length, body: Buffer.from("{}") }]
        ),
      record: (some) =>
        Effect.sync(() => {
          outcomes.push(...some)
          dueAt = some.at(-1)!.retryAt
          return []
        })
    }),
    others
  )
  return { outcomes, layer }
}

it(
  "tries ten times, each within its tenth of the schedule, with the same bytes and id, and then no more",
  () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const got = yield* Effect.promise(() => startReceiver((_, response) => response.writeHead(500).end("down")))
        const { layer, outcomes } = oneDelivery(got.url)
        const working = yield* workDeliveries({
          news: { hearing: () => Effect.void },
          cut: yield* Deferred.make<void>()
        }).pipe(
          Effect.provide(Layer.merge(layer, deliveryServices)),
          Effect.forkChild({ startImmediately: true })
        )
        const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
        for (let tries = 1; tries <= maxTries; tries++) {
          for (let n = 0; n < 400 && outcomes.length < tries; n++) yield* pause(5)
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
  30_000
)
