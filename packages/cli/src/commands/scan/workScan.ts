/** Runs a worker until a scan has ended or the first signal arrives, and shows the progress of the scan. */
import type { OrganizationId, ScanId } from "@sov/core/common"
import { awaitMail } from "@sov/core/mail"
import { completeWhenDone, listFailedCells, readScan, type Scan } from "@sov/core/scanning"
import { startWorker, stopGraceMs } from "@sov/core/workers"
import { Deferred, Effect } from "effect"
import { exitCodes } from "../../exitCodes.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { failureLines, findScanExitCode, type ScanReport, summaryOf, summaryText } from "../../render/scanReport.ts"
import type { CommandSession } from "../../runtime.ts"
import { countOtherWorkers, followScan } from "./followScan.ts"
import { noteAlerts } from "./noteAlerts.ts"
import { noteUndelivered } from "./noteUndelivered.ts"
import { noteBlindAlert } from "./plan.ts"

/** The exit code of a command that was ended by a signal. */
export const findSignalExitCode = (signal: "SIGINT" | "SIGTERM") =>
  signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated

/** Prints the result of an ended scan and why questions failed, and returns the exit code. */
export const printEndedScan = Effect.fnUntraced(function*(
  session: CommandSession,
  organizationId: OrganizationId,
  report: ScanReport
) {
  const { out } = session
  out.result(summaryOf(report), () => summaryText(report, makeCanvas(out)))
  yield* noteAlerts(session, organizationId, report.scan.id)
  if (report.scan.status === "completed") yield* noteBlindAlert(out, organizationId)
  const failed = yield* listFailedCells(organizationId, report.scan.id)
  for (const line of failureLines(failed, out.platformName)) out.note(line)
  return findScanExitCode(report, failed)
})

/** Prints how to resume the scan, even with --quiet, because otherwise the user would not know its id. */
const printHowToResume = (
  scan: Pick<Scan, "id" | "cellCount">,
  known: { readonly archived: number; readonly others: number } | null
): void => {
  if (known !== null) process.stderr.write(`${known.archived} of ${scan.cellCount} answers are archived.\n`)
  process.stderr.write(
    known === null || known.others === 0
      ? `resume: sov scan resume ${scan.id}\n`
      : `Another sov process works on it: sov scan watch ${scan.id}\n`
  )
}

const stopWork = Effect.fnUntraced(function*(
  session: CommandSession,
  organizationId: OrganizationId,
  scanId: ScanId,
  signal: "SIGINT" | "SIGTERM"
) {
  // The last answer may have arrived while the worker was stopping
  yield* completeWhenDone(organizationId, scanId)
  const report = yield* readScan(organizationId, scanId)
  if (report.scan.status !== "running") return yield* printEndedScan(session, organizationId, report)
  const summary = summaryOf(report)
  printHowToResume(report.scan, { archived: summary.results_count, others: yield* countOtherWorkers })
  if (session.out.machine) session.out.result(summary, () => "")
  return findSignalExitCode(signal)
})

/**
 * Runs a worker until the scan has ended, shows its progress on stderr, and prints its result. After the first signal,
 * waits for calls in flight and prints how to resume.
 */
export const runWorkerForScan = Effect.fnUntraced(function*(
  session: CommandSession,
  organizationId: OrganizationId,
  scan: Scan
) {
  const { out, stopped } = session
  const worker = yield* startWorker({ stays: false })
  const signal = yield* Effect.raceFirst(
    Effect.as(followScan(out, organizationId, scan.id, false), null),
    Deferred.await(stopped)
  ).pipe(
    // If the database does not answer, calls in flight still get time to finish
    Effect.tapError(() =>
      Effect.andThen(worker.stop(stopGraceMs.SIGINT), Effect.sync(() => printHowToResume(scan, null)))
    )
  )
  if (signal !== null) {
    const seconds = stopGraceMs[signal] / 1000
    out.note(`Stopping: answers in flight are awaited, at most ${seconds} s. Ctrl-C again exits immediately.`)
  }
  if (signal === null) {
    const { scan: ended } = yield* readScan(organizationId, scan.id)
    // Waits until the webhooks and e-mails of the scan are sent, because there may be no other process to send them
    yield* Effect.raceFirst(
      Effect.all([
        noteUndelivered(session, organizationId, ended.completedAt ?? ended.startedAt),
        awaitMail("15 seconds")
      ], { concurrency: "unbounded", discard: true }),
      Effect.asVoid(Deferred.await(stopped))
    )
  }
  yield* worker.stop(stopGraceMs[signal ?? "SIGINT"])
  if (signal !== null) return yield* stopWork(session, organizationId, scan.id, signal)
  return yield* printEndedScan(session, organizationId, yield* readScan(organizationId, scan.id))
})

/**
 * Follows a running scan, without working on it, until it has ended, and prints its result. A signal ends the command,
 * not the scan.
 */
export const followToEnd = Effect.fnUntraced(
  function*(session: CommandSession, organizationId: OrganizationId, scan: Scan) {
    const { out, stopped } = session
    if ((yield* countOtherWorkers) === 0) out.note(`No worker is active. Resume it: sov scan resume ${scan.id}`)
    const signal = yield* Effect.raceFirst(
      Effect.as(followScan(out, organizationId, scan.id, out.format === "ndjson"), null),
      Deferred.await(stopped)
    )
    if (signal !== null) return findSignalExitCode(signal)
    return yield* printEndedScan(session, organizationId, yield* readScan(organizationId, scan.id))
  }
)
