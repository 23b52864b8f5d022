/** Scans through the use cases, on a real database of each home, with platforms that do what the test says. */
import type { Placement } from "@sov/core"
import {
  AnswerId,
  ArchiveStore,
  cancelScan,
  CellStore,
  ConfiguredJudge,
  type Judge,
  MeasurementStore,
  readQuota,
  readScan,
  ScanStore,
  scanSummaryJson,
  SealStore,
  SourceStore,
  startScan,
  startWorker,
  StoreError
} from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Deferred, Effect, Layer, References } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import {
  type Ask,
  awaitScanEnd,
  initializeOrganization,
  layerLocalPlacement,
  layerPlatforms,
  platformError,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

const unwantedJudge: Judge = {
  platform: "assistant_a",
  by: "assistant_a m",
  ask: ({ read }) => Effect.succeed({ verdict: read("negative"), usage: null })
}

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run: <A, E>(program: Effect.Effect<A, E, Stores | Placement>) => Promise<A> = (program) =>
    storage.run(Effect.provide(program, layerLocalPlacement))

  it("the judge decides the sentiment; the rules decide if the judge gives none, the answer is too long for it, or the brand is not named", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(5)
      const long = `Acme is excellent. ${"It is red. ".repeat(5_500)}`
      const texts = ["Acme is excellent.", "Acme is slow.", "Nobody is.", "Acme is excellent, says nobody.", long]
      const judged: Array<string> = []
      const judge: Judge = {
        platform: "assistant_a",
        by: "assistant_a m",
        ask: ({ prompt, read }) =>
          Effect.gen(function*() {
            const [, text = "", question = ""] = prompt("|").split("\n|\n")
            judged.push(`${/ toward "(.*?)",/.exec(question)?.[1]}: ${text}`)
            yield* Effect.sleep("400 millis")
            if (text.includes("nobody")) return yield* Effect.die("judge is gone")
            const usage = { inputTokens: 9, outputTokens: 1, costUsd: 0.5 }
            return { verdict: read(text.includes("slow") ? "slow" : "negative"), usage }
          })
      }
      let asked = 0
      const ask: Ask = () => Effect.sync(() => scriptedAnswer(texts[asked++ % 5]!))
      // A paid judgement is kept although the database is away when it comes
      let failed = 0
      const { insert, ...others } = yield* MeasurementStore
      const measurements = MeasurementStore.of({
        ...others,
        insert: (id, rows) =>
          Effect.suspend(() =>
            rows.some(({ sentimentBy }) => sentimentBy === judge.by) && failed++ === 0
              ? Effect.fail(new StoreError({ reason: "unavailable", message: "cut" }))
              : insert(id, rows)
          )
      })
      yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          const scan = yield* startScan(organizationId, scanRequest)
          expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
        }),
        Layer.mergeAll(
          // The other platform's queue ends while answers are being judged: the scan has to wait for them.
          layerPlatforms(
            scriptedPlatform("assistant_a", ask),
            scriptedPlatform(
              "assistant_b",
              () => Effect.andThen(Effect.sleep("150 millis"), Effect.fail(platformError("auth")))
            )
          ),
          Layer.succeed(ConfiguredJudge, judge),
          Layer.succeed(MeasurementStore, measurements)
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
        "Acme is excellent, says nobody.": ["positive", "rules"],
        [long]: ["positive", "rules"]
      })
      expect(judged.toSorted()).toEqual(
        texts.filter((text) => text.includes("Acme") && text !== long).map((text) => `Acme: ${text}`).toSorted()
      )
      expect(failed).toBeGreaterThan(0)
    }))))

  it("an answer whose sources cannot be read is archived and marked", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(1)
      let reads = 0
      const citation = {
        url: "https://acme.com/",
        title: null,
        get position(): number {
          if (reads++ === 0) throw new Error("no position")
          return 0
        }
      }
      const answer = { ...scriptedAnswer("Acme, by a.example."), citations: [citation, citation] }
      yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          const scan = yield* startScan(organizationId, scanRequest)
          expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
        }),
        layerPlatforms(scriptedPlatform("assistant_a", () => Effect.succeed(answer)))
      )
      const [row] = yield* (yield* ArchiveStore).page(organizationId, {}, { limit: 9 })
      expect(row).toMatchObject({ rawResponse: answer.text })
      const found = yield* (yield* SourceStore).find(organizationId, row!.id)
      expect(found).toMatchObject({ status: "unreadable", sources: [], queries: [] })
      expect(reads).toBeGreaterThan(0)
    }))))

  it("a scan without any answer fails, returns its quota unit once, and stores the reason", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(2)
      const scan = yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          return yield* startScan(organizationId, scanRequest)
        }),
        layerPlatforms(scriptedPlatform("assistant_a", () => Effect.fail(platformError("auth"))))
      )
      expect((yield* readQuota(organizationId)).used).toBe(1)
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "failed", quotaPeriod: null })
      expect((yield* readQuota(organizationId)).used).toBe(0)
      const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
      expect(failed).toHaveLength(2)
      expect(failed[0]).toMatchObject({ reason: "auth", attempts: 1, excerpt: "\ufffd<h1>" })
    }))))

  it.each([
    ["", Layer.empty],
    [", and does not leave it to the judge", Layer.succeed(ConfiguredJudge, unwantedJudge)]
  ])(
    "an answer in flight when its scan is cancelled is archived, measured and sealed%s",
    (_, judge) =>
      run(Effect.scoped(Effect.gen(function*() {
        const asked = yield* Deferred.make<void>()
        const release = yield* Deferred.make<void>()
        const slow: Ask = () =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Deferred.await(release)),
            Effect.as(scriptedAnswer("Acme, late."))
          )
        const organizationId = yield* initializeOrganization(3)
        const worker = yield* Effect.provide(
          startWorker(),
          Layer.merge(layerPlatforms(scriptedPlatform("assistant_a", slow, 1)), judge)
        )
        const scan = yield* Effect.provide(
          startScan(organizationId, scanRequest),
          layerPlatforms(scriptedPlatform("assistant_a", slow))
        )
        yield* Deferred.await(asked)
        yield* cancelScan(organizationId, scan.id)
        expect((yield* readQuota(organizationId)).used).toBe(1)
        yield* Deferred.succeed(release, undefined)
        yield* worker.stop("5 seconds")
        expect(yield* (yield* ScanStore).find(organizationId, scan.id)).toMatchObject({ status: "cancelled" })
        const leaves = yield* (yield* ArchiveStore).leaves(organizationId, scan.id)
        expect(leaves).toHaveLength(1)
        expect(yield* (yield* ArchiveStore).find(organizationId, leaves[0]!.id))
          .toMatchObject({ brandMentioned: true, sentimentBy: "rules" })
        const { archived, counts, scan: cancelled, score } = yield* readScan(organizationId, scan.id)
        expect(counts).toMatchObject([{ cancelled: 3 }])
        expect(scanSummaryJson(cancelled, score, counts, archived))
          .toMatchObject({ results_count: 1, mentioned_count: 1 })
        const seals = yield* (yield* SealStore).ofScan(organizationId, scan.id)
        expect(seals.map((seal) => seal.leaves.length)).toEqual([0, 1])
        expect(seals[1]!.leaves[0]!.id).toBe(leaves[0]!.id)
        expect(Buffer.from(seals[1]!.previous!).equals(seals[0]!.hash)).toBe(true)
      })))
  )

  it("an answer to a cell that another process already answered is charged", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.25 }
      const layer = layerPlatforms(
        scriptedPlatform("assistant_a", () => Effect.succeed({ ...scriptedAnswer("Acme."), usage }))
      )
      const organizationId = yield* initializeOrganization(1)
      const archiveTwice = Effect.map(ArchiveStore, (store): ArchiveStore["Service"] => ({
        ...store,
        archive: (id, answer, measurement) =>
          Effect.andThen(
            store.archive(id, { ...answer, id: AnswerId.make(randomUUID()) }, null),
            store.archive(id, answer, measurement)
          )
      }))
      const { archived, spending } = yield* Effect.gen(function*() {
        yield* startWorker()
        const scan = yield* startScan(organizationId, scanRequest)
        yield* awaitScanEnd(organizationId, scan.id)
        return yield* readScan(organizationId, scan.id)
      }).pipe(Effect.provide(Layer.merge(layer, Layer.effect(ArchiveStore, archiveTwice))))
      expect(archived).toMatchObject({ answers: 1 })
      expect(spending).toMatchObject([{ answers: 1, charges: 1, costUsd: 0.5 }])
    }))))

  it("a scan that is cancelled before its first call returns its quota unit", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(1)
      const scan = yield* Effect.provide(
        startScan(organizationId, scanRequest),
        layerPlatforms(scriptedPlatform("assistant_a", () => Effect.never))
      )
      yield* cancelScan(organizationId, scan.id)
      yield* cancelScan(organizationId, scan.id)
      expect((yield* readQuota(organizationId)).used).toBe(0)
    })))

  it("a paid answer is not lost if the database fails for a while", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const archive = yield* ArchiveStore
      let failures = 3
      let calls = 0
      let tried: number | undefined
      const flaky = Layer.succeed(ArchiveStore, {
        ...archive,
        archive: (...given) =>
          Effect.suspend(() => {
            tried ??= Date.now()
            return failures-- > 0
              ? Effect.fail(new StoreError({ reason: failures === 1 ? "full" : "unavailable", message: "away" }))
              : archive.archive(...given)
          })
      })
      const organizationId = yield* initializeOrganization(1)
      const scan = yield* Effect.provide(
        Effect.gen(function*() {
          yield* startWorker()
          return yield* startScan(organizationId, scanRequest)
        }),
        Layer.mergeAll(
          flaky,
          layerPlatforms(
            scriptedPlatform("assistant_a", () => Effect.sync(() => (calls++, scriptedAnswer("Acme."))), 1)
          ),
          Layer.succeed(References.MinimumLogLevel, "None")
        )
      )
      expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
      expect(calls).toBe(1)
      // It bears the time of the insert that worked, not of the first that did not.
      const [row] = yield* archive.page(organizationId, {}, { limit: 1 })
      expect(row!.createdAt.getTime() - tried!).toBeGreaterThan(250)
    }))))

  it.each([
    ["a broken rule of the schema", { trackedSetVersion: 99 }],
    ["a value the database cannot hold", { icuVersion: "\u0000" }]
  ])(
    "an answer whose measurement is refused (%s) is archived, and measured at the end",
    (_, broken) =>
      run(Effect.scoped(Effect.gen(function*() {
        const archive = yield* ArchiveStore
        let failures = 0
        const failing = Layer.succeed(ArchiveStore, {
          ...archive,
          archive: (organizationId, row, measurement) =>
            archive.archive(organizationId, row, measurement && { ...measurement, ...broken }).pipe(
              Effect.tapError(() => Effect.sync(() => failures++))
            )
        })
        let calls = 0
        const organizationId = yield* initializeOrganization(1)
        const scan = yield* Effect.provide(
          Effect.gen(function*() {
            yield* startWorker()
            return yield* startScan(organizationId, scanRequest)
          }),
          Layer.merge(
            failing,
            layerPlatforms(scriptedPlatform("assistant_a", () => Effect.sync(() => (calls++, scriptedAnswer("Acme.")))))
          )
        )
        expect(yield* awaitScanEnd(organizationId, scan.id)).toMatchObject({ status: "completed" })
        expect({ calls, failures }).toEqual({ calls: 1, failures: 1 })
        expect((yield* readScan(organizationId, scan.id)).score).toMatchObject({ avgSov: 100, mentionedCount: 1 })
      })))
  )

  it("a start that fails halfway starts nothing and uses no quota", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(2)
      const scans = yield* ScanStore
      const broken = Layer.succeed(ScanStore, {
        ...scans,
        // Of two cells with the same id the second one cannot be added
        start: (organizationId, start) =>
          scans.start(organizationId, {
            ...start,
            cells: start.cells.map((cell) => ({ ...cell, id: start.cells[0]!.id }))
          })
      })
      const outcome = yield* Effect.result(Effect.provide(
        startScan(organizationId, scanRequest),
        Layer.merge(broken, layerPlatforms(scriptedPlatform("assistant_a", () => Effect.never)))
      ))
      expect(outcome).toMatchObject({ _tag: "Failure" })
      expect((yield* readQuota(organizationId)).used).toBe(0)
      expect(yield* (yield* ScanStore).list(organizationId, { limit: 10 })).toEqual([])
    })))

  it("a scan of 10,000 questions starts, and starts only once with an Idempotency-Key", () =>
    run(
      Effect.gen(function*() {
        const organizationId = yield* initializeOrganization(1_000)
        const request = { ...scanRequest, samples: 5 }
        const plain = yield* startScan(organizationId, request)
        const named = yield* startScan(organizationId, request, "large")
        const again = yield* startScan(organizationId, request, "large")
        expect(again).toMatchObject({ id: named.id, estimatedSeconds: named.estimatedSeconds, replayed: true })
        expect([plain.quota?.used, named.quota?.used, again.quota]).toEqual([1, 2, null])
        const counts = yield* (yield* CellStore).totals(organizationId, [plain.id, named.id])
        const open = { open: 10_000, answered: 0, failed: 0, noOverview: 0, cancelled: 0 }
        expect(counts).toEqual(new Map([[plain.id, open], [named.id, open]]))
        expect(yield* (yield* ScanStore).list(organizationId, { limit: 10 })).toHaveLength(2)
        yield* Effect.forEach([plain, named], ({ id }) => cancelScan(organizationId, id))
      }).pipe(Effect.provide(layerPlatforms(
        scriptedPlatform("assistant_a", () => Effect.never),
        scriptedPlatform("assistant_b", () => Effect.never)
      )))
    ))
})
