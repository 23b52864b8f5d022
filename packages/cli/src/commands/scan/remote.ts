/** sov scan --url: starts and follows scans on a server. */
import { maxScansPage } from "@sov/core/common"
import type { Scan, StartedScan, Summary } from "@sov/http/fetch-client"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { printable } from "../../output/Output.ts"
import { keywordId } from "../../remote/keywordId.ts"
import { callServer, refuseIf, type RemoteSession, runRemote } from "../../remote/runRemote.ts"
import { summaryLines } from "../../remote/summaryView.ts"
import { askedText } from "../../render/askedText.ts"
import { formatDuration } from "../../render/progress.ts"
import { wrapSentence } from "../../render/scoreView.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { awaitScan, findScan } from "./awaitScan.ts"
import { forEachView } from "./forEachView.ts"
import { listScans } from "./listScans.ts"
import type { RunOptions } from "./run.ts"

interface RemoteOptions extends RunOptions {
  readonly platform?: ReadonlyArray<keyof Summary["platform_breakdown"]>
}

const exitCodeOfStatus = {
  running: exitCodes.ok,
  completed: exitCodes.ok,
  failed: exitCodes.partial,
  cancelled: exitCodes.conflict
} as const

/** A scan with its score. Only the scan of the headline has a breakdown by platform. */
const scanJson = ({ id, ...scan }: Scan, score: Summary | null) => ({
  scan_id: id,
  status: scan.status,
  scan_type: scan.scan_type,
  started_at: scan.started_at,
  completed_at: scan.completed_at,
  avg_sov: score?.avg_sov ?? scan.avg_sov ?? null,
  platform_breakdown: score?.platform_breakdown ?? {},
  simulated: scan.simulated === true,
  // As with a local database: absent if the scan asked everything
  ...scan.asked === undefined || askedText(scan.asked) === null ? {} : { asked: scan.asked }
})

const describeScanState = ({ completed_at, id, started_at, status }: Scan): string => {
  if (completed_at === null) return `Scan ${printable(id)} is running`
  const took = formatDuration(Date.parse(completed_at) - Date.parse(started_at))
  return `Scan ${printable(id)} ${status === "cancelled" ? "was cancelled" : status} ${
    status === "completed" ? "in" : "after"
  } ${took}`
}

/** Prints the result of an ended scan and returns the exit code. */
const printEndedScan = Effect.fnUntraced(function*({ out, sov }: Pick<RemoteSession, "out" | "sov">, scan: Scan) {
  const summary = scan.status === "completed" ? yield* callServer((signal) => sov.sov({ signal })) : null
  const score = summary?.scan_id === scan.id ? summary : null
  const canvas = makeCanvas(out)
  out.result(scanJson(scan, score), () =>
    [
      ...wrapSentence(describeScanState(scan), canvas, scan.simulated === true),
      ...score === null ? [] : summaryLines(score, canvas)
    ].join("\n"))
  if (scan.status === "completed") {
    out.note(
      `REST does not say how many questions failed. Where the server's database is: sov scan show ${printable(scan.id)}`
    )
  }
  if (scan.status === "failed") {
    out.note(`No question got an answer. Where the server's database is: sov scan show ${printable(scan.id)} --failed`)
  }
  return exitCodeOfStatus[scan.status]
})

const parseScanRequest = Effect.fnUntraced(function*({ dryRun, keyword, platform, samples, tag, view }: RemoteOptions) {
  yield* refuseIf(dryRun === true, "REST has no --dry-run: it works on a database only")
  yield* refuseIf(samples !== undefined, "over REST the server's configuration decides --samples")
  const keywords = keyword === undefined ? undefined : yield* Effect.forEach([...new Set(keyword)], keywordId)
  return {
    ...keywords === undefined ? {} : { keyword_ids: keywords },
    ...platform === undefined ? {} : { platforms: [...new Set(platform)] },
    ...tag === undefined ? {} : { tags: [...new Set(tag)] },
    ...view === undefined ? {} : { views: [...new Set(view)] }
  }
})

const startedText = ({ estimated_seconds, scan_id }: StartedScan): string =>
  `Scan ${printable(scan_id)} runs, for about ${formatDuration(estimated_seconds * 1000)}`

/** Runs `sov scan --url`. */
export const run = (options: RemoteOptions) =>
  runRemote(options, function*(session) {
    const { out, sov } = session
    const asked = yield* parseScanRequest(options)
    const started = yield* callServer((signal) => sov.startScan(asked, { signal })).pipe(
      Effect.onInterrupt(() => Effect.sync(() => out.note("It may have started: sov scan list shows it")))
    )
    if (options.detach === true) {
      out.result(started, () => startedText(started))
      out.note(`Follow it: sov scan watch ${printable(started.scan_id)}`)
      return exitCodes.ok
    }
    out.note(startedText(started))
    const others = started.views ?? []
    for (const { scan_id, view } of others) {
      out.note(`Scan ${printable(scan_id)} runs for the view ${printable(view)}`)
    }
    const ids = [started.scan_id, ...others.map((one) => one.scan_id)] as const
    return yield* forEachView(out, ids, (of, id) =>
      Effect.flatMap(
        awaitScan(out, sov, id, started.estimated_seconds),
        (scan) => printEndedScan({ out: of, sov }, scan)
      ))
  })

/** Runs `sov scan watch ID|latest --url`. */
export const watch = (options: GlobalOptions, id: string) =>
  runRemote(options, function*(session) {
    const { out, sov } = session
    const scan = yield* findScan(sov, id)
    return yield* printEndedScan(
      session,
      scan.status === "running" ? yield* awaitScan(out, sov, scan.id, null) : scan
    )
  })

/** Runs `sov scan list --url`. */
export const list = (options: GlobalOptions & { readonly limit?: string; readonly status?: string }) =>
  runRemote(options, function*({ out, sov }) {
    const limit = yield* integerOption("--limit", options.limit ?? "10", 1, maxScansPage)
    if (options.status !== undefined) {
      return yield* Effect.fail(usageError("REST cannot choose scans by --status: it lists the newest"))
    }
    const { scans } = yield* callServer((signal) => sov.listScans({ limit, signal }))
    listScans(out, scans)
  })
