/** Looking on while a scan is worked, by whomever. */
import {
  followScan as followProgress,
  listWorkers,
  type OrganizationId,
  type Scan,
  type ScanProgress,
  ThisProcess
} from "@sov/core"
import { Effect, Stream } from "effect"
import { liveProgress } from "../../output/liveProgress.ts"
import type { Output } from "../../output/Output.ts"
import { total } from "../../render/progress.ts"

/** Progress for programs: one line whenever the numbers have changed. */
const progressEvents = () => {
  let said = ""
  return ({ counts, scan }: ScanProgress): string | null => {
    const line = JSON.stringify({
      scan_id: scan.id,
      status: scan.status,
      cells: scan.cellCount,
      answered: total(counts, (count) => count.answered),
      failed: total(counts, (count) => count.failed),
      open: total(counts, (count) => count.open)
    })
    if (line === said || scan.status !== "running") return null
    said = line
    return line
  }
}

/**
 * Shows the scan's progress until it has ended: live on stderr; on stdout, too, where events are asked for as NDJSON.
 */
export const followScan = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  scanId: Scan["id"],
  events: boolean
) {
  const live = liveProgress(out)
  const eventOf = progressEvents()
  yield* Effect.forkScoped(sayStanding(out))
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
 * Says once, after a while in which workers were there but none had anything to do, that somebody keeps the work without
 * doing it: a process that was stopped (Ctrl-Z) holds its locks and says nothing.
 */
const sayStanding = Effect.fnUntraced(function*(out: Output) {
  let idle = 0
  while (idle < 3) {
    yield* Effect.sleep("5 seconds")
    const workers = yield* Effect.orElseSucceed(listWorkers(), () => [])
    idle = workers.length > 0 && workers.every(({ doing }) => doing.length === 0) ? idle + 1 : 0
  }
  out.note("Nobody asks the platforms, though sov processes wait to: one that was stopped (Ctrl-Z?) may hold the work.")
  out.note("Continue or end it: `ps -o pid,stat,args -C node` shows T for a stopped process.")
})

/** How many other processes work on this database now. */
export const otherWorkers = Effect.gen(function*() {
  const own = yield* ThisProcess
  const workers = yield* listWorkers()
  return workers.filter(({ host, pid }) => host !== own.host || pid !== own.pid).length
})
