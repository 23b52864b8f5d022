/** Scans through the use cases, on a real database of each home, with platforms that do what the test says. */
import {
  type Answer,
  type AnswerPlatform,
  AnswerPlatforms,
  ArchiveStore,
  cancelScan,
  CellStore,
  initialize,
  type OrganizationId,
  Placement,
  PlatformError,
  type PlatformId,
  readQuota,
  readScan,
  type ScanId,
  ScanStore,
  scanSummaryJson,
  SealStore,
  startScan,
  startWorker,
  StoreError,
  sweepScans,
  watchScan
} from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Clock, Deferred, Duration, Effect, Layer, References, Semaphore, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

const answer = (text: string): Answer => ({
  text,
  payload: Buffer.from(text),
  citations: [],
  model: "m",
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 2, costUsd: null },
  latencyMs: 5,
  simulated: false
})

type Ask = AnswerPlatform["ask"]

const platform = (id: PlatformId, ask: Ask, concurrency = 4): AnswerPlatform => ({
  id,
  adapter: "scripted",
  model: "m",
  simulated: false,
  concurrency,
  requestsPerMinute: null,
  timeout: Duration.seconds(10),
  ask
})

const platforms = (...all: ReadonlyArray<AnswerPlatform>) =>
  Layer.succeed(AnswerPlatforms, { all: new Map(all.map((one) => [one.id, one])), digest: "d" })

/** Placement among the workers of this process: they wait for each other, as processes do. */
const placement = Layer.sync(Placement, () => {
  const places = new Map<string, Semaphore.Semaphore>()
  return {
    keep: (work) =>
      Effect.forEach(Object.entries(work), ([name, one]) => {
        const place = places.get(name) ?? Semaphore.makeUnsafe(1)
        places.set(name, place)
        return Effect.forkScoped(place.withPermits(1)(Effect.scoped(one)))
      }, { discard: true })
  }
})

const refusal = (reason: PlatformError["reason"]) =>
  new PlatformError({
    platform: "assistant_a",
    reason,
    message: "no",
    status: null,
    retryAfterMs: null,
    excerpt: "\u0000<h1>"
  })

let made = 0
const organizationOf = (keywords: number, text = "question") =>
  Effect.map(
    initialize({
      name: `Scan test ${process.pid} ${made++}`,
      plan: "starter",
      tracking: {
        brand: { name: "Acme" },
        keywords: Array.from({ length: keywords }, (_, n) => ({ text: `${text} ${n}?` }))
      }
    }),
    ({ organization }) => organization.id
  )

const request = { scanType: "manual", usesQuota: true, samples: 1 } as const

