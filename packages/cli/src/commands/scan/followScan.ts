/** Shows the progress of a running scan, whichever process works on it. */
import type { OrganizationId } from "@sov/core/common"
import { followScan as followProgress, type Scan, type ScanProgress, sumCounts } from "@sov/core/scanning"
import { listWorkers, ThisProcess } from "@sov/core/workers"
import { Effect, Stream } from "effect"
import { makeLiveProgress } from "../../output/liveProgress.ts"
import type { Output } from "../../output/Output.ts"

/** Creates progress for programs: a line each time the numbers change. */
const makeProgressEvents = () => {
  let last = ""
  return ({ counts, scan }: ScanProgress): string | null => {
    const line = JSON.stringify({
      scan_id: scan.id,
      status: scan.status,
      cells: scan.cellCount,
      answered: sumCounts(counts, (count) => count.answered),
      failed: sumCounts(counts, (count) => count.failed),
      no_overview: sumCounts(counts, (count) => count.noOverview),
      open: sumCounts(counts, (count) => count.open)
    })
    if (line === last || scan.status !== "running") return null
    last = line
    return line
  }
}

/** Shows the scan's progress on stderr until it has ended. With `events`, also prints it to stdout as NDJSON. */
export const followScan = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  scanId: Scan["id"],
  events: boolean
) {
  const live = makeLiveProgress(out)
  const eventOf = makeProgressEvents()
  yield* Effect.forkScoped(noteStalledWork(out))
  yield* followProgress(organizationId, scanId).pipe(
    Stream.runForEach((progress) =>
      Effect.sync(() => {
        const line = events ? eventOf(progress) : null
        if (line === null) live.update(progress)
        else out.line(line)
      })
    ),
    Effect.ensuring(Effect.sync(live.clear))
  )
})

/**
 * Prints a note if workers have been idle for 15 s while the scan runs. A process stopped with Ctrl-Z keeps its locks,
 * so no other process can take over its work.
 */
const noteStalledWork = Effect.fnUntraced(function*(out: Output) {
  let idle = 0
  while (idle < 3) {
    yield* Effect.sleep("5 seconds")
    const workers = yield* Effect.orElseSucceed(listWorkers(), () => [])
    idle = workers.length > 0 && workers.every(({ doing }) => doing.length === 0) ? idle + 1 : 0
  }
  out.note("No platform is asked, although workers are active: a stopped process (Ctrl-Z?) may hold the locks.")
  out.note("Continue or kill it: `ps -o pid,stat,args -C node` shows T for a stopped process.")
})

/** Number of active workers on this database in other processes. */
export const countOtherWorkers = Effect.gen(function*() {
  const own = yield* ThisProcess
  const workers = yield* listWorkers()
  return workers.filter(({ host, pid }) => host !== own.host || pid !== own.pid).length
})
