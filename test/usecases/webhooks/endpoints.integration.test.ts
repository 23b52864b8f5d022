/** Verbs on a webhook endpoint: each returns it as it now is, and knows no endpoint of another organization. */
import {
  addEndpoint,
  disableEndpoint,
  enableEndpoint,
  EventOutbox,
  listDeliveries,
  listEndpoints,
  promoteSecret,
  readDelivery,
  recordAttempts,
  recoverDeliveries,
  type RecoveryProgress,
  removeEndpoint,
  revealSecret,
  rotateSecret,
  setEndpointEvents,
  testEndpoint
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { chatMessage, outcomeOf, scanCompleted } from "../../contracts/webhookSeeds.ts"
import { readDiscord } from "../../support/chatReaders.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { startReceiver } from "../../support/Receiver.ts"
import { layerPlatforms } from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  const subscriber = Effect.fnUntraced(function*(url: string) {
    const { id } = yield* seedOrganization()
    return { id, endpoint: (yield* addEndpoint(id, url, ["scan.completed"])).endpoint }
  })

  it("an endpoint is changed and returned with its new values", () =>
    run(
      Effect.gen(function*() {
        const { endpoint, id } = yield* subscriber("https://hooks.example/a")
        const changed = yield* setEndpointEvents(id, endpoint.id, ["sov.dropped", "sov.dropped"])
        expect(changed).toEqual({ ...endpoint, events: ["sov.dropped"] })
        expect(yield* disableEndpoint(id, endpoint.id)).toMatchObject({ disabledReason: "operator" })
        expect(yield* enableEndpoint(id, endpoint.id)).toEqual(changed)
        yield* rotateSecret(id, endpoint.id, false)
        expect((yield* listEndpoints(id))[0]!.stagedAt).toBeInstanceOf(Date)
        expect(yield* promoteSecret(id, endpoint.id)).toEqual(changed)
        yield* removeEndpoint(id, endpoint.id)
        expect(yield* listEndpoints(id)).toEqual([])
      }).pipe(Effect.provide(layerPlatforms()))
    ))

  it("a chat endpoint gets its message without a signature, and has no secret", () =>
    run(
      Effect.gen(function*() {
        const got = yield* Effect.promise(() => startReceiver((_, response) => response.writeHead(204).end()))
        const { id } = yield* seedOrganization()
        const { endpoint } = yield* addEndpoint(id, got.url, ["scan.completed"], "discord")
        expect(endpoint.format).toBe("discord")
        const outcome = yield* testEndpoint(id, endpoint.id, "mention.detected")
        expect(outcome).toMatchObject({ status: 204, failure: null })
        const { body, headers } = got.received[0]!
        expect(Object.keys(headers).filter((name) => /signature|webhook/.test(name))).toEqual([])
        expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "sov" })
        const sent = readDiscord(JSON.parse(body.toString()) as Parameters<typeof readDiscord>[0])
        expect(sent.texts[0]).toBe("[TEST] Example Brand: newly named in 1 answer")
        expect(sent.texts).toContain("Which example product is the best?")
        for (
          const act of [
            Effect.asVoid(rotateSecret(id, endpoint.id, true)),
            Effect.asVoid(revealSecret(id, endpoint.id))
          ]
        ) {
          expect(yield* Effect.flip(act)).toMatchObject({
            _tag: "Rejected",
            message: "requests in the format of discord are not signed: there is no secret"
          })
        }
      }).pipe(Effect.provide(layerPlatforms()))
    ))

  it("endpoints and deliveries of another organization are not found", () =>
    run(
      Effect.gen(function*() {
        const got = yield* Effect.promise(() => startReceiver())
        const { endpoint, id } = yield* subscriber(got.url)
        const { deliveryId } = yield* testEndpoint(id, endpoint.id, "scan.completed")
        expect((yield* readDelivery(id, deliveryId)).attempts).toHaveLength(1)
        expect((yield* listDeliveries(id, { limit: 9 })).map((one) => one.id)).toEqual([deliveryId])

        const other = (yield* seedOrganization()).id
        for (
          const verb of [
            setEndpointEvents(other, endpoint.id, []),
            disableEndpoint(other, endpoint.id),
            enableEndpoint(other, endpoint.id),
            promoteSecret(other, endpoint.id),
            removeEndpoint(other, endpoint.id)
          ]
        ) {
          expect(yield* Effect.flip(verb)).toMatchObject({ _tag: "NotFound", what: "webhook", id: endpoint.id })
        }
        expect(yield* Effect.flip(readDelivery(other, deliveryId))).toMatchObject({
          _tag: "NotFound",
          what: "delivery"
        })
        expect(yield* Effect.flip(readDelivery(id, "x"))).toMatchObject({ _tag: "NotFound", what: "delivery", id: "x" })
        expect(yield* listDeliveries(other, { limit: 9 })).toEqual([])
        expect(yield* listEndpoints(id)).toHaveLength(1)
      }).pipe(Effect.provide(layerPlatforms()))
    ))

  it("deliveries that failed permanently since a time are sent again, and each one is reported", () =>
    run(
      Effect.gen(function*() {
        let status = 500
        const got = yield* Effect.promise(() =>
          startReceiver((_, response) => {
            response.writeHead(status).end()
            status = 204
          })
        )
        const { endpoint, id } = yield* subscriber(got.url)
        const outbox = yield* EventOutbox
        for (const _ of [1, 2]) yield* outbox.put(id, yield* scanCompleted(), chatMessage)
        const pending = yield* listDeliveries(id, { limit: 9 })
        // A minute ago: an endpoint that fails for days is disabled
        const failedAt = Date.now() - 60_000
        const failures = pending.map((delivery, n) => ({
          ...outcomeOf({ organizationId: id, endpoint, delivery }, 40, { status: 500, failure: "status" }),
          startedAt: new Date(failedAt),
          endedAt: new Date(failedAt + n)
        }))
        expect(failures).toHaveLength(2)
        yield* recordAttempts(failures)

        const told: Array<RecoveryProgress> = []
        const since = failures[0]!.endedAt
        const found = yield* recoverDeliveries(id, endpoint.id, since, (one) => told.push(one))
        expect(found).toEqual({ failed: 2, sent: 2, delivered: 1 })
        expect(told.map(({ sent }) => sent)).toEqual([1, 2])
        expect(told.at(-1)).toEqual(found)
        expect(got.received).toHaveLength(2)
        const later = new Date(failures[1]!.endedAt.getTime() + 1)
        expect(yield* recoverDeliveries(id, endpoint.id, later)).toEqual({ failed: 0, sent: 0, delivered: 0 })
      }).pipe(Effect.provide(layerPlatforms()))
    ))
})
