/**
 * A thread of its own that counts what the delivery worker does for one post, in steps of core's code: calls of
 * functions and turns of loops. Gives the steps with each number of endpoints that it is told.
 */
import {
  DeliveryId,
  DeliveryStore,
  EndpointId,
  EndpointStore,
  EventId,
  MailStore,
  Notifications,
  OrganizationId,
  OrganizationStore,
  runDeliveryWorker,
  Transaction,
  WebhookSender
} from "@sov/core"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Session } from "node:inspector/promises"
import { parentPort, workerData } from "node:worker_threads"
import { deliveryServices } from "../../support/webhooks.ts"
import { storedSecrets } from "./storedSecrets.ts"

const idOf = (kind: number, n: number) => `01900000-0000-7000-80${kind}0-${String(n).padStart(12, "0")}`
const reply = { status: 204, failure: null, message: null, response: null, retryAfterMs: null }

/**
 * Delivers `each` deliveries of each endpoint, of which an organization has 50, from a list to a sender that knows no
 * wait.
 */
const deliverAll = (endpoints: number, each: number) => {
  const queues = Array.from({ length: endpoints }, (_, n) => {
    const organizationId = OrganizationId.make(idOf(1, Math.floor(n / 50)))
    const endpointId = EndpointId.make(idOf(2, n))
    const secrets = storedSecrets(organizationId, endpointId)
    return { organizationId, endpointId, url: "https://a.example/", format: "json" as const, secrets, failing: false }
  })
  const waiting = new Map(queues.map(({ endpointId }, n) =>
    [
      endpointId,
      Array.from({ length: each }, (_, i) => ({
        id: DeliveryId.make(idOf(3, each * n + i)),
        eventId: EventId.make(idOf(4, i)),
        endpointId,
        tries: 0,
        body: Buffer.from("{}")
      }))
    ] as const
  ))
  let left = endpoints * each
  const done = Deferred.makeUnsafe<void>()
  const store = Layer.mock(DeliveryStore, {
    expire: () => Effect.void,
    queues: () => Effect.sync(() => queues.map((queue) => ({ ...queue, dueAt: new Date(0) }))),
    due: (asked) =>
      Effect.sync(() => asked.flatMap(({ endpointId, limit }) => waiting.get(endpointId)!.splice(0, limit))),
    record: (outcomes) =>
      Effect.sync(() => {
        left -= outcomes.length
        if (left === 0) Deferred.doneUnsafe(done, Effect.void)
        return []
      })
  })
  const others = Layer.mergeAll(
    Layer.mock(EndpointStore, { promoteStaged: () => Effect.void }),
    Layer.succeed(Transaction, { run: (effect) => effect }),
    Layer.mock(OrganizationStore, {}),
    Layer.mock(MailStore, {}),
    Layer.mock(Notifications, {}),
    SecureRandom.layerWebCrypto
  )
  const sender = Layer.succeed(WebhookSender, { refusal: () => null, send: () => Effect.as(Effect.yieldNow, reply) })
  return Effect.runPromise(
    Effect.gen(function*() {
      const abort = yield* Deferred.make<void>()
      const working = yield* Effect.forkChild(
        runDeliveryWorker({ newWork: { subscribe: () => Effect.void }, abort })
      )
      yield* Deferred.await(done)
      yield* Fiber.interrupt(working)
    }).pipe(Effect.provide(sender), Effect.provide([store, others, deliveryServices]))
  )
}

const session = new Session()
session.connect()
await session.post("Profiler.enable")
// Before the code runs for the first time: what was compiled before is not counted
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })

/** Steps of core's code for each of the deliveries, of which an endpoint has three. */
const countSteps = async (endpoints: number): Promise<number> => {
  const each = 3
  await session.post("Profiler.takePreciseCoverage")
  await deliverAll(endpoints, each)
  const { result } = await session.post("Profiler.takePreciseCoverage")
  const steps = result.filter(({ url }) => url.includes("packages/core/src/"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0)
  return steps / (endpoints * each)
}

await countSteps(3)
const counted: Array<number> = []
for (const endpoints of workerData as ReadonlyArray<number>) counted.push(await countSteps(endpoints))
parentPort!.postMessage(counted)
