/** Reads the state that `sov status` shows, from every reachable source, in the shape of its `--json`. */
import { countAnswers } from "@sov/core/archive"
import { findOrganization, listOrganizations, type Organization, quotaJson, readQuota } from "@sov/core/organizations"
import { listEndedPlatforms, type PlatformId, platformIds } from "@sov/core/platforms"
import {
  type Backlog,
  listRunningScans,
  listScoredScans,
  narrowingJson,
  readBacklog,
  type Scan
} from "@sov/core/scanning"
import { findSchedule, isOverdue, scheduleJson } from "@sov/core/schedules"
import { roundOrNull } from "@sov/core/scoring"
import { listWorkers, type RegisteredWorker, type ReportedWorker, resolveTakeovers } from "@sov/core/workers"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { CliError } from "../../CliError.ts"
import {
  configuredPlatforms,
  type DatabaseProbe,
  findConfig,
  inspectOwner,
  type OwnerStatus,
  probeDatabase,
  providerOf
} from "../../runtime.ts"
import { type DatabaseLocation, locateDatabase } from "../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { version } from "../../version.ts"

/** Maximum number of organizations and running scans that are shown; the others are counted. */
const maxShown = 5

const errorJson = ({ code, hint, message }: CliError) => ({ code, message, hint: hint ?? null })

/** The database and its state. `error` is null unless the database is unreachable or its schema is newer. */
const databaseJson = ({ from, kind, location, source }: DatabaseLocation, database: DatabaseProbe) => {
  const home = { kind, location, source, from }
  const nothing = { version: null, size_bytes: null, schema_version: null, pending_migrations: null }
  if (database.state === "absent") return { ...home, state: "absent" as const, ...nothing, error: null }
  if (database.state === "unreachable") {
    return { ...home, state: "unreachable" as const, ...nothing, error: errorJson(database.error) }
  }
  const { facts, schema } = database
  const known = { version: facts.version, size_bytes: facts.sizeBytes }
  return schema instanceof CliError
    ? { ...home, state: "newer" as const, ...nothing, ...known, error: errorJson(schema) }
    : {
      ...home,
      state: schema.pending.length === 0 ? "ready" as const : "to-migrate" as const,
      ...known,
      schema_version: schema.version,
      pending_migrations: schema.pending.length,
      error: null
    }
}

const ownerJson = ({ message, pid, since, state }: OwnerStatus) => ({
  state,
  pid,
  since: since?.toISOString() ?? null,
  message
})

const lastScanJson = Effect.fnUntraced(function*({ id }: Organization) {
  const [newest] = yield* listScoredScans(id, { limit: 1 }, null)
  if (newest === undefined) return null
  const { avgSov, scan } = newest
  return {
    scan_id: scan.id,
    status: scan.status,
    started_at: scan.startedAt.toISOString(),
    completed_at: scan.completedAt?.toISOString() ?? null,
    avg_sov: roundOrNull(avgSov, 0),
    simulated: scan.simulated,
    ...narrowingJson(scan)
  }
})

const scheduleStatus = Effect.fnUntraced(function*({ id }: Organization, attended: boolean, now: Date) {
  const schedule = yield* findSchedule(id)
  return schedule === null ? null : { ...scheduleJson(schedule), overdue: isOverdue(schedule, now), attended }
})

const organizationStatus = Effect.fnUntraced(function*(organization: Organization, attended: boolean, now: Date) {
  const { id, name, plan, slug } = organization
  return {
    id,
    name,
    slug,
    plan,
    quota: quotaJson(yield* readQuota(id)),
    answers: yield* countAnswers(id),
    last_scan: yield* lastScanJson(organization),
    schedule: yield* scheduleStatus(organization, attended, now)
  }
})

/** A running scan. `served` contains the platforms that some process asks; null if unknown. */
const runningJson = (organization: string, scan: Scan, backlog: Backlog, served: ReadonlySet<PlatformId> | null) => {
  const sum = (pick: (one: Backlog["platforms"][number]) => number) =>
    backlog.platforms.reduce((total, one) => total + pick(one), 0)
  const open = sum((one) => one.open)
  const due = sum((one) => one.due)
  const waits = backlog.platforms.flatMap(({ nextDueAt }) => nextDueAt === null ? [] : [nextDueAt.getTime()])
  const unserved = served === null ? null : backlog.platforms.filter(({ platform }) => !served.has(platform))
  return {
    scan_id: scan.id,
    organization,
    started_at: scan.startedAt.toISOString(),
    cells: scan.cellCount,
    ended: scan.cellCount - open,
    open,
    due,
    waiting: open - due,
    retry_at: waits.length === 0 ? null : new Date(Math.min(...waits)).toISOString(),
    not_configured: unserved === null ? null : unserved.reduce((total, one) => total + one.open, 0),
    platforms_not_configured: unserved === null ? null : unserved.map(({ platform }) => platform),
    simulated: scan.simulated
  }
}

