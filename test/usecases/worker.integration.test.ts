/** Who asks what, when, and how often: workers on a real database of each home, with platforms that do what the test says. */
import type { Placement } from "@sov/core"
import { ArchiveStore, cancelScan, CellStore, PlatformError, ScanStore, startScan, startWorker } from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Clock, Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import {
  answer,
  type Ask,
  ended,
  organizationOf,
  placement,
  platform,
  platforms,
  request
} from "../support/scripted.ts"
import { openStorage } from "../support/storage.ts"
import { shiftedClock } from "../support/testTime.ts"

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run: <A, E>(program: Effect.Effect<A, E, Stores | Placement>) => Promise<A> = (program) =>
    storage.run(Effect.provide(program, placement))

  it("asks every sample of every keyword once, within each platform's concurrency", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let [calls, running, most] = [0, 0, 0]
      const busy: Ask = (prompt) =>
        Effect.gen(function*() {
          calls++
          most = Math.max(most, ++running)
          yield* Effect.sleep("5 millis")
          running--
          return answer(`Acme for ${prompt}`)
        })
      const organizationId = yield* organizationOf(5)
      const layer = platforms(platform("assistant_a", busy, 2))
      yield* Effect.provide(
        Effect.gen(function*() {
          // Of two workers one asks at a time.
          yield* startWorker()
          yield* startWorker()
          const scan = yield* startScan(organizationId, { ...request, samples: 3 })
          expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed", cellCount: 15 })
        }),
        layer
      )
      expect({ calls, most }).toEqual({ calls: 15, most: 2 })
      const [stats] = yield* (yield* ArchiveStore).stats(organizationId)
      expect(stats).toMatchObject({ answers: 15 })
    }))))

  it("hands over to the next worker without asking anything twice", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const asked: Array<string> = []
      const slow: Ask = (prompt) =>
        Effect.sync(() => asked.push(prompt)).pipe(
          Effect.andThen(Effect.sleep("30 millis")),
          Effect.as(answer("Acme."))
        )
      const organizationId = yield* organizationOf(30)
      const layer = platforms(platform("assistant_a", slow, 3))
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      const first = yield* Effect.provide(startWorker(), layer)
      yield* Effect.provide(startWorker(), layer)
      yield* Effect.sleep("100 millis")
      yield* first.stop("5 seconds")
      const before = asked.length
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(before).toBeLessThan(30)
      expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
      expect(asked).toHaveLength(30)
    }))))

  it("takes turns: a short scan does not wait for another organization's long ones", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const order: Array<string> = []
      const ask: Ask = (prompt) =>
        Effect.sync(() => order.push(prompt)).pipe(Effect.andThen(Effect.sleep("5 millis")), Effect.as(answer("Acme.")))
      const layer = platforms(platform("assistant_a", ask, 2))
      const [long, short] = [yield* organizationOf(40), yield* organizationOf(4, "short")]
      const scans = yield* Effect.provide(
        Effect.forEach([long, long, long, short], (organizationId) => startScan(organizationId, request)),
        layer
      )
      yield* Effect.provide(startWorker(), layer)
      yield* ended(short, scans[3]!.id)
      // 4 of its own, and about as many of the other organization
      expect(order.findLastIndex((prompt) => prompt.startsWith("short"))).toBeLessThan(12)
      for (const scan of scans.slice(0, 3)) yield* cancelScan(long, scan.id)
    }))))

  it("hears of a scan that was started elsewhere", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const layer = platforms(platform("assistant_a", () => Effect.succeed(answer("Acme."))))
      const organizationId = yield* organizationOf(1)
      yield* Effect.provide(startWorker(), layer)
      yield* Effect.sleep("300 millis")
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      yield* ended(organizationId, scan.id)
      const [row] = yield* (yield* ArchiveStore).page(organizationId, {}, { limit: 1 })
      // Without the notification it would take the next look, up to two seconds later.
      expect(row!.createdAt.getTime() - scan.startedAt.getTime()).toBeLessThan(1_000)
    }))))

  it("asks at once for a scan that was started by a clock which is ahead", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const layer = platforms(platform("assistant_a", () => Effect.succeed(answer("Acme."))))
      const organizationId = yield* organizationOf(1)
      const ahead = shiftedClock(yield* Clock.Clock, 60_000)
      const scan = yield* startScan(organizationId, request).pipe(
        Effect.provide(layer),
        Effect.provideService(Clock.Clock, ahead)
      )
      yield* Effect.provide(startWorker(), layer)
      expect(yield* ended(organizationId, scan.id).pipe(Effect.timeout("5 seconds"))).toMatchObject({
        status: "completed"
      })
    }))))

  it("asks again what was put off, when it is due", () =>
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
            : Effect.succeed(answer("Acme."))
        )
      const organizationId = yield* organizationOf(1)
      const layer = platforms(platform("assistant_a", throttled))
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      yield* Effect.provide(startWorker(), layer)
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(2_490)
      expect(times[1]! - times[0]!).toBeLessThan(4_000)
    }))))

  it("completes a scan whose worker died between its last answer and its completion", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const layer = platforms(platform("assistant_a", () => Effect.never))
      const organizationId = yield* organizationOf(2)
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      const cells = yield* CellStore
      const failure = { reason: "auth", message: "no", excerpt: null, status: null } as const
      const options = { now: new Date(), limit: 9, inFlight: [] }
      for (const { cell } of yield* cells.claim({ organizationId, scanId: scan.id }, "assistant_a", options)) {
        yield* cells.failed(organizationId, cell.id, failure)
      }
      yield* Effect.provide(startWorker(), layer)
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "failed" })
    }))))

  it("ends a cell whose calls were all cut, and calls no more for it", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let calls = 0
      const organizationId = yield* organizationOf(1)
      const layer = platforms(platform("assistant_a", () => Effect.sync(() => (calls++, answer("Acme.")))))
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      const cells = yield* CellStore
      for (let attempt = 0; attempt < 5; attempt++) {
        const options = { now: new Date(), limit: 1, inFlight: [] }
        yield* cells.claim({ organizationId, scanId: scan.id }, "assistant_a", options)
      }
      yield* Effect.provide(startWorker(), layer)
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "failed" })
      expect(calls).toBe(0)
    }))))

  it("keeps a worker with simulated platforms away from a real scan", () =>
    run(Effect.scoped(Effect.gen(function*() {
      let calls = 0
      const real = platform("assistant_a", () => Effect.sync(() => (calls++, answer("Acme."))))
      const organizationId = yield* organizationOf(1)
      const scan = yield* Effect.provide(startScan(organizationId, request), platforms(real))
      const worker = yield* Effect.provide(startWorker(), platforms({ ...real, simulated: true }))
      yield* Effect.sleep("1500 millis")
      yield* worker.stop("1 second")
      expect(calls).toBe(0)
      expect(yield* (yield* ScanStore).find(organizationId, scan.id)).toMatchObject({ status: "running" })
      const mixed = platforms(real, { ...platform("assistant_b", real.ask), simulated: true })
      expect(yield* Effect.result(Effect.provide(startScan(organizationId, request), mixed)))
        .toMatchObject({ failure: { _tag: "Rejected" } })
      // Every worker continues every running scan: this one must not wait for those of the other tests.
      yield* cancelScan(organizationId, scan.id)
    }))))
})
