/** Scans through the use cases, on a real database of each home, with platforms that do what the test says. */
import {
  type Answer,
  type AnswerPlatform,
  AnswerPlatforms,
  ArchiveStore,
  cancelScan,
  CellStore,
  initialize,
  JobQueue,
  MeasurementStore,
  type OrganizationId,
  PlatformError,
  type PlatformId,
  readQuota,
  readScan,
  type ScanId,
  ScanStore,
  scanSummaryJson,
  SealStore,
  SentimentJudge,
  startScan,
  startWorker,
  StoreError,
  watchScan
} from "@sov/core"
import { Deferred, Duration, Effect, Layer, References, Stream } from "effect"
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
const organizationOf = (keywords: number) =>
  Effect.map(
    initialize({
      name: `Scan test ${process.pid} ${made++}`,
      plan: "starter",
      tracking: {
        brand: { name: "Acme" },
        keywords: Array.from({ length: keywords }, (_, n) => ({ text: `question ${n}?` }))
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

  it("asks every sample of every keyword once, within each platform's concurrency", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
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
          // Two workers share the lanes: none of them asks what the other one asks.
          yield* startWorker()
          yield* startWorker()
          const scan = yield* startScan(organizationId, { ...request, samples: 3 })
          expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed", cellCount: 15 })
        }),
        layer
      )
      expect({ calls, most: most <= 4 }).toEqual({ calls: 15, most: true })
      const [stats] = yield* (yield* ArchiveStore).stats(organizationId)
      expect(stats).toMatchObject({ answers: 15 })
    }))))

  it("keeps the judge's word for the sentiment, and the rules' where it gave none or the brand is not named", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* organizationOf(4)
      const texts = ["Acme is excellent.", "Acme is slow.", "Nobody is.", "Acme is excellent, says nobody."]
      const judged: Array<string> = []
      const judge = {
        platform: "assistant_a",
        by: "assistant_a m",
        judge: ({ answer: text, brand }: { readonly answer: string; readonly brand: string }) =>
          Effect.gen(function*() {
            judged.push(`${brand}: ${text}`)
            yield* Effect.sleep("400 millis")
            if (text.includes("nobody")) return yield* Effect.die("judge is gone")
            return text.includes("slow") ? null : "negative" as const
          })
      } as const
      let asked = 0
      const ask: Ask = () => Effect.sync(() => answer(texts[asked++ % 4]!))
      yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          const scan = yield* startScan(organizationId, request)
          expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed" })
        }),
        Layer.merge(
          // The other platform's lane ends while answers are being judged: the scan has to wait for them.
          platforms(
            platform("assistant_a", ask),
            platform("assistant_b", () => Effect.andThen(Effect.sleep("150 millis"), Effect.fail(refusal("auth"))))
          ),
          Layer.succeed(SentimentJudge, judge)
        )
      )
      const rows = yield* (yield* ArchiveStore).page(organizationId, {}, { limit: 9 })
      const found = Object.fromEntries(
        rows.map(({ rawResponse, sentiment, sentimentBy }) => [rawResponse, [sentiment, sentimentBy]])
      )
      expect(found).toEqual({
        "Acme is excellent.": ["negative", "assistant_a m"],
        "Acme is slow.": ["negative", "rules"],
        "Nobody is.": [null, "rules"],
        "Acme is excellent, says nobody.": ["positive", "rules"]
      })
      expect(judged).not.toContain("Acme: Nobody is.")
    }))))

  it("ends as failed without any answer, gives the quota unit back once, and keeps why", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
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
    storage.run(Effect.scoped(Effect.gen(function*() {
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
      const { counts, scan: cancelled, score } = yield* readScan(organizationId, scan.id)
      expect(counts).toMatchObject([{ cancelled: 3, archived: 1 }])
      expect(scanSummaryJson(cancelled, score, counts)).toMatchObject({ results_count: 1, mentioned_count: 1 })
      const seals = yield* (yield* SealStore).ofScan(organizationId, scan.id)
      expect(seals.map((seal) => seal.leaves.length)).toEqual([0, 1])
      expect(seals[1]!.leaves[0]!.id).toBe(leaves[0]!.id)
      expect(Buffer.from(seals[1]!.previous!).equals(seals[0]!.hash)).toBe(true)
    }))))

  it("asks each cell once though its lane is worked twice, as after a lease that lapsed", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
      const asked: Array<string> = []
      const slow: Ask = (prompt) =>
        Effect.sync(() => asked.push(prompt)).pipe(
          Effect.andThen(Effect.sleep("30 millis")),
          Effect.as(answer("Acme."))
        )
      const organizationId = yield* organizationOf(12)
      const layer = platforms(platform("assistant_a", slow, 3))
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      const lane = { platform: "assistant_a" as const, organizationId, scanId: scan.id }
      const leaseless = Layer.succeed(JobQueue, {
        offer: () => Effect.void,
        take: (_, work) => Effect.asVoid(Effect.andThen(Effect.sleep("10 millis"), work(lane)))
      })
      yield* Effect.provide(startWorker(), Layer.merge(layer, leaseless))
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
      expect(asked).toHaveLength(12)
    }))))

  it("ends a cell whose calls were all cut, and calls no more for it", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
      let calls = 0
      const organizationId = yield* organizationOf(1)
      const layer = platforms(platform("assistant_a", () => Effect.sync(() => (calls++, answer("Acme.")))))
      const scan = yield* Effect.provide(startScan(organizationId, request), layer)
      const cells = yield* CellStore
      for (let attempt = 0; attempt < 5; attempt++) {
        const [cell] = yield* cells.due(organizationId, scan.id, "assistant_a", new Date(), 1)
        yield* cells.beginAttempt(organizationId, cell!, new Date())
      }
      yield* Effect.provide(startWorker(), layer)
      expect(yield* ended(organizationId, scan.id)).toMatchObject({ status: "failed" })
      expect(calls).toBe(0)
    }))))

  it("keeps a worker with simulated platforms away from a real scan", () =>
    storage.run(Effect.scoped(Effect.gen(function*() {
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
    storage.run(Effect.gen(function*() {
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
    storage.run(Effect.scoped(Effect.gen(function*() {
      const archive = yield* ArchiveStore
      let failures = 3
      let calls = 0
      const flaky = Layer.succeed(ArchiveStore, {
        ...archive,
        append: (organizationId, row) =>
          failures-- > 0
            ? Effect.fail(new StoreError({ reason: failures === 1 ? "full" : "unavailable", message: "away" }))
            : archive.append(organizationId, row)
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
    storage.run(Effect.scoped(Effect.gen(function*() {
      const measurements = yield* MeasurementStore
      let failures = 1
      const failing = Layer.succeed(MeasurementStore, {
        ...measurements,
        insert: (organizationId, rows) =>
          failures-- > 0
            // a statement of its own fails, as a broken rule of the schema would
            ? measurements.insert(organizationId, rows.map((row) => ({ ...row, trackedSetVersion: 99 })))
            : measurements.insert(organizationId, rows)
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
      expect({ calls, failures: failures < 0 }).toEqual({ calls: 1, failures: true })
      expect((yield* readScan(organizationId, scan.id)).score).toMatchObject({ avgSov: 100, mentionedCount: 1 })
    }))))

  it("starts nothing and takes no quota when the start fails half-way", () =>
    storage.run(Effect.gen(function*() {
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
