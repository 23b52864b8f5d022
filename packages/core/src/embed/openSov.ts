/** `openSov`: use cases as promises, on a runtime that owns the home's connection. */
import { Cause, Clock, Deferred, Effect, Exit, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { wholeHistory } from "../domain/organizations/HistoryWindow.ts"
import { Name, type Organization } from "../domain/organizations/Organization.ts"
import { platformIds } from "../domain/platforms/Platform.ts"
import { TrackingFile } from "../domain/tracking/TrackedSet.ts"
import { stopGraceMs } from "../domain/workers/stopGrace.ts"
import { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { Mailer } from "../ports/Mailer.ts"
import { readArchive } from "../usecases/archive/readArchive.ts"
import { NotFound, Rejected, ScanEnded } from "../usecases/errors.ts"
import { initialize } from "../usecases/organizations/initialize.ts"
import { findOrganization, listOrganizations } from "../usecases/organizations/reads.ts"
import { checkResumable } from "../usecases/scanning/checkResumable.ts"
import { findScan, readScan } from "../usecases/scanning/readScan.ts"
import { runScan } from "../usecases/scanning/runScan.ts"
import { startScan } from "../usecases/scanning/startScan.ts"
import { readScoreReport } from "../usecases/scoring/readScoreReport.ts"
import { assertSamePlatforms } from "../usecases/workers/registerWorker.ts"
import { startWorker } from "../usecases/workers/startWorker.ts"
import { makeCustomMailer, makeCustomPlatform } from "./customPlatform.ts"
import type { LogEntry, OpenOptions, ScanOptions, Sov, SovClock } from "./Home.ts"
import {
  checkInput,
  checkOpenOptions,
  FiltersInput,
  InitializeInput,
  ResumeInput,
  ScanInput,
  ScoreInput,
  StopInput,
  WorkInput
} from "./inputs.ts"
import { makeOrganizations } from "./organizations.ts"
import { choosePlatforms, layerEmbedded, layerPostgres, type Services } from "./Sov.ts"

/** Rows per read of the archive. */
const pageRows = 100

/** A clock that takes the current time from `clock` but waits in real time. */
const layerClock = (clock: SovClock) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (real): Clock.Clock => {
      const millis = () => clock().getTime()
      const nanos = () => BigInt(millis()) * 1_000_000n
      return {
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: real.monotonicTimeNanos,
        sleep: (duration) => real.sleep(duration)
      }
    })
  )

const layerLog = (log: OpenOptions["log"]) =>
  Logger.layer(
    log === undefined ? [] : [Logger.make<unknown, void>(({ logLevel, message }) =>
      log({
        level: logLevel.toLowerCase() as LogEntry["level"],
        message: (Array.isArray(message) ? message : [message]).map(String).join(" ")
      })
    )]
  )

const layerOf = (options: OpenOptions) => {
  const { clock, encryptionKeys, log, mailer, platforms = [] } = options
  const keys = typeof encryptionKeys === "string" ? Redacted.make(encryptionKeys) : encryptionKeys
  const home = options.dataDir === undefined
    ? layerPostgres(options.databaseUrl, { encryptionKeys: keys })
    : layerEmbedded({ dataDir: options.dataDir, encryptionKeys: keys })
  const chosen = "all" in platforms ? platforms : choosePlatforms(platforms.map(makeCustomPlatform))
  return Layer.mergeAll(
    home,
    Layer.succeed(AnswerPlatforms, chosen),
    mailer === undefined ? Layer.empty : Layer.succeed(Mailer, makeCustomMailer(mailer))
  ).pipe(
    Layer.provideMerge(layerLog(log)),
    clock === undefined ? (layer) => layer : Layer.provideMerge(layerClock(clock))
  )
}

/** The named organization, or the only one. */
const chooseOrganization = Effect.fnUntraced(function*(named: string | undefined) {
  if (named !== undefined) return yield* findOrganization(named)
  const [only, ...more] = yield* listOrganizations()
  if (only === undefined) return yield* new NotFound({ what: "organization", id: "yet; initialize makes one" })
  if (more.length === 0) return only
  return yield* new Rejected({ field: "organization", message: "there are several organizations: name one" })
})

/**
 * Opens a home of sov, creating or migrating its database first, and resolves once it is usable. Close it with `close`
 * or `await using`. Rejects with a `SovError` if it cannot be used.
 */
