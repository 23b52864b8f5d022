/** Scans: the list, the page of one scan with its live progress, and its cancellation. */
import { ScanId } from "@sov/core/common"
import {
  cancelScan,
  findShownScan,
  listScanRows,
  readScanDetail,
  readScanResults,
  readScanWork,
  type ScanListRow
} from "@sov/core/scanning"
import { findBlindAlert, formatNarrowing, readScanTagShare, roundHalfUp } from "@sov/core/scoring"
import { listTags, readKeywords } from "@sov/core/tracking"
import { listWorkers } from "@sov/core/workers"
import { Effect, Stream } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, type PageEvent, sendCsv, sendEvents, showPage } from "../guard/Reply.ts"
import { cancelScanPage } from "../pages/cancelScan.ts"
import { scanPage } from "../pages/scan.ts"
import { scanList, scansPage } from "../pages/scans.ts"
import { describeProgress, type ProgressRow } from "../pages/scanWords.ts"
import { readParam } from "./forms.ts"
import { readCursorList } from "./listView.ts"
import { readFilter, TagFilter, withoutEmptyFields } from "./query.ts"
import { redirectTo, roundToOneDecimal } from "./replies.ts"
import { streamPages } from "./streamPages.ts"

/** GET /o/{slug}/scans?cursor=, or ?q=&sort=&page= */
export const showScans = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const list = yield* readCursorList(
    request,
    scanList,
    (options) => listScanRows(organization.id, window, {}, options)
  )
  return showPage(scansPage(frame, list))
})

/** Scans per read for the CSV. */
const scansPerRead = 100

/** GET /o/{slug}/scans.csv: all scans that the plan shows. */
export const downloadScans = ({ organization, window }: OrganizationRequest) =>
  Effect.succeed(sendCsv(
    "scans.csv",
    {
      scan_id: ({ scan }: ScanListRow) => scan.id,
      status: ({ scan }: ScanListRow) => scan.status,
      scan_type: ({ scan }: ScanListRow) => scan.scanType,
      started_at: ({ scan }: ScanListRow) => scan.startedAt.toISOString(),
      completed_at: ({ scan }: ScanListRow) => scan.completedAt?.toISOString(),
      platforms: ({ scan }: ScanListRow) => scan.platforms.length,
      questions: ({ scan }: ScanListRow) => scan.cellCount,
      answered: ({ cells }: ScanListRow) => cells.answered,
      failed: ({ cells }: ScanListRow) => cells.failed,
      cost_usd: ({ spent }: ScanListRow) => spent?.costUsd,
      unpriced: ({ spent }: ScanListRow) => spent?.unpriced,
      avg_sov: ({ score }: ScanListRow) => score?.avgSov == null ? null : roundHalfUp(score.avgSov, 0),
      interval_low: ({ score }: ScanListRow) => roundToOneDecimal(score?.uncertainty?.interval?.low),
      interval_high: ({ score }: ScanListRow) => roundToOneDecimal(score?.uncertainty?.interval?.high),
      simulated: ({ scan }: ScanListRow) => scan.simulated,
      asked: ({ scan }: ScanListRow) => formatNarrowing(scan)
    },
    streamPages((cursor) => listScanRows(organization.id, window, {}, { limit: scansPerRead, cursor }))
  ))

/** The scan id in the path. */
const readId = (request: OrganizationRequest) => readParam(request, ScanId)

/** GET /o/{slug}/scans/{id} */
export const showScan = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const named = yield* readId(request)
  const cleaned = withoutEmptyFields(request, `/o/${organization.slug}/scans/${named}`)
  if (cleaned !== null) return cleaned
  const tag = yield* readFilter(request, "tag", TagFilter)
  const detail = yield* readScanDetail(organization.id, window, named)
  const { score } = detail
  const { id, status } = detail.scan
  return showPage(scanPage(frame, {
    detail,
    work: status === "running" ? yield* readScanWork(organization.id, window, id) : null,
    tag: tag ?? null,
    tags: yield* listTags(organization.id),
    tagShare: tag === undefined || score === null
      ? null
      : yield* readScanTagShare(organization.id, detail.scan, score, tag),
    workers: status === "running" ? (yield* listWorkers()).length : 0,
    blindAlert: status === "completed" ? yield* findBlindAlert(organization.id, window, id) : null
  }))
})

