/** Being the worker of a scan: asks, shows how far it is, and ends with the scan or with the first signal. */
import {
  awaitMail,
  completeWhenDone,
  listFailedCells,
  type OrganizationId,
  readScan,
  type Scan,
  type ScanId,
  startWorker,
  stopGraceMs
} from "@sov/core"
import { Deferred, Effect } from "effect"
import { exitCodes } from "../../exitCodes.ts"
import { canvasOf } from "../../output/canvas.ts"
import { exitOf, failureLines, type ScanReport, summaryOf, summaryText } from "../../render/scanReport.ts"
import type { Session } from "../../runtime.ts"
import { followScan, otherWorkers } from "./followScan.ts"
import { sayAlerts } from "./reportAlerts.ts"
import { sayUndelivered } from "./reportUndelivered.ts"

/** The exit code of a command that a signal ended. */
export const signalExit = (signal: "SIGINT" | "SIGTERM") =>
  signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated

/** Prints the result of an ended scan, why questions failed, and gives the exit code. */
export const finish = Effect.fnUntraced(function*(
  session: Session,
  organizationId: OrganizationId,
  report: ScanReport
) {
  const { out } = session
  out.result(summaryOf(report), () => summaryText(report, canvasOf(out)))
  yield* sayAlerts(session, organizationId, report.scan.id)
  const failed = yield* listFailedCells(organizationId, report.scan.id)
  for (const line of failureLines(failed)) out.note(line)
  return exitOf(report, failed)
})

/** Says how far it is and how to go on; with --quiet, too: without this line nobody knows the scan's id. */
const sayHowToResume = (
  scan: Pick<Scan, "id" | "cellCount">,
  known: { readonly archived: number; readonly others: number } | null
): void => {
  if (known !== null) process.stderr.write(`${known.archived} of ${scan.cellCount} answers are archived.\n`)
  process.stderr.write(
    known === null || known.others === 0
      ? `resume: sov scan resume ${scan.id}\n`
      : `Another sov process goes on with it: sov scan watch ${scan.id}\n`
  )
}

const stop = Effect.fnUntraced(function*(
  session: Session,
  organizationId: OrganizationId,
  scanId: ScanId,
  signal: "SIGINT" | "SIGTERM"
) {
  // The last answer may have come while the worker stopped.
  yield* completeWhenDone(organizationId, scanId)
  const report = yield* readScan(organizationId, scanId)
  if (report.scan.status !== "running") return yield* finish(session, organizationId, report)
  const summary = summaryOf(report)
  sayHowToResume(report.scan, { archived: summary.results_count, others: yield* otherWorkers })
  if (session.out.machine) session.out.result(summary, () => "")
  return signalExit(signal)
})

/**
 * Works on the scan, with all others that run, until it has ended, with its progress on stderr, and prints its result.
 * The first signal lets calls in flight finish and then says how to resume.
 */
export const workScan = Effect.fnUntraced(function*(
  session: Session,
  organizationId: OrganizationId,
  scan: Scan
) {
  const { out, stopped } = session
  const worker = yield* startWorker({ stays: false })
  const signal = yield* Effect.raceFirst(
    Effect.as(followScan(out, organizationId, scan.id, false), null),
    Deferred.await(stopped)
  ).pipe(
    // The database is away: what is in flight still has its time to come home
    Effect.tapError(() =>
      Effect.andThen(worker.stop(stopGraceMs.SIGINT), Effect.sync(() => sayHowToResume(scan, null)))
    )
  )
  if (signal !== null) {
    const seconds = stopGraceMs[signal] / 1000
    out.note(`Stopping: answers in flight are awaited, at most ${seconds} s. Ctrl-C again leaves at once.`)
  }
  if (signal === null) {
    const { scan: ended } = yield* readScan(organizationId, scan.id)
    // Nobody else may be there to send what the scan's end has put on its way
    yield* Effect.raceFirst(
      Effect.all([
        sayUndelivered(session, organizationId, ended.completedAt ?? ended.startedAt),
        awaitMail("15 seconds")
      ], { concurrency: "unbounded", discard: true }),
      Effect.asVoid(Deferred.await(stopped))
    )
  }
  yield* worker.stop(stopGraceMs[signal ?? "SIGINT"])
  if (signal !== null) return yield* stop(session, organizationId, scan.id, signal)
  return yield* finish(session, organizationId, yield* readScan(organizationId, scan.id))
})

/**
 * Shows a running scan until it has ended and prints its result; works on nothing. A signal ends the looking, not the
 * scan.
 */
export const lookOn = Effect.fnUntraced(function*(session: Session, organizationId: OrganizationId, scan: Scan) {
  const { out, stopped } = session
  if ((yield* otherWorkers) === 0) out.note(`Nobody works on it now. Go on with it: sov scan resume ${scan.id}`)
  const signal = yield* Effect.raceFirst(
    Effect.as(followScan(out, organizationId, scan.id, out.format === "ndjson"), null),
    Deferred.await(stopped)
  )
  if (signal !== null) return signalExit(signal)
  return yield* finish(session, organizationId, yield* readScan(organizationId, scan.id))
})
