/**
 * Delivering: what is due goes out, to whom, when and how often. Real receivers on loopback, a database of each home.
 */
import {
  addEndpoint,
  completeScan,
  DeliveryStore,
  type Endpoint,
  EndpointStore,
  EventId,
  EventOutbox,
  MailStore,
  maxTries,
  type OrganizationId,
  type Placement,
  recordAttempts,
  replayDelivery,
  rotateSecret,
  ScanStore,
  startWorker,
  StoreError,
  testEndpoint
} from "@sov/core"
import { seedAnswers, seedOrganization, seedScan, type Stores } from "@sov/core/testing"
import { verifySignature, verifyStandardWebhook } from "@sov/core/webhook"
import { Duration, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { address } from "../../contracts/mailStoreContract.ts"
import { chatMessage, outcomeOf, scanCompleted, seedDelivery } from "../../contracts/webhookSeeds.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { type Received, startReceiver } from "../../support/Receiver.ts"
import { layerLocalPlacement, layerPlatforms } from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

const receiver = (...args: Parameters<typeof startReceiver>) => Effect.promise(() => startReceiver(...args))
const pause = (ms: number) => Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))

/** Waits in real time; `meanwhile` is done between two looks. */
const until = Effect.fnUntraced(
  function*<E, R>(done: Effect.Effect<boolean, E, R>, what: string, meanwhile: Effect.Effect<void> = Effect.void) {
    const end = performance.now() + 120_000
    while (!(yield* done)) {
      if (performance.now() > end) return yield* Effect.die(new Error(`not within two minutes: ${what}`))
      yield* meanwhile
      yield* pause(5)
    }
  }
)
/** The test's clock goes on a little: work that was at the database when it jumped sleeps from then on. */
const ticking = TestClock.adjust("50 millis")

const event = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const made = yield* scanCompleted(new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis)))
  yield* (yield* EventOutbox).put(organizationId, made, chatMessage)
  return made
})

const idsOf = (received: ReadonlyArray<Received>) => received.map(({ headers }) => headers["webhook-id"])
const bodyOf = (one: Received) =>
  JSON.parse(one.body.toString()) as { readonly timestamp: string; readonly data: object }