/** Sends an event when rows change, and one when the scan ends. */
const changedRows = (
  known: ReadonlyMap<string, string>,
  { isOver, rows }: { readonly isOver: boolean; readonly rows: ReadonlyArray<ProgressRow> }
): readonly [ReadonlyMap<string, string>, ReadonlyArray<PageEvent>] => {
  const changed = rows.filter(({ id, text }) => known.get(id) !== text)
  return [new Map(rows.map(({ id, text }) => [id, text])), [
    ...changed.length > 0 ? [{ name: "progress", data: changed }] : [],
    ...isOver ? [{ name: "ended", data: null }] : []
  ]]
}

/** GET /o/{slug}/scans/{id}/events */
export const followProgress = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, scanFollower, window } = request
  const { id } = yield* findShownScan(organization.id, window, yield* readId(request))
  const nothing: ReadonlyMap<string, string> = new Map()
  return sendEvents(
    scanFollower.follow(organization.id, window, id).pipe(
      Stream.map(({ platforms, scan }) => ({
        isOver: scan.status !== "running",
        rows: platforms.map(describeProgress)
      })),
      Stream.mapAccum(() => nothing, changedRows)
    )
  )
})

const hadEnded = new PageRefused({ status: 409, words: "This scan has already ended, so there is nothing to cancel." })

/** GET /o/{slug}/scans/{id}/cancel */
export const showCancelScan = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const { platforms, scan } = yield* readScanWork(organization.id, window, yield* readId(request))
  if (scan.status !== "running") return yield* hadEnded
  const sum = (pick: (one: (typeof platforms)[number]) => number) =>
    platforms.reduce((total, one) => total + pick(one), 0)
  return showPage(cancelScanPage(frame, scan, {
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    noOverview: sum(({ noOverview }) => noOverview),
    open: sum(({ open }) => open),
    cancelled: 0
  }))
})

/** POST /o/{slug}/scans/{id}/cancel */
export const cancelRunning = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization: { id: organizationId }, window } = request
  const { id } = yield* findShownScan(organizationId, window, yield* readId(request))
  yield* cancelScan(organizationId, id)
  const { status } = yield* findShownScan(organizationId, window, id)
  return redirectTo(request, `/scans/${id}`, status === "cancelled" ? "scan-cancelled" : "scan-had-ended")
})

/** Results per read for the CSV. */
const resultsPerRead = 500

/**
 * GET /o/{slug}/scans/{id}/results.csv: every finished cell (with the tag, if given), with its measurement or the
 * reason why it has no answer.
 */
export const downloadResults = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const scan = yield* findShownScan(organization.id, window, yield* readId(request))
  const texts = new Map((yield* readKeywords(organization.id)).map(({ id, text }) => [id, text]))
  const tag = yield* readFilter(request, "tag", TagFilter)
  const read = (cursor: string | undefined) =>
    readScanResults(organization.id, { scanId: scan.id, tag }, { limit: resultsPerRead, cursor })
  type Result = Effect.Success<ReturnType<typeof read>>["rows"][number]
  const rows = streamPages((cursor) =>
    Effect.map(read(cursor), ({ cursorAfter, more, rows }) => {
      const last = rows.at(-1)
      return { rows, nextCursor: more && last !== undefined ? cursorAfter(last) : null }
    })
  )
  return sendCsv(
    `scan-${scan.id}.csv`,
    {
      scan_id: () => scan.id,
      keyword_id: ({ keywordId }: Result) => keywordId,
      keyword: ({ keywordId }: Result) => texts.get(keywordId),
      ...columnsOf<Result>("platform", "sample"),
      answer_id: ({ answer }: Result) => answer?.id,
      brand_mentioned: ({ answer }: Result) => answer?.brandMentioned,
      mention_count: ({ answer }: Result) => answer?.mentionCount,
      mention_position: ({ answer }: Result) => answer?.mentionPosition,
      sentiment: ({ answer }: Result) => answer?.sentiment,
      sov_score: ({ answer }: Result) => answer?.sovScore == null ? null : roundHalfUp(answer.sovScore, 2),
      failure: ({ failure }: Result) => failure,
      simulated: () => scan.simulated,
      asked: () => formatNarrowing(scan)
    },
    rows
  )
})