const ended = (organizationId: OrganizationId, scanId: ScanId) =>
  Stream.runLast(watchScan(organizationId, scanId)).pipe(
    Effect.flatMap(Effect.fromOption),
    Effect.map(({ scan }) => scan)
  )

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

  it("ends as failed without any answer, gives the quota unit back once, and keeps why", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* organizationOf(2)
      const scan = yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          return yield* startScan(organizationId, request)
        }),
        platforms(platform("assistant_a", () => Effect.fail(refusal("auth"))))
      )
      expect((yield* readQuota(organizationId)).used).toBe(1)
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "failed", quotaPeriod: null })
      expect((yield* readQuota(organizationId)).used).toBe(0)
      const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
      expect(failed).toHaveLength(2)
      expect(failed[0]).toMatchObject({ reason: "auth", attempts: 1, excerpt: "\ufffd<h1>" })
    }))))

  it("keeps and seals an answer that was in flight when its scan was cancelled", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const slow: Ask = () =>
        Deferred.succeed(asked, undefined).pipe(
          Effect.andThen(Deferred.await(release)),
          Effect.as(answer("Acme, late."))
        )
      const organizationId = yield* organizationOf(3)
      const worker = yield* Effect.provide(startWorker(), platforms(platform("assistant_a", slow, 1)))
      const scan = yield* Effect.provide(startScan(organizationId, request), platforms(platform("assistant_a", slow)))
      yield* Deferred.await(asked)
      yield* cancelScan(organizationId, scan.id)
      expect((yield* readQuota(organizationId)).used).toBe(1)
      yield* Deferred.succeed(release, undefined)
      yield* worker.stop("5 seconds")
      expect(yield* (yield* ScanStore).find(organizationId, scan.id)).toMatchObject({ status: "cancelled" })
      const leaves = yield* (yield* ArchiveStore).leaves(organizationId, scan.id)
      expect(leaves).toHaveLength(1)
      const { archived, counts, scan: cancelled, score } = yield* readScan(organizationId, scan.id)
      expect(counts).toMatchObject([{ cancelled: 3 }])
      expect(scanSummaryJson(cancelled, score, counts, archived))
        .toMatchObject({ results_count: 1, mentioned_count: 1 })
      const seals = yield* (yield* SealStore).ofScan(organizationId, scan.id)
      expect(seals.map((seal) => seal.leaves.length)).toEqual([0, 1])
      expect(seals[1]!.leaves[0]!.id).toBe(leaves[0]!.id)
      expect(Buffer.from(seals[1]!.previous!).equals(seals[0]!.hash)).toBe(true)
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

  it("fails what nobody can ask any more, after the time for retries", () =>
    run(Effect.gen(function*() {
      const one = platform("assistant_a", () => Effect.never)
      const other = platform("assistant_b", () => Effect.never)
      const organizationId = yield* organizationOf(1)
      const scan = yield* Effect.provide(startScan(organizationId, request), platforms(one))
      const sweepAt = (minutes: number) =>
        Effect.provide(sweepScans(), platforms(other)).pipe(
          Effect.provideService(
            Clock.Clock,
            Object.assign(Object.create(Clock.Clock.defaultValue()) as Clock.Clock, {
              currentTimeMillis: Effect.succeed(scan.startedAt.getTime() + minutes * 60_000)
            })
          )
        )
      yield* sweepAt(9)
      expect(yield* (yield* ScanStore).find(organizationId, scan.id)).toMatchObject({ status: "running" })
      yield* sweepAt(11)
      expect(yield* (yield* ScanStore).find(organizationId, scan.id)).toMatchObject({ status: "failed" })
      const [failed] = yield* (yield* CellStore).listFailed(organizationId, scan.id)
      expect(failed?.message).toContain("not configured here any more")
    })))

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

  it("gives the quota unit back when a scan is cancelled before the first call", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* organizationOf(1)
      const scan = yield* Effect.provide(
        startScan(organizationId, request),
        platforms(platform("assistant_a", () => Effect.never))
      )
      yield* cancelScan(organizationId, scan.id)
      yield* cancelScan(organizationId, scan.id)
      expect((yield* readQuota(organizationId)).used).toBe(0)
    })))

  it("does not lose a paid answer to a database that fails for a while", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const archive = yield* ArchiveStore
      let failures = 3
      let calls = 0
      const flaky = Layer.succeed(ArchiveStore, {
        ...archive,
        archive: (...given) =>
          Effect.suspend(() =>
            failures-- > 0
              ? Effect.fail(new StoreError({ reason: failures === 1 ? "full" : "unavailable", message: "away" }))
              : archive.archive(...given)
          )
      })
      const organizationId = yield* organizationOf(1)
      const scan = yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          return yield* startScan(organizationId, request)
        }),
        Layer.mergeAll(
          flaky,
          platforms(platform("assistant_a", () => Effect.sync(() => (calls++, answer("Acme."))), 1)),
          Layer.succeed(References.MinimumLogLevel, "None")
        )
      )
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(calls).toBe(1)
    }))))

  it("keeps an answer that cannot be measured at once, and measures it at the end", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const archive = yield* ArchiveStore
      let failures = 0
      const failing = Layer.succeed(ArchiveStore, {
        ...archive,
        // a statement fails, as a broken rule of the schema would
        archive: (organizationId, row, measurement) =>
          archive.archive(organizationId, row, measurement && { ...measurement, trackedSetVersion: 99 }).pipe(
            Effect.tapError(() => Effect.sync(() => failures++))
          )
      })
      let calls = 0
      const organizationId = yield* organizationOf(1)
      const scan = yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          return yield* startScan(organizationId, request)
        }),
        Layer.merge(failing, platforms(platform("assistant_a", () => Effect.sync(() => (calls++, answer("Acme."))))))
      )
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect({ calls, failures }).toEqual({ calls: 1, failures: 1 })
      expect((yield* readScan(organizationId, scan.id)).score).toMatchObject({ avgSov: 100, mentionedCount: 1 })
    }))))

  it("starts nothing and takes no quota when the start fails half-way", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* organizationOf(2)
      const cells = yield* CellStore
      const broken = Layer.succeed(CellStore, {
        ...cells,
        insert: () => Effect.fail(new StoreError({ reason: "internal", message: "injected" }))
      })
      const outcome = yield* Effect.result(Effect.provide(
        startScan(organizationId, request),
        Layer.merge(broken, platforms(platform("assistant_a", () => Effect.never)))
      ))
      expect(outcome).toMatchObject({ _tag: "Failure" })
      expect((yield* readQuota(organizationId)).used).toBe(0)
      expect(yield* (yield* ScanStore).list(organizationId, { limit: 10 })).toEqual([])
    })))
})
