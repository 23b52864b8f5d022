/** sov scan, sov scan resume: starts or resumes a scan and works on it. */
import { type OrganizationId, pluralized, Rejected, ScanEnded } from "@sov/core/common"
import { quotaJson } from "@sov/core/organizations"
import { listPlatforms, PlatformId, platformIds } from "@sov/core/platforms"
import {
  checkResumable,
  estimateScan,
  findScan,
  maxSamples,
  readScan,
  type Scan,
  type ScanRequest,
  startScans
} from "@sov/core/scanning"
import { countAskedKeywords, formatAsked, summarizeAsked } from "@sov/core/scoring"
import { findKeyword, readKeywords } from "@sov/core/tracking"
import { assertSamePlatforms } from "@sov/core/workers"
import { Deferred, Effect } from "effect"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { type Output, printable } from "../../output/Output.ts"
import { summaryOf, summaryText } from "../../render/scanReport.ts"
import {
  describeCostOfOneMoreView,
  estimateJson,
  estimateText,
  estimateTotal,
  noPriceText
} from "../../render/spending.ts"
import { type CommandSession, platformsLayer, platformsToPlan, readConfig, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { noteDashboard } from "../dashboard/noteDashboard.ts"
import { countOtherWorkers } from "./followScan.ts"
import { forEachView } from "./forEachView.ts"
import { findSignalExitCode, printEndedScan, runWorkerForScan } from "./workScan.ts"

export interface RunOptions extends GlobalOptions {
  readonly platform?: ReadonlyArray<string>
  readonly keyword?: ReadonlyArray<string>
  readonly tag?: ReadonlyArray<string>
  readonly view?: ReadonlyArray<string>
  readonly samples?: string
  readonly dryRun?: boolean
  readonly detach?: boolean
}

/** Checks everything that needs no database: configuration, numbers, platform names. */
const checkOptions = (options: RunOptions) =>
  Effect.gen(function*() {
    const config = yield* Effect.try({ try: () => readConfig(options), catch: describeError })
    const platforms = options.platform === undefined ? undefined : yield* Effect.forEach(
      [...new Set(options.platform)],
      (id) => decodeInput(PlatformId, id as PlatformId, "--platform")
    )
    const samples = options.samples === undefined
      ? config.scan.samples
      : yield* integerOption("--samples", options.samples, 1, maxSamples)
    return { config, platforms, samples }
  })

/** Finds keywords by id or exact text. Scans do not ask paused keywords, so naming one is an error. */
const findChosenKeywords = (organizationId: OrganizationId, chosen: ReadonlyArray<string>) =>
  Effect.forEach(
    chosen,
    (idOrText) =>
      Effect.flatMap(findKeyword(organizationId, idOrText), ({ id, status, text }) =>
        status === "active" ? Effect.succeed(id) : Effect.fail(
          new Rejected({ field: "--keyword", message: `the keyword ${JSON.stringify(text)} is ${status}` })
        ))
  )

const printDryRun = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId, request: ScanRequest) {
  const { costs: estimates, keywords, platforms: asked, questions: calls, quota, simulated, views } =
    yield* estimateScan(
      organizationId,
      request
    )
  const platforms = (yield* listPlatforms()).filter(({ id }) => asked.includes(id))
  const costs = new Map(estimates.map((estimate) => [estimate.platform, estimateText(estimate, out.platformName)]))
  const total = estimateTotal(estimates)
  const plan = {
    dry_run: true,
    keywords: keywords.length,
    platforms: asked,
    samples: request.samples,
    views,
    calls,
    simulated,
    estimate: simulated ? null : estimateJson(estimates),
    quota: quotaJson(quota)
  }
  out.result(plan, () =>
    [
      `${pluralized(keywords.length, "keyword")} × ${pluralized(platforms.length, "platform")} × ` +
      `${pluralized(request.samples, "sample")}${
        views.length === 1 ? "" : ` × ${pluralized(views.length, "view")} (${views.map(printable).join(", ")})`
      } = ${pluralized(calls, "call")}${simulated ? " · SIMULATED" : ""}`,
      ...platforms.flatMap(({ adapter, id, model }) => [
        `  ${out.platformName(id)}  ${adapter}, ${model}`,
        ...(costs.get(id) ?? "") === "" ? [] : [`    ${costs.get(id)}`]
      ]),
      ...total === null ? [] : [total],
      ...simulated
        ? []
        : [noPriceText(estimates, platforms), describeCostOfOneMoreView(estimates, views.length, calls)]
          .filter((line) => line !== null),
      quota.remaining >= views.length
        ? `Uses ${pluralized(views.length, "manual scan")} of ${quota.period}: ${
          quota.remaining - views.length
        } of ${quota.limit} would be left.`
        : quota.remaining > 0
        ? `Each view is a scan of its own, and ${quota.remaining} of ${quota.limit} are left: this would be refused.`
        : `No manual scan of ${quota.period} is left (limit ${quota.limit}): this scan would be refused.`,
      "Nothing was asked."
    ].join("\n"))
})

/**
 * Runs `prepare` and then `go`. If a signal arrives first, the command ends before any platform is asked. If `prepare`
 * completes in spite of the signal, `go` gets its result and handles the signal.
 */
