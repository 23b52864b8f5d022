/** The recorder of outcomes in a test's time, in front of a store that may be away. */
import {
  type AttemptOutcome,
  DeliveryId,
  DeliveryLedger,
  DeliveryStore,
  EndpointId,
  MailStore,
  makeDeliveryRecorder,
  Notifications,
  OrganizationId,
  OrganizationStore,
  StoreError,
  Transaction
} from "@sov/core"
import { Effect, Exit, Layer, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`
const to = { organizationId: OrganizationId.make(id(1)), endpointId: EndpointId.make(id(2)), failing: false }

const outcome = (n: number, failure: AttemptOutcome["failure"] = null): AttemptOutcome => ({
  organizationId: to.organizationId,
  endpointId: to.endpointId,
  deliveryId: DeliveryId.make(id(1_000 + n)),
  startedAt: new Date(0),
  endedAt: new Date(0),
  durationMs: 0,
  status: null,
  failure,
  message: null,
  response: null,
  retryAt: null
})

/** Runs the body with a recorder; `batches` are the sizes of what the store has recorded, `close` ends the recorder. */
const recording = (
  body: (test: {
    readonly recorder: Effect.Success<ReturnType<typeof makeDeliveryRecorder>>
    readonly ledger: DeliveryLedger
    readonly scheduler: { inFlight: number }
    readonly batches: ReadonlyArray<number>
    readonly onRecorded: ReadonlyArray<number>
    readonly store: { away: boolean }
    readonly add: (count: number, failure?: AttemptOutcome["failure"]) => void
    readonly close: Effect.Effect<void>
  }) => Effect.Effect<void>
) => {
  const ledger = new DeliveryLedger()
  const scheduler = { inFlight: 0 }
  const [batches, onRecorded]: [Array<number>, Array<number>] = [[], []]
  const store = { away: false }
  const layer = Layer.mergeAll(
    Layer.mock(DeliveryStore, {
      record: (outcomes) =>
        Effect.suspend(() => {
          if (store.away) return Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
          batches.push(outcomes.length)
          return Effect.succeed([])
        })
    }),
    Layer.succeed(Transaction, { run: (effect) => effect }),
    Layer.mock(OrganizationStore, {}),
    Layer.mock(MailStore, {}),
    Layer.mock(Notifications, {}),
    SecureRandom.layerWebCrypto
  )
  return Effect.runPromise(
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const recorder = yield* makeDeliveryRecorder({
        ledger,
        scheduler,
        onRecorded: (outcomes) => {
          expect(outcomes.filter(({ deliveryId }) => ledger.claimed.has(deliveryId))).toEqual([])
          onRecorded.push(outcomes.length)
        }
      }).pipe(Scope.provide(scope))
      let added = 0
      yield* body({
        recorder,
        ledger,
        scheduler,
        batches,
        onRecorded,
        store,
        add: (count, failure) => {
          for (let n = 0; n < count; n++) {
            const one = outcome(added++, failure)
            ledger.claim(one.deliveryId, one.endpointId)
            recorder.add(one)
          }
        },
        close: Scope.close(scope, Exit.void)
      })
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide([layer, TestClock.layer()]))
  )
}

it("records at once while no post is in flight, and releases the deliveries then", () =>
  recording(({ add, batches, ledger, onRecorded }) =>
    Effect.gen(function*() {
      add(3)
      yield* TestClock.adjust(0)
      expect([batches, onRecorded, ledger.claimed.size]).toEqual([[3], [3], 0])
    })
  ))

it("waits 25 ms for other outcomes while posts are in flight", () =>
  recording(({ add, batches, scheduler }) =>
    Effect.gen(function*() {
      scheduler.inFlight = 1
      add(1)
      yield* TestClock.adjust("24 millis")
      expect(batches).toEqual([])
      add(2)
      yield* TestClock.adjust("1 millis")
      expect(batches).toEqual([3])
    })
  ))

it("a batch has 500 outcomes at most, and a full one does not wait", () =>
  recording(({ add, batches, scheduler }) =>
    Effect.gen(function*() {
      scheduler.inFlight = 1
      add(1_100)
      yield* TestClock.adjust(0)
      expect(batches).toEqual([500, 500, 100])
    })
  ))

it("keeps claims and outcomes while the database is away, and records them a second after it is back", () =>
  recording(({ add, batches, ledger, recorder, store }) =>
    Effect.gen(function*() {
      store.away = true
      add(1)
      add(1, "timeout")
      yield* TestClock.adjust("10 seconds")
      expect([batches, ledger.claimed.size]).toEqual([[], 2])
      expect(recorder.failedEndpoints()).toEqual(new Set([to.endpointId]))
      store.away = false
      yield* TestClock.adjust("1 second")
      expect([batches, ledger.claimed.size]).toEqual([[2], 0])
      expect(recorder.failedEndpoints()).toEqual(new Set())
    })
  ))

it("records the rest when its scope closes", () =>
  recording(({ add, batches, close, scheduler }) =>
    Effect.gen(function*() {
      scheduler.inFlight = 1
      add(2)
      yield* TestClock.adjust("1 millis")
      expect(batches).toEqual([])
      yield* close
      expect(batches).toEqual([2])
    })
  ))
