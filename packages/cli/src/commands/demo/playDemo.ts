/** Runs the demo: a separate home, a history of simulated scans, and a scan now. */
import { readArchiveStats } from "@sov/core/archive"
import { shiftedClock } from "@sov/core/common"
import {
  initialize,
  listOrganizations,
  type Organization,
  organizationJson,
  wholeHistory
} from "@sov/core/organizations"
import { cancelScan, findScan, listScans, readScan, type Scan, startScan } from "@sov/core/scanning"
import { readScoreReport } from "@sov/core/scoring"
import { readTrackedSet } from "@sov/core/tracking"
import { listWorkers, startWorker } from "@sov/core/workers"
import { Clock, Duration, Effect } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { commandName } from "../../output/commandName.ts"
import type { Output } from "../../output/Output.ts"
import { summaryOf } from "../../render/scanReport.ts"
import { platformsLayer, runCommand, simulatedConfig, simulatedPlatforms } from "../../runtime.ts"
import { directoryConfig } from "../../settings/directoryConfig.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findDashboard } from "../dashboard/findDashboard.ts"
import { scoreText } from "../score/scoreReport.ts"
import { demoTracking, enableDemoAlerts, fillDemoCard, importDemoTraffic } from "./demoContent.ts"

export interface DemoOptions extends GlobalOptions {
  readonly seed?: string
  readonly weeks?: string
}

const maxSeed = 2_147_483_647
const maxWeeks = 104
/** Number of scans to list, which is more than the longest demo has. */
const listedScans = 1000
const organizationName = "Demo"
const weekMs = Duration.toMillis(Duration.weeks(1))

/** Refuses a home with real answers or a running real scan: simulated answers must not be mixed with them. */
const refuseRealHome = Effect.fnUntraced(function*(dataDir: string) {
  const organizations = yield* listOrganizations()
  const stats = yield* Effect.forEach(organizations, ({ id }) => readArchiveStats(id))
  const running = yield* Effect.forEach(
    organizations,
    ({ id }) => listScans(id, { limit: listedScans, status: "running" })
  )
  const real = stats.flat().some((one) => one.answers > one.simulated) || running.flat().some((scan) => !scan.simulated)
  if (!real) return organizations.find((one) => one.name === organizationName)
  return yield* Effect.fail(
    new CliError(
      "real-answers",
      exitCodes.conflict,
      `${dataDir} holds real answers; the demo would put simulated ones beside them`,
      "leave --data-dir out, or give it an empty folder"
    )
  )
})

/** The names that the demo's platforms use, which are the names that the demo's organization tracks now. */
const readNames = Effect.fnUntraced(function*(organization: Organization) {
  const set = yield* readTrackedSet(organization.id)
  return { brand: set.brand.name, competitors: set.competitors.map((competitor) => competitor.name) }
})

/**
 * Latency of the simulated platforms. It is slow enough to watch: eight questions take a platform about five seconds.
 */
const latency = Duration.millis(600)

/**
 * Writes the configuration of the simulated platforms beside the database, where every command finds it, so that scans
 * can also be started from the dashboard. An existing configuration is kept.
 */
const writeConfig = Effect.fnUntraced(function*(dataDir: string, organization: Organization, seed: number) {
  const file = directoryConfig(dataDir)
  if (existsSync(file)) return
  const config = simulatedConfig(yield* readNames(organization), seed, latency)
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { flag: "wx" })
})

const pollInterval = Duration.millis(20)

/** Runs one scan from start to end. Polls more often than for a real scan, because simulated answers arrive at once. */
const scanNow = (organization: Organization) =>
  Effect.scoped(Effect.gen(function*() {
    const { id } = yield* startScan(organization.id, { scanType: "manual", usesQuota: false, samples: 1 })
    const worker = yield* startWorker({ stays: false })
    while ((yield* findScan(organization.id, id)).status === "running") yield* Effect.sleep(pollInterval)
    yield* worker.stop(Duration.seconds(1))
    return id
  }))

/** Times of the weekly scans that are missing from the history, oldest first, so that an interrupted demo resumes. */
const missingWeeks = (now: number, weeks: number, completed: ReadonlyArray<Scan>): ReadonlyArray<number> => {
  const newest = completed[0]?.startedAt.getTime() ?? -Infinity
  const length = Math.max(0, weeks - completed.length)
  return Array.from({ length }, (_, i) => now - (length - i) * weekMs).filter((time) => time > newest)
}