const runUnlessStopped = <A, E, R, E2, R2>(
  { stopped }: CommandSession,
  prepare: Effect.Effect<A, E, R>,
  go: (prepared: A) => Effect.Effect<typeof exitCodes[keyof typeof exitCodes], E2, R2>
) =>
  Effect.gen(function*() {
    let prepared: { readonly value: A } | undefined
    const signal = yield* Effect.raceFirst(
      Effect.uninterruptible(Effect.map(prepare, (value) => void (prepared = { value }))),
      Effect.interruptible(Deferred.await(stopped))
    )
    if (prepared !== undefined) return yield* go(prepared.value)
    return findSignalExitCode(signal!)
  })

/** Summarizes which of the active keywords and configured platforms the scan asks. */
const findAskedPart = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  const active = (yield* readKeywords(organizationId, ["active"])).length
  return summarizeAsked(scan, yield* listPlatforms(), { active, asked: countAskedKeywords(scan) })
})

/**
 * Starts the scan. `skipped` lists platforms that are not configured, which are printed once the scan is running. A
 * signal can interrupt the command before the start but not during it, so that the user sees the id of every scan that
 * exists.
 */
const beginScan = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  request: ScanRequest,
  skipped: ReadonlyArray<PlatformId>
) {
  yield* Effect.interruptible(assertSamePlatforms())
  const scans = yield* startScans(organizationId, request)
  const [scan] = scans
  if (skipped.length > 0) out.note(`Not configured and skipped: ${skipped.join(", ")}`)
  for (const { cellCount, id, platforms, view } of scans) {
    out.note(
      `Scan ${id}: ${pluralized(cellCount, "answer")} asked for on ${pluralized(platforms.length, "platform")}` +
        (view === undefined ? "" : `, view ${printable(view.name)}`)
    )
  }
  const narrowed = request.platforms !== undefined || request.keywordIds !== undefined || request.tags !== undefined
  const part = narrowed ? formatAsked(yield* findAskedPart(organizationId, scan)) : null
  if (part !== null) {
    out.note(`It asks only ${part}: sov score goes on showing the newest scan that asked everything, if there is one`)
  }
  return scans
})

/** Leaves a scan that was just started to other workers, or prints a note if no worker is active. */
const leaveScanToWorkers = Effect.fnUntraced(
  function*({ out }: CommandSession, organizationId: OrganizationId, { id }: Scan) {
    const report = yield* readScan(organizationId, id)
    out.result(summaryOf(report), () => summaryText(report, makeCanvas(out)))
    out.note(
      (yield* countOtherWorkers) === 0
        ? `No worker is active. Start the work: sov scan resume ${id}`
        : `Follow it: sov scan watch ${id}`
    )
    return exitCodes.ok
  }
)

/** Runs `sov scan`. */
export const run = (options: RunOptions) =>
  runCommand(
    options,
    { before: checkOptions(options), handlesStop: options.dryRun !== true },
    function*(session) {
      const { out } = session
      const { config, platforms, samples } = yield* checkOptions(options)
      const organization = yield* currentOrganization(options)
      const keywordIds = options.keyword === undefined
        ? undefined
        : yield* findChosenKeywords(organization.id, options.keyword)
      const request: ScanRequest = {
        scanType: "manual",
        usesQuota: true,
        samples,
        ...(platforms === undefined ? {} : { platforms }),
        ...(keywordIds === undefined ? {} : { keywordIds }),
        ...(options.tag === undefined ? {} : { tags: options.tag }),
        ...(options.view === undefined ? {} : { views: options.view })
      }
      const skipped = platforms === undefined ? platformIds.filter((id) => config.platforms[id] === undefined) : []
      if (options.dryRun === true) {
        const { layer, missing } = platformsToPlan(options, config)
        yield* Effect.provide(printDryRun(out, organization.id, request), layer)
        if (missing.length > 0) out.note(`Before the scan set ${missing.join(", ")} (environment or .env)`)
        return exitCodes.ok
      }
      return yield* runUnlessStopped(
        session,
        beginScan(out, organization.id, request, skipped),
        (scans) => {
          const work = options.detach === true ? leaveScanToWorkers : runWorkerForScan
          return Effect.tap(
            forEachView(out, scans, (of, scan) => work({ ...session, out: of }, organization.id, scan)),
            () => noteDashboard(out, organization, `/scans/${scans[0].id}`)
          )
        }
      ).pipe(Effect.provide(platformsLayer(options, config)))
    }
  )

/** Runs `sov scan resume ID|latest`. */
export const resume = (options: GlobalOptions, id: string) =>
  runCommand(options, { handlesStop: true }, function*(session) {
    const { out } = session
    const organization = yield* currentOrganization(options)
    const { id: scanId } = yield* findScan(organization.id, id)
    const report = yield* readScan(organization.id, scanId)
    if (report.scan.status === "completed") return yield* printEndedScan(session, organization.id, report)
    if (report.scan.status !== "running") return yield* new ScanEnded({ id: scanId, status: report.scan.status })
    return yield* runUnlessStopped(
      session,
      Effect.interruptible(checkResumable(report)),
      () => {
        const { scan } = report
        out.note(`Scan ${scan.id}: ${summaryOf(report).results_count} of ${scan.cellCount} answers are archived`)
        return runWorkerForScan(session, organization.id, scan)
      }
    ).pipe(Effect.provide(platformsLayer(options)))
  })