const worker = Effect.provide(startWorker(), layerPlatforms())

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  type Program<A, E> = Effect.Effect<A, E, Stores | Placement>
  const run = <A, E>(program: Program<A, E>): Promise<A> => storage.run(Effect.provide(program, layerLocalPlacement))
  const inTestTime = <A, E>(program: Program<A, E>): Promise<A> =>
    run(Effect.provide(Effect.andThen(TestClock.setTime(Date.UTC(2026, 0, 31, 23, 59)), program), TestClock.layer()))

  /** An organization with an endpoint, and nothing else of others that is still pending. */
  const subscriber = Effect.fnUntraced(function*(url: string) {
    const { id: organizationId } = yield* seedOrganization()
    const added = yield* Effect.provide(addEndpoint(organizationId, url, ["scan.completed"]), layerPlatforms())
    return { organizationId, ...added }
  })
  const endpointOf = Effect.fnUntraced(function*(organizationId: OrganizationId, { id }: Endpoint) {
    return (yield* (yield* EndpointStore).find(organizationId, id))!
  })
  const deliveriesOf = (organizationId: OrganizationId) =>
    DeliveryStore.use((store) => store.list(organizationId, { limit: 1_000 }))

  it("each event is posted once to each subscribed endpoint, with two signatures over the same bytes", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const got = yield* receiver()
      const { endpoint, organizationId, secret } = yield* subscriber(got.url)
      yield* worker
      yield* pause(300)
      const made = yield* event(organizationId)
      yield* until(Effect.sync(() => got.received.length > 0), "delivered")
      yield* until(
        Effect.map(deliveriesOf(organizationId), ([one]) => one?.state === "delivered"),
        "kept as delivered"
      )
      const [{ body, headers }, ...more] = got.received as [Received]
      expect(more).toEqual([])
      expect(headers).toMatchObject({ "content-type": "application/json", "webhook-id": made.id })
      expect(Object.keys(headers)).not.toContain("x-service-signature-next")
      expect(verifySignature(body, headers["x-service-signature"] as string, secret)).toBe(true)
      expect(verifyStandardWebhook(body, headers, secret)).toBe(true)
      expect(JSON.parse(body.toString())).toEqual({
        event: "scan.completed",
        organization_id: organizationId,
        timestamp: made.timestamp.toISOString(),
        data: made.data
      })
      expect(yield* endpointOf(organizationId, endpoint)).toMatchObject({ failingSince: null, lastFailureAt: null })

      // Without the notification each would take the next look, which is two seconds after the one that found the last.
      // With it the first one is quick; on a busy machine one of ten
      const delays: Array<number> = []
      while (delays.length < 10 && !delays.some((ms) => ms < 1_500)) {
        const [before, begun] = [got.received.length, performance.now()]
        yield* event(organizationId)
        yield* until(Effect.sync(() => got.received.length > before), "delivered")
        delays.push(got.received[before]!.at - begun)
      }
      expect(Math.min(...delays)).toBeLessThan(1_500)
    }))))

  it("giving up a delivery causes one notice, in the transaction that records it", () =>
    run(Effect.gen(function*() {
      const store = yield* DeliveryStore
      const mails = yield* MailStore
      const seed = yield* seedDelivery({ url: "https://hooks.example/services/T0/key?token=secret" })
      yield* mails.setRecipients(
        seed.organizationId,
        [address("a@acme.example"), address("b@acme.example")],
        new Date()
      )
      const failed = { status: 500, failure: "status" } as const
      for (let n = 1; n < maxTries; n++) yield* store.record([outcomeOf(seed, 40, { ...failed, retryAt: new Date() })])
      const record = recordAttempts([outcomeOf(seed, 50, failed)])
      const broken = yield* Effect.result(Effect.provideService(record, MailStore, {
        ...mails,
        enqueue: (...args) =>
          Effect.andThen(
            mails.enqueue(...args),
            Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
          )
      }))
      expect(broken).toMatchObject({ failure: { message: "away" } })
      expect((yield* deliveriesOf(seed.organizationId))[0]).toMatchObject({ state: "pending", attempts: maxTries - 1 })
      const logged: Array<string> = []
      yield* Effect.provide(
        record,
        Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
      )
      yield* record
      const told = yield* mails.claim(seed.organizationId, new Date(Date.UTC(2099, 0, 1)), 9)
      expect(told.map(({ to }) => to).toSorted()).toEqual(["a@acme.example", "b@acme.example"])
      expect(new Set(told.map(({ id }) => id)).size).toBe(1)
      expect(told[0]!.subject).toBe("Webhook: a delivery to https://hooks.example was given up")
      const failedAt = (yield* deliveriesOf(seed.organizationId))[0]!.endedAt!.toISOString()
      for (const text of [told[0]!.text, told[0]!.html]) {
        expect(text).toContain(`sov webhook recover ${seed.endpoint.id} --since ${failedAt}`)
      }
      expect(told[0]!.text + told[0]!.html + logged.join()).not.toMatch(/services|secret/)
      expect(logged).toEqual([
        `a delivery to webhook ${seed.endpoint.id} (https://hooks.example) was given up after 10 attempts`
      ])
    })))

  it("no secret is stored unencrypted in the database", () =>
    storage.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly row: string }>`select to_jsonb(e)::text as row from webhook_endpoint e`
      expect(rows.length).toBeGreaterThan(0)
      for (const { row } of rows) expect(row).not.toContain("whsec_")
    })))

  it("a delivery waits as long as the receiver asks, and 410 disables the endpoint with an e-mail", () =>
    inTestTime(Effect.scoped(Effect.gen(function*() {
      const answers = [429, 410, 204, 204]
      const got = yield* receiver((_, response) =>
        response.writeHead(answers[got.received.length - 1]!, { "retry-after": "120" }).end()
      )
      const { endpoint, organizationId } = yield* subscriber(got.url)
      const mails = yield* MailStore
      yield* mails.setRecipients(organizationId, [address("ops@acme.example")], new Date())
      yield* event(organizationId)
      const running = yield* worker
      yield* until(Effect.map(deliveriesOf(organizationId), ([one]) => one?.attempts === 1), "the first try", ticking)
      const [first] = yield* deliveriesOf(organizationId)
      expect(first!.dueAt.getTime() - first!.last!.startedAt.getTime()).toBeGreaterThanOrEqual(120_000)
      yield* TestClock.adjust("121 seconds")
      yield* until(
        Effect.map(endpointOf(organizationId, endpoint), (one) => one.disabledReason === "gone"),
        "disabled",
        ticking
      )
      expect((yield* deliveriesOf(organizationId))[0]).toMatchObject({ state: "failed", attempts: 2 })
      const told = yield* mails.claim(organizationId, new Date(Date.UTC(2030, 0, 1)), 9)
      expect(told).toMatchObject([{
        to: "ops@acme.example",
        subject: `Webhook disabled: ${new URL(got.url).origin} is gone`,
        text: expect.stringContaining(`sov webhook enable ${endpoint.id}`)
      }])
      expect(told[0]!.text).toContain(`recover ${endpoint.id} --since ${first!.last!.startedAt.toISOString()}`)
      // The path of an address may be a key
      expect(told[0]!.text).not.toContain("/hook")
      yield* event(organizationId)
      expect(yield* deliveriesOf(organizationId)).toHaveLength(1)
      yield* (yield* EndpointStore).enable(organizationId, endpoint.id)
      yield* event(organizationId)
      yield* TestClock.adjust("3 seconds")
      yield* until(
        Effect.map(deliveriesOf(organizationId), ([one]) => one?.state === "delivered"),
        "delivered",
        ticking
      )
      expect(got.received).toHaveLength(3)
      yield* running.stop("1 second")
    }))))

  it("every delivery is valid with the old secret during a rotation, and with the new secret after the promotion", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const got = yield* receiver()
      const { endpoint, organizationId, secret: old } = yield* subscriber(got.url)
      const running = yield* worker
      const store = yield* EndpointStore
      const some = Effect.gen(function*() {
        const from = got.received.length
        const made = yield* Effect.forEach(Array.from({ length: 10 }), () => event(organizationId))
        yield* until(Effect.sync(() => got.received.length >= from + 10), "ten more")
        expect(new Set(idsOf(got.received.slice(from)))).toEqual(new Set(made.map(({ id }) => id)))
        return got.received.slice(from)
      })
      const signedBy = ({ body, headers }: Received, secret: string) => [
        verifySignature(body, headers["x-service-signature"] as string, secret),
        verifySignature(body, headers["x-service-signature-next"] as string | undefined, secret),
        verifyStandardWebhook(body, headers, secret)
      ]
      for (const one of yield* some) expect(signedBy(one, old)).toEqual([true, false, true])
      const { secret: next } = yield* Effect.provide(rotateSecret(organizationId, endpoint.id, false), layerPlatforms())
      yield* pause(300)
      for (const one of yield* some) {
        expect(signedBy(one, old)).toEqual([true, false, true])
        expect(signedBy(one, next)).toEqual([false, true, true])
      }
      yield* store.promote(organizationId, endpoint.id)
      yield* pause(300)
      for (const one of yield* some) {
        expect(signedBy(one, old)).toEqual([false, false, false])
        expect(signedBy(one, next)).toEqual([true, false, true])
      }
      yield* running.stop("1 second")
    }))))

  it(
    "a hanging endpoint has one post in flight and delays no other endpoint",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let [hanging, mostHanging] = [0, 0]
        const hangs = yield* receiver((_, response) => {
          mostHanging = Math.max(mostHanging, ++hanging)
          response.once("close", () => hanging--)
        })
        const goods = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.gen(function*() {
            const got = yield* receiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 20))
            return { got, ...yield* subscriber(got.url) }
          }))
        const bad = yield* subscriber(hangs.url)
        const running = yield* worker
        yield* pause(200)
        /** p95 of the milliseconds between an event and its arrival at the good ones. */
        const round = Effect.gen(function*() {
          const took: Array<number> = []
          for (let n = 0; n < 3; n++) {
            const begun = performance.now()
            const before = goods.map(({ got }) => got.received.length)
            yield* Effect.forEach(goods, ({ organizationId }) => event(organizationId), { concurrency: 4 })
            yield* until(
              Effect.sync(() => goods.every(({ got }, i) => got.received.length > before[i]!)),
              "all good ones"
            )
            took.push(...goods.map(({ got }) => got.received.at(-1)!.at - begun))
          }
          return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)]!
        })
        yield* round
        const alone = yield* round
        yield* Effect.forEach(Array.from({ length: 50 }), () => event(bad.organizationId))
        yield* until(Effect.sync(() => hanging === 4), "four hang")
        const beside = yield* round
        expect(mostHanging).toBe(4)
        // A post that hangs does so for 15 s: who waited for one would not have been told by now
        console.log(`p95 beside a hanging endpoint: ${(beside / alone).toFixed(2)} × that without it`)
        yield* running.stop("10 millis")
        // Cut posts are due as before
        const pending = (yield* deliveriesOf(bad.organizationId)).filter(({ state }) => state === "pending")
        expect(pending).toHaveLength(50)
        yield* (yield* EndpointStore).remove(bad.organizationId, bad.endpoint.id)
      })))
  )

  it("nothing is lost when another worker takes over; posts in flight arrive and are recorded", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const got = yield* receiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 30))
      const { organizationId } = yield* subscriber(got.url)
      const made = yield* Effect.forEach(Array.from({ length: 40 }), () => event(organizationId))
      const first = yield* worker
      yield* until(Effect.sync(() => got.received.length >= 8), "some")
      yield* first.stop("1 minute")
      const before = got.received.length
      expect(before).toBeLessThan(40)
      expect((yield* deliveriesOf(organizationId)).filter(({ state }) => state === "delivered")).toHaveLength(before)
      const second = yield* worker
      yield* until(
        Effect.map(deliveriesOf(organizationId), (all) => all.every(({ state }) => state === "delivered")),
        "all"
      )
      yield* second.stop("1 minute")
      expect(new Set(idsOf(got.received))).toEqual(new Set(made.map(({ id }) => id)))
      expect(got.received).toHaveLength(40)
    }))))

  it("a test is sent once, immediately, and a replay sends the failed delivery's own bytes and id", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let status = 500
      const got = yield* receiver((_, response) => response.writeHead(status).end("no"))
      const { endpoint, organizationId, secret } = yield* subscriber(got.url)
      yield* (yield* MailStore).setRecipients(organizationId, [address("ops@acme.example")], new Date())
      const tested = yield* Effect.provide(testEndpoint(organizationId, endpoint.id, "sov.dropped"), layerPlatforms())
      expect(tested).toMatchObject({ failure: "status", status: 500, response: "no", retryAt: null })
      expect(yield* (yield* MailStore).claim(organizationId, new Date(Date.UTC(2030, 0, 1)), 9)).toEqual([])
      expect(bodyOf(got.received[0]!)).toMatchObject({ event: "sov.dropped", data: { test: true } })
      const [failed] = yield* deliveriesOf(organizationId)
      expect(failed).toMatchObject({ state: "failed", attempts: 1, event: "sov.dropped" })
      status = 200
      const again = yield* Effect.provide(replayDelivery(organizationId, failed!.id), layerPlatforms())
      expect(again).toMatchObject({ failure: null, status: 200 })
      const [one, two] = got.received as [Received, Received]
      expect(two.body.equals(one.body)).toBe(true)
      expect(two.headers["webhook-id"]).toBe(one.headers["webhook-id"])
      expect(verifyStandardWebhook(two.body, two.headers, secret)).toBe(true)
      yield* (yield* EndpointStore).disable(organizationId, endpoint.id, new Date())
      expect(yield* Effect.result(Effect.provide(replayDelivery(organizationId, failed!.id), layerPlatforms())))
        .toMatchObject({ failure: { _tag: "Rejected" } })
    }))))

  it("a completed scan causes exactly one event, even if its completion fails and is retried several times", () =>
    run(Effect.gen(function*() {
      const seed = yield* seedScan({ simulated: true })
      yield* Effect.provide(
        addEndpoint(seed.organizationId, "https://hooks.example/", ["scan.completed"]),
        layerPlatforms()
      )
      yield* seedAnswers(seed)
      const scans = yield* ScanStore
      const outbox = yield* EventOutbox
      const away = new StoreError({ reason: "unavailable", message: "away" })
      const breaking: ReadonlyArray<Layer.Layer<ScanStore | EventOutbox>> = [
        Layer.merge(
          Layer.succeed(EventOutbox, outbox),
          Layer.succeed(ScanStore, { ...scans, end: () => Effect.fail(away) })
        ),
        Layer.merge(
          Layer.succeed(ScanStore, scans),
          Layer.succeed(EventOutbox, { put: (...args) => Effect.andThen(outbox.put(...args), Effect.fail(away)) })
        ),
        Layer.merge(Layer.succeed(ScanStore, scans), Layer.succeed(EventOutbox, { put: () => Effect.die("killed") }))
      ]
      for (const layer of breaking) {
        const exit = yield* Effect.exit(Effect.provide(completeScan(seed.organizationId, seed.scan.id), layer))
        expect(exit._tag).toBe("Failure")
        expect(yield* deliveriesOf(seed.organizationId)).toEqual([])
      }
      const complete = completeScan(seed.organizationId, seed.scan.id)
      yield* Effect.all([complete, complete, complete], { concurrency: "unbounded" })
      yield* complete
      const deliveries = yield* deliveriesOf(seed.organizationId)
      expect(deliveries).toHaveLength(1)
      const found = yield* (yield* DeliveryStore).find(seed.organizationId, deliveries[0]!.id)
      expect(JSON.parse(new TextDecoder().decode(found!.body))).toEqual({
        event: "scan.completed",
        organization_id: seed.organizationId,
        timestamp: (yield* scans.find(seed.organizationId, seed.scan.id))!.completedAt!.toISOString(),
        data: {
          scan_id: seed.scan.id,
          avg_sov: 100,
          results_count: 4,
          mentioned_count: 4,
          simulated: true,
          surface_line: "Simulated answers, web search on, no market"
        }
      })
      expect(EventId.make(found!.delivery.eventId)).toBe(found!.delivery.eventId)
    })))

  it("an endpoint whose secret cannot be decrypted is paused, and the other endpoints are served", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const got = yield* receiver()
      const [sealed, open] = [yield* subscriber(got.url), yield* subscriber(got.url)]
      yield* (yield* EndpointStore).replaceSecret(sealed.organizationId, sealed.endpoint.id, "v1.lost.AAAA.AAAA")
      yield* event(sealed.organizationId)
      const made = yield* event(open.organizationId)
      const running = yield* worker
      yield* until(Effect.sync(() => got.received.length > 0), "the other one")
      yield* pause(100)
      expect(idsOf(got.received)).toEqual([made.id])
      expect((yield* deliveriesOf(sealed.organizationId))[0]).toMatchObject({ state: "pending", attempts: 0 })
      yield* running.stop(Duration.seconds(1))
      yield* (yield* EndpointStore).remove(sealed.organizationId, sealed.endpoint.id)
    }))))
})