const workerJson = (worker: ReportedWorker) => ({
  id: worker.id,
  host: worker.host,
  pid: worker.pid,
  version: worker.version,
  platforms: worker.platforms,
  doing: worker.doing,
  taken_over: worker.takenOver,
  stays: worker.stays,
  started_at: worker.startedAt.toISOString(),
  seen_at: worker.seenAt.toISOString()
})

/**
 * The platforms that a live worker asks or that are configured here; null if there are neither workers nor a
 * configuration.
 */
const servedPlatforms = (options: GlobalOptions, workers: ReadonlyArray<RegisteredWorker>) => {
  // An invalid file is reported by `sov doctor` instead
  const here = configuredPlatforms(options)?.map(({ id }) => id) ?? null
  return here === null && workers.length === 0
    ? null
    : new Set([...here ?? [], ...workers.flatMap(({ platforms }) => platforms)])
}

/** The ended platforms that are still configured. */
const endedJson = Effect.fnUntraced(function*(options: GlobalOptions) {
  const config = findConfig(options)?.decoded
  const bindings = config === undefined || config instanceof CliError ? null : config.platforms
  const providers = bindings === null ? null : new Map(platformIds.flatMap((id) => {
    const binding = bindings[id]
    return binding === undefined ? [] : [[id, providerOf(id, binding)] as const]
  }))
  return (yield* listEndedPlatforms(providers)).map(({ at, message, platform }) => ({
    platform,
    label: bindings?.[platform]?.label ?? null,
    at: at.toISOString(),
    message: message.replace(`${platform}: `, "")
  }))
})

const emptyDatabaseContent = {
  organizations: [],
  organizations_total: null,
  platforms_ended: [],
  running: [],
  running_total: null,
  workers: []
}

const databaseContentJson = Effect.fnUntraced(function*(options: GlobalOptions, now: Date) {
  const chosen = options.org === undefined ? yield* listOrganizations() : [yield* findOrganization(options.org)]
  const running = (yield* listRunningScans()).flatMap(({ organizationId, scan }) => {
    const organization = chosen.find(({ id }) => id === organizationId)
    return organization === undefined ? [] : [{ organization, scan }]
  })
  const workers = yield* listWorkers()
  const served = servedPlatforms(options, workers)
  return {
    organizations: yield* Effect.forEach(
      chosen.slice(0, maxShown),
      (organization) => organizationStatus(organization, workers.some(({ stays }) => stays), now)
    ),
    organizations_total: chosen.length,
    platforms_ended: yield* endedJson(options),
    running: yield* Effect.forEach(
      running.slice(0, maxShown),
      ({ organization, scan }) =>
        Effect.map(
          readBacklog(organization.id, scan.id),
          (backlog) => runningJson(organization.slug, scan, backlog, served)
        )
    ),
    running_total: running.length,
    workers: resolveTakeovers(workers).map(workerJson)
  }
})

/**
 * The owner process of an existing data directory, or null. Must be called before the database is opened, because
 * opening starts an owner.
 */
export const readOwner = ({ kind, location }: DatabaseLocation): Effect.Effect<OwnerStatus | null> =>
  kind === "embedded" && existsSync(location) ? Effect.promise(() => inspectOwner(location)) : Effect.succeed(null)

/** Reads everything that `sov status` shows. Changes, creates and starts nothing, except for the owner process. */
export const readStatus = Effect.fnUntraced(function*(options: GlobalOptions, now: Date) {
  const home = locateDatabase(options)
  const owner = yield* readOwner(home)
  const database = yield* probeDatabase(options)
  const stores = database.state === "open" ? database.stores : null
  return {
    sov: { version: version(), node: process.versions.node },
    database: databaseJson(home, database),
    owner: owner === null ? null : ownerJson(owner),
    ...stores === null ? emptyDatabaseContent : yield* Effect.provide(databaseContentJson(options, now), stores)
  }
})

/** The JSON that `sov status --json` prints. */
export type StatusDocument = Effect.Success<ReturnType<typeof readStatus>>
