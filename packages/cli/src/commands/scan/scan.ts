/** sov scan watch, list, show, cancel: follows, lists, shows and cancels scans. */
import { maxScansPage, pluralized, ScanEnded } from "@sov/core/common"
import {
  cancelScan,
  findScan,
  listedScanJson,
  listFailedCells,
  listScoredScans,
  readScan,
  ScanStatus
} from "@sov/core/scanning"
import { readKeywords } from "@sov/core/tracking"
import { Effect } from "effect"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { printable } from "../../output/Output.ts"
import { failureLines, summaryOf, summaryText } from "../../render/scanReport.ts"
import { configuredPlatforms, runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { listScans } from "./listScans.ts"
import { followToEnd, printEndedScan } from "./workScan.ts"

/** Runs `sov scan watch ID|latest`. */
export const watch = (options: GlobalOptions, id: string) =>
  runForOrganization(options, { handlesStop: true }, function*(session, organization) {
    const scan = yield* findScan(organization.id, id)
    return yield* scan.status === "running"
      ? followToEnd(session, organization.id, scan)
      : Effect.flatMap(
        readScan(organization.id, scan.id),
        (report) => printEndedScan(session, organization.id, report)
      )
  })

/** Runs `sov scan list`. */
export const list = (options: GlobalOptions & { readonly limit?: string; readonly status?: string }) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const limit = yield* integerOption("--limit", options.limit ?? "10", 1, maxScansPage)
    const status = options.status === undefined
      ? undefined
      : yield* decodeInput(ScanStatus, options.status as ScanStatus, "--status")
    const organization = yield* currentOrganization(options)
    const found = yield* listScoredScans(
      organization.id,
      { limit, ...status === undefined ? {} : { status } },
      configuredPlatforms(options)
    )
    listScans(out, found.map(listedScanJson))
  })

/** Runs `sov scan show ID|latest`. */
export const show = (options: GlobalOptions & { readonly failed?: boolean }, id: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = yield* readScan(organization.id, (yield* findScan(organization.id, id)).id)
    const failed = yield* listFailedCells(organization.id, report.scan.id)
    const texts = options.failed === true
      ? new Map((yield* readKeywords(organization.id)).map((keyword) => [keyword.id, keyword.text]))
      : null
    const failures = failed.map(({ attempts, excerpt, keywordId, message, platform, reason, status }) => ({
      platform,
      keyword_id: keywordId,
      reason,
      message,
      attempts,
      status,
      excerpt
    }))
    out.result(texts === null ? summaryOf(report) : { ...summaryOf(report), failures }, () =>
      [
        summaryText(report, makeCanvas(out)),
        ...failureLines(failed, out.platformName),
        ...texts === null ?
          [] :
          failed.map((cell) =>
            `  ${out.platformName(cell.platform)}  ${cell.reason} after ${pluralized(cell.attempts, "call")}  ${
              printable(texts.get(cell.keywordId) ?? cell.keywordId)
            }`
          )
      ].join("\n"))
  })

/** Runs `sov scan cancel ID|latest`. */
export const cancel = (options: GlobalOptions, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const scan = yield* findScan(organization.id, id)
    if (scan.status !== "running") return yield* new ScanEnded({ id: scan.id, status: scan.status })
    const { results_count: archived } = summaryOf(yield* readScan(organization.id, scan.id))
    yield* confirm(out, `Cancel scan ${scan.id}? ${archived} of ${scan.cellCount} answers are archived and stay.`)
    yield* cancelScan(organization.id, scan.id)
    const report = yield* readScan(organization.id, scan.id)
    // The scan may have ended while the prompt waited for an answer
    if (report.scan.status !== "cancelled") {
      return yield* Effect.fail(
        new CliError("scan-ended", exitCodes.conflict, `scan ${scan.id} is ${report.scan.status}`, "sov scan show ID")
      )
    }
    out.result(summaryOf(report), () => summaryText(report, makeCanvas(out)))
  })
