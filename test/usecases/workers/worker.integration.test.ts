/**
 * Who asks what, when, and how often: workers on a real database of each home, with platforms that do what the test
 * says.
 */
import type { Placement } from "@sov/core"
import {
  ArchiveStore,
  cancelScan,
  CellStore,
  Notifications,
  PlatformError,
  ScanStore,
  shiftedClock,
  startScan,
  startWorker,
  workChannel
} from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Clock, Effect, Fiber, Latch, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import {
  type Ask,
  awaitScanEnd,
  initializeOrganization,
  layerLocalPlacement,
  layerPlatforms,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { until } from "../../support/sov.ts"
import { openStorage } from "../../support/storage.ts"

const waitFor = (what: string, check: () => boolean) => Effect.promise(() => until(check, 60_000, what))

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run: <A, E>(program: Effect.Effect<A, E, Stores | Placement>) => Promise<A> = (program) =>
    storage.run(Effect.provide(program, layerLocalPlacement))

  it("every sample of every keyword is asked once, within each platform's concurrency", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let [calls, running, most] = [0, 0, 0]
      const busy: Ask = (prompt) =>
        Effect.gen(function*() {
          calls++
          most = Math.max(most, ++running)
          yield* Effect.sleep("5 millis")
          running--
          return scriptedAnswer(`Acme for ${prompt}`)
        })
      const organizationId = yield* initializeOrganization(5)
      const layer = layerPlatforms(scriptedPlatform("assistant_a", busy, 2))
      yield* Effect.provide(
        Effect.gen(function*() {
          // Of two workers one asks at a time.
          yield* startWorker()
          yield* startWorker()
          const scan = yield* startScan(organizationId, { ...scanRequest, samples: 3 })
          expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed", cellCount: 15 })
        }),
        layer
      )
      expect({ calls, most }).toEqual({ calls: 15, most: 2 })
      const [stats] = yield* (yield* ArchiveStore).stats(organizationId)
      expect(stats).toMatchObject({ answers: 15 })
    }))))

  it("the next worker takes over without asking any question twice", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const asked: Array<{ readonly by: string; readonly prompt: string }> = []
      const handing = yield* Latch.make()
      // What the first is asking when it is told to stop is answered after that
      const asking = (by: string): Ask => (prompt) =>
        Effect.suspend(() => by === "first" && asked.push({ by, prompt }) > 6 ? handing.await : Effect.void).pipe(
          Effect.andThen(Effect.sync(() => by === "second" && asked.push({ by, prompt }))),
          Effect.andThen(Effect.sleep("30 millis")),
          Effect.as(scriptedAnswer("Acme."))
        )
      const organizationId = yield* initializeOrganization(30)
      const layer = (by: string) => layerPlatforms(scriptedPlatform("assistant_a", asking(by), 3))
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer("first"))
      const first = yield* Effect.provide(startWorker(), layer("first"))
      yield* Effect.provide(startWorker(), layer("second"))
      yield* waitFor("calls in flight", () => asked.length === 9)
      const stopping = yield* Effect.forkChild(first.stop("1 minute"), { startImmediately: true })
      yield* handing.open
      yield* Fiber.join(stopping)
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(new Set(asked.map(({ by }) => by))).toEqual(new Set(["first", "second"]))
      expect(new Set(asked.map(({ prompt }) => prompt)).size).toBe(30)
      expect(asked).toHaveLength(30)
    }))))

  it("scans take turns: a short scan does not wait for another organization's long ones", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const order: Array<string> = []
      const ask: Ask = (prompt) =>
        Effect.sync(() => order.push(prompt)).pipe(
          Effect.andThen(Effect.sleep("5 millis")),
          Effect.as(scriptedAnswer("Acme."))
        )
      const layer = layerPlatforms(scriptedPlatform("assistant_a", ask, 2))
      const [long, short] = [yield* initializeOrganization(40), yield* initializeOrganization(4, "short")]
      const scans = yield* Effect.provide(
        Effect.forEach([long, long, long, short], (organizationId) => startScan(organizationId, scanRequest)),
        layer
      )
      yield* Effect.provide(startWorker(), layer)
      yield* awaitScanEnd(short, scans[3]!.id)
      // 4 of its own, and about as many of the other organization
      expect(order.findLastIndex((prompt) => prompt.startsWith("short"))).toBeLessThan(12)
      for (const scan of scans.slice(0, 3)) yield* cancelScan(long, scan.id)
    }))))

  it("a worker is notified of a scan that another process has started", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const layer = layerPlatforms(scriptedPlatform("assistant_a", () => Effect.succeed(scriptedAnswer("Acme."))))
      const organizationId = yield* initializeOrganization(1)
      const notifications = yield* Notifications
      let heard = ""
      // Its time stands: it never looks by itself, only when it hears of something
      const worker = startWorker().pipe(
        Effect.provide(layer),
        Effect.provideService(
          Clock.Clock,
          Object.assign(shiftedClock(yield* Clock.Clock, 0), { sleep: () => Effect.never })
        ),
        Effect.provideService(Notifications, {
          ...notifications,
          listen: (channel) =>
            Stream.tap(notifications.listen(channel), (payload) => Effect.sync(() => heard = payload))
        })
      )
      yield* worker
      for (let n = 0; heard === ""; n++) {
        yield* notifications.send(workChannel, `test ${n}`)
        yield* Effect.sleep("50 millis")
      }
      // What it was told so far it has looked at
      yield* Effect.sleep("100 millis")
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
    }))))

  it("a scan that was started by a process whose clock runs ahead is asked at once", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const layer = layerPlatforms(scriptedPlatform("assistant_a", () => Effect.succeed(scriptedAnswer("Acme."))))
      const organizationId = yield* initializeOrganization(1)
      const ahead = shiftedClock(yield* Clock.Clock, 60_000)
      const scan = yield* startScan(organizationId, scanRequest).pipe(
        Effect.provide(layer),
        Effect.provideService(Clock.Clock, ahead)
      )
      yield* Effect.provide(startWorker(), layer)
      expect(yield* awaitScanEnd(organizationId, scan.id).pipe(Effect.timeout("30 seconds"))).toMatchObject({
        status: "completed"
      })
    }))))

  it("a postponed cell is not asked before it is due", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const times: Array<number> = []
      const throttled: Ask = () =>
        Effect.suspend(() =>
          times.push(Date.now()) === 1
            ? Effect.fail(
              new PlatformError({
                platform: "assistant_a",
                reason: "throttled",
                message: "slow down",
                status: 429,
                retryAfterMs: 2_500,
                excerpt: null
              })
            )
            : Effect.succeed(scriptedAnswer("Acme."))
        )
      const organizationId = yield* initializeOrganization(1)
      const layer = layerPlatforms(scriptedPlatform("assistant_a", throttled))
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
      yield* Effect.provide(startWorker(), layer)
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(2_490)
    }))))

  it("a scan whose worker died between its last answer and its completion is completed", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const layer = layerPlatforms(scriptedPlatform("assistant_a", () => Effect.never))
      const organizationId = yield* initializeOrganization(2)
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
      const cells = yield* CellStore
      const failure = { reason: "auth", message: "no", excerpt: null, status: null } as const
      const options = { now: new Date(), limit: 9, inFlight: [] }
      for (const { cell } of yield* cells.claim({ organizationId, scanId: scan.id }, "assistant_a", options)) {
        yield* cells.fail(organizationId, cell.id, failure)
      }
      yield* Effect.provide(startWorker(), layer)
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "failed" })
    }))))

  it("a cell whose calls were all aborted ends, and is not called again", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let calls = 0
      const organizationId = yield* initializeOrganization(1)
      const layer = layerPlatforms(
        scriptedPlatform("assistant_a", () => Effect.sync(() => (calls++, scriptedAnswer("Acme."))))
      )
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
      const cells = yield* CellStore
      for (let attempt = 0; attempt < 5; attempt++) {
        const options = { now: new Date(), limit: 1, inFlight: [] }
        yield* cells.claim({ organizationId, scanId: scan.id }, "assistant_a", options)
      }
      yield* Effect.provide(startWorker(), layer)
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "failed" })
      expect(calls).toBe(0)
    }))))

  it("a worker with simulated platforms never works on a real scan", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let calls = 0
      const real = scriptedPlatform("assistant_a", () => Effect.sync(() => (calls++, scriptedAnswer("Acme."))))
      const organizationId = yield* initializeOrganization(1)
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layerPlatforms(real))
      const cells = yield* CellStore
      let looks = 0
      const worker = yield* startWorker().pipe(
        Effect.provide(layerPlatforms({ ...real, simulated: true })),
        Effect.provideService(CellStore, {
          ...cells,
          queues: (...asked) => Effect.tap(cells.queues(...asked), () => Effect.sync(() => looks++))
        })
      )
      // A second look begins after what the first one led to
      yield* waitFor("two looks at the work", () => looks >= 2)
      yield* worker.stop("1 second")
      const open = yield* cells.queues("assistant_a", false, [], "all")
      expect(open.map(({ scanId }) => scanId)).toContain(scan.id)
      expect(calls).toBe(0)
      expect(yield* (yield* ScanStore).find(organizationId, scan.id)).toMatchObject({ status: "running" })
      const mixed = layerPlatforms(real, { ...scriptedPlatform("assistant_b", real.ask), simulated: true })
      expect(yield* Effect.result(Effect.provide(startScan(organizationId, scanRequest), mixed)))
        .toMatchObject({ failure: { _tag: "Rejected" } })
      // Every worker continues every running scan: this one must not wait for those of the other tests.
      yield* cancelScan(organizationId, scan.id)
    }))))
})
