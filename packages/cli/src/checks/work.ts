/** Work under way: workers that contradict each other, scans that stand still. */
import {
  type Backlog,
  BacklogStore,
  freshSince,
  type RegisteredWorker,
  type Scan,
  ScanStore,
  standsStill,
  WorkerRegistry
} from "@sov/core"
import { Effect } from "effect"
import { CliError } from "../CliError.ts"
import { bindingsDigest } from "../runtime.ts"
import { fail, type Finding, ok, overStores, warn } from "./Check.ts"

const named = ({ host, pid }: RegisteredWorker): string => `process ${pid} on ${host}`

/** Judges whether all live workers carry the same bindings, and those configured here (null = none are). */
export const judgeWorkers = (workers: ReadonlyArray<RegisteredWorker>, digestHere: string | null): Finding => {
  const [first] = workers
  if (first === undefined) return ok("nobody works now")
  const other = workers.find(({ digest }) => digest !== first.digest)
  if (other !== undefined) {
    return fail(
      `${named(first)} and ${named(other)} work with different platform bindings`,
      "stop one of them, and start it again with the other's sov.config.json"
    )
  }
  if (digestHere !== null && digestHere !== first.digest) {
    return warn(
      `${named(first)} works with other platform bindings than are configured here: a worker would be refused`,
      `stop it, or use its sov.config.json here`
    )
  }
  return ok(workers.map(named).join("; "))
}

export const workers = overStores("workers", ({ config, now }) =>
  Effect.gen(function*() {
    const digest = config === null || config.decoded instanceof CliError
      ? null
      : bindingsDigest(config.decoded.platforms)
    return judgeWorkers(yield* (yield* WorkerRegistry).list(freshSince(now)), digest)
  }))

/** A running scan and what it waits for. */
export interface RunningScan {
  readonly scan: Pick<Scan, "id" | "startedAt">
  readonly backlog: Backlog
}

/** Judges whether somebody works on every running scan, and whether it advances. */
export const judgeScans = (
  running: ReadonlyArray<RunningScan>,
  workers: ReadonlyArray<Pick<RegisteredWorker, "platforms">>,
  now: Date
): Finding => {
  const asked = new Set(workers.flatMap(({ platforms }) => platforms))
  for (const { backlog, scan } of running) {
    const resume = `sov scan resume ${scan.id}`
    const due = backlog.platforms.filter((one) => one.due > 0)
    const unasked = due.filter(({ platform }) => !asked.has(platform)).map(({ platform }) => platform)
    if (due.length > 0 && workers.length === 0) return warn(`nobody works on scan ${scan.id}`, resume)
    if (unasked.length > 0) {
      return warn(
        `scan ${scan.id} waits for ${unasked.join(", ")}, which no worker asks`,
        `configure it where a worker runs, or end the scan: sov scan cancel ${scan.id}`
      )
    }
    if (standsStill(backlog, scan.startedAt, now)) {
      return warn(`scan ${scan.id} makes no progress`, `stop its worker (sov status names it), then ${resume}`)
    }
  }
  return ok(running.length === 0 ? "none is running" : `${running.length} running, all advance or wait for a retry`)
}

export const scans = overStores("scans", ({ now }) =>
  Effect.gen(function*() {
    const backlogs = yield* BacklogStore
    const running = yield* Effect.forEach(
      yield* (yield* ScanStore).running,
      ({ organizationId, scan }) =>
        Effect.map(backlogs.ofScan(organizationId, scan.id, now), (backlog) => ({ scan, backlog }))
    )
    return judgeScans(running, yield* (yield* WorkerRegistry).list(freshSince(now)), now)
  }))