const makeOrganization = Effect.gen(function*() {
  const { organization } = yield* initialize({ name: organizationName, plan: "pro", tracking: demoTracking })
  yield* enableDemoAlerts(organization.id)
  return organization
})

/** Weeks since the card was last reviewed, so that some of it is due for review. */
const cardAge = 10

const recordDemoScans = Effect.fnUntraced(function*(out: Output, options: DemoOptions, seed: number, weeks: number) {
  const { dataDir } = options
  const now = yield* Clock.currentTimeMillis
  const real = yield* Clock.Clock
  const runAt = (time: number) => Effect.provideService(Clock.Clock, shiftedClock(real, time - now))

  const organization = (yield* refuseRealHome(dataDir)) ??
    (yield* makeOrganization.pipe(runAt(now - (weeks + 1) * weekMs)))
  yield* writeConfig(dataDir, organization, seed)
  const completed = yield* listScans(organization.id, { limit: listedScans, status: "completed" })
  // A running server works at its own pace and uses the configuration beside the database
  const served = (yield* listWorkers()).length > 0
  const past = served ? [] : missingWeeks(now, weeks, completed)
  // Scans left by an interrupted demo would be finished with today's answers, so they are cancelled
  const left = served ? [] : yield* listScans(organization.id, { limit: listedScans, status: "running" })
  yield* Effect.forEach(left, ({ id }) => cancelScan(organization.id, id), { discard: true })
  const scanAt = Effect.fnUntraced(function*(time: number, nth: number) {
    const platforms = served
      ? platformsLayer({ ...options, config: directoryConfig(dataDir) })
      : simulatedPlatforms(yield* readNames(organization), seed, `scan ${nth}`)
    return yield* scanNow(organization).pipe(Effect.provide(platforms), runAt(time))
  })
  if (past.length > 0) out.note(`Asking five SIMULATED platforms, week by week, for the last ${past.length} weeks …`)
  yield* Effect.forEach(past, (time, i) => scanAt(time, completed.length + i), { discard: true })
  yield* fillDemoCard(organization.id).pipe(runAt(now - Math.min(weeks, cardAge) * weekMs))
  yield* importDemoTraffic(organization.id, now)
  out.note("Asking them now …")
  const scanId = yield* scanAt(now, completed.length + past.length)
  return { organization, report: yield* readScan(organization.id, scanId) }
})

const nextSteps = (dataDir: string, link: string | null): string => {
  const sov = commandName()
  const width = `${sov} platform test assistant_a`.length + 2
  const formatStep = (command: string, what: string) => `${command.padEnd(width)}${what}`
  return `
Everything above is SIMULATED: invented brands, made-up answers, no platform was asked.
For real:      ${formatStep(`${sov} init`, "your brand, competitors, keywords; writes sov.config.json")}
               ${formatStep("export OPENAI_API_KEY=…", "the key that sov.config.json names")}
               ${formatStep(`${sov} platform test assistant_a`, "one question, to see that the key works")}
               ${formatStep(`${sov} scan --dry-run`, "what a scan would ask")}
               ${sov} scan
Look around:   ${sov} archive list --limit 5 --data-dir ${dataDir}
               ${sov} score --data-dir ${dataDir}
In a browser:  ${link ?? `${sov} dashboard --data-dir ${dataDir}`}`
}

/** Runs the demo in `options.dataDir` and prints its score. */
export const playDemo = (options: DemoOptions): Promise<void> => {
  const numbers = Effect.all({
    seed: integerOption("--seed", options.seed ?? "42", 0, maxSeed),
    weeks: integerOption("--weeks", options.weeks ?? "12", 0, maxWeeks)
  })
  const before = Effect.gen(function*() {
    if (options.databaseUrlFile !== undefined) {
      return yield* Effect.fail(
        usageError("the demo runs on the embedded database only", "leave --database-url-file out")
      )
    }
    yield* numbers
  })
  return runCommand(options, { create: true, embedded: true, before }, function*({ out }) {
    const { seed, weeks } = yield* numbers
    const { organization, report } = yield* recordDemoScans(out, options, seed, weeks)
    const score = yield* readScoreReport(organization.id, wholeHistory, weeks + 1, null)
    out.result(
      { ...summaryOf(report), organization: organizationJson(organization) },
      () => scoreText(score, makeCanvas(out))
    )
    if (!out.machine) out.note(nextSteps(options.dataDir, yield* findDashboard))
  })
}