export const openSov = async (options: OpenOptions): Promise<Sov> => {
  checkOpenOptions(options)
  const runtime = ManagedRuntime.make(layerOf(options))
  let named = options.organization
  let closed = false

  const closedError = () => new Error("this sov is closed")
  const run = async <A, E>(
    effect: Effect.Effect<A, E, Services | AnswerPlatforms>,
    signal?: AbortSignal
  ): Promise<A> => {
    if (closed) throw closedError()
    signal?.throwIfAborted()
    const exit = await runtime.runPromiseExit(effect, signal === undefined ? {} : { signal })
    if (Exit.isSuccess(exit)) return exit.value
    if (signal?.aborted === true && Cause.hasInterruptsOnly(exit.cause)) throw signal.reason
    if (closed && Cause.hasInterrupts(exit.cause)) throw closedError()
    throw Cause.squash(exit.cause)
  }

  const withOrganization = <A, E, R>(use: (organization: Organization) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.suspend(() => chooseOrganization(named)), use)

  const close = async (): Promise<void> => {
    closed = true
    await runtime.dispose()
  }

  const reporting = ({ onProgress }: Pick<ScanOptions, "onProgress">): Parameters<typeof runScan>[2] =>
    onProgress === undefined ?
      undefined :
      (progress) =>
        Effect.try({ try: () => onProgress(progress), catch: String }).pipe(
          Effect.catch((error) => Effect.logWarning(`onProgress threw ${error}`))
        )

  const sov: Sov = {
    initialize: async (tracking, given = {}) => {
      checkInput(InitializeInput, given, "options")
      checkInput(TrackingFile, tracking, "tracking")
      const { name = tracking.brand.name, plan = "pro", signal } = given
      checkInput(Name, name, "name")
      return run(
        Effect.gen(function*() {
          const known = (yield* listOrganizations()).find((one) => one.name === name)
          const organization = known ?? (yield* initialize({ name, plan, tracking })).organization
          named = organization.id
          return organization
        }),
        signal
      )
    },

    scan: async (given = {}) => {
      checkInput(ScanInput, given, "options")
      return run(
        withOrganization(({ id }) =>
          Effect.gen(function*() {
            const { keywords, platforms, samples = 1, usesQuota = true } = given
            yield* assertSamePlatforms()
            const scan = yield* startScan(id, {
              scanType: "manual",
              usesQuota,
              samples,
              ...platforms === undefined ? {} : { platforms },
              ...keywords === undefined ? {} : { keywordIds: keywords }
            })
            return yield* runScan(id, scan, reporting(given))
          })
        ),
        given.signal
      )
    },

    resume: async (given = {}) => {
      checkInput(ResumeInput, given, "options")
      return run(
        withOrganization(({ id }) =>
          Effect.gen(function*() {
            const report = yield* readScan(id, (yield* findScan(id, given.scanId ?? "latest")).id)
            const { scan } = report
            if (scan.status !== "running") return yield* new ScanEnded({ id: scan.id, status: scan.status })
            yield* checkResumable(report)
            return yield* runScan(id, scan, reporting(given))
          })
        ),
        given.signal
      )
    },

    score: async (given = {}) => {
      checkInput(ScoreInput, given, "options")
      const { scans = 12, signal } = given
      return run(
        withOrganization(({ id }) =>
          Effect.gen(function*() {
            const { all } = yield* AnswerPlatforms
            const configured = platformIds.flatMap((platform) => {
              const one = all.get(platform)
              return one === undefined ? [] : [{ id: platform, simulated: one.simulated }]
            })
            return yield* readScoreReport(id, wholeHistory, scans, configured.length === 0 ? null : configured)
          })
        ),
        signal
      )
    },

    archive: async function*(filters = {}, given = {}) {
      checkInput(FiltersInput, filters, "filters")
      checkInput(StopInput, given, "options")
      const { signal } = given
      const { id } = await run(withOrganization(Effect.succeed), signal)
      let cursor: string | undefined
      do {
        const page = await run(readArchive(id, wholeHistory, filters, { limit: pageRows, cursor }), signal)
        yield* page.rows
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
    },

    work: async (given) => {
      checkInput(WorkInput, given, "options")
      const { signal } = given
      return run(Effect.scoped(Effect.gen(function*() {
        const stopped = yield* Deferred.make<void>()
        const stop = () => Deferred.doneUnsafe(stopped, Effect.void)
        yield* Effect.acquireRelease(
          Effect.sync(() => signal.aborted ? stop() : signal.addEventListener("abort", stop)),
          () => Effect.sync(() => signal.removeEventListener("abort", stop))
        )
        const worker = yield* startWorker()
        yield* Deferred.await(stopped)
        yield* worker.stop(stopGraceMs.SIGINT)
      })))
    },

    organizations: makeOrganizations(run),

    run: async (effect, given = {}) => {
      checkInput(StopInput, given, "options")
      if (!Effect.isEffect(effect)) throw new Rejected({ field: "effect", message: "must be an Effect" })
      return run(effect, given.signal)
    },
    close,
    [Symbol.asyncDispose]: close
  }

  try {
    await run(Effect.void, options.signal)
    return sov
  } catch (error) {
    await close()
    throw error
  }
}
