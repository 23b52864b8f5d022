/** Compares two scans. */
import { ScanId } from "@sov/core/common"
import { isSameKind, listScanRows } from "@sov/core/scanning"
import { compareScans, formatNarrowing, readComparison, roundPoints, type ScanComparison } from "@sov/core/scoring"
import { Effect, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, sendCsv, showPage } from "../guard/Reply.ts"
import { comparedQuestions, comparePage } from "../pages/compare.ts"
import { inOrganization } from "../pages/sections.ts"
import { readListView } from "./listView.ts"
import { readFilter } from "./query.ts"

const isScanId = Schema.is(ScanId)

/** Number of scans that the page offers; the address can name other scans. */
const maxOffered = 50

const listCompleted = ({ organization: { id }, window }: OrganizationRequest) =>
  Effect.map(
    listScanRows(id, window, { status: "completed" }, { limit: maxOffered }),
    ({ rows }) => rows.map(({ scan }) => scan)
  )

/**
 * The two scans to compare: those in the query, or by default the newest scan of the standard view and the previous one
 * that may be compared with it. Null if there are no two such scans.
 */
const chooseScans = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const scans = yield* listCompleted(request)
  const newest = (scans.find(({ view }) => view === undefined) ?? scans[0])?.id
  const afterId = (yield* readFilter(request, "after", ScanId)) ?? newest
  const after = scans.find(({ id }) => id === afterId)
  const earlier = after === undefined
    ? undefined
    : scans.find((scan) => scan.startedAt < after.startedAt && isSameKind(scan, after))
  const beforeId = (yield* readFilter(request, "before", ScanId)) ?? earlier?.id
  return { scans, chosen: afterId === undefined || beforeId === undefined ? null : { afterId, beforeId } }
})

/** GET /o/{slug}/scans/compare?before=&after= */
export const showComparison = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, window } = request
  const { chosen, scans } = yield* chooseScans(request)
  const view = yield* readListView(request, comparedQuestions)
  return showPage(comparePage(frame, {
    scans,
    stored: chosen === null ? null : yield* readComparison(organization.id, window, chosen.beforeId, chosen.afterId),
    view: { ...view, isGiven: request.query.has("sort") },
    query: chosen === null ? {} : { before: chosen.beforeId, after: chosen.afterId }
  }))
})

/** POST /o/{slug}/scans/compare: measures both scans again if they used other names or rules. */
export const measureForComparison = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization: { id, slug }, window } = request
  const [beforeId, afterId] = [form.get("before"), form.get("after")]
  if (!isScanId(beforeId) || !isScanId(afterId)) return yield* new PageRefused({ status: 400, words: null })
  const { after, before } = yield* compareScans(id, window, beforeId, afterId)
  return seeOther(
    inOrganization(slug, "/scans/compare", { before: before.id, after: after.id, done: "measured-again" })
  )
})

/** A line of the CSV: the brand, a platform, a question, or another named brand. */
interface Line {
  readonly kind: "brand" | "platform" | "keyword" | "competitor" | "nobody"
  readonly id: string | null
  readonly name: string | null
  readonly before: number
  readonly after: number
  readonly delta: number
  readonly beyondNoise: boolean
}

const listLines = (found: ScanComparison): ReadonlyArray<Line> => {
  const { competitors, keywordTexts, keywords, nobody, platforms, trackedSet, trend } = found
  if (trend === null) return []
  return [
    { kind: "brand", id: null, name: trackedSet.brand.name, ...trend, beyondNoise: trend.direction !== "flat" },
    ...platforms.map((one): Line => ({ kind: "platform", name: null, ...one })),
    ...competitors.map(({ id, trend }): Line => ({
      kind: "competitor",
      id,
      name: trackedSet.competitors.find((one) => one.id === id)?.name ?? null,
      ...trend
    })),
    ...nobody === null ? [] : [{ kind: "nobody" as const, id: null, name: null, ...nobody }],
    ...keywords.map((one): Line => ({ kind: "keyword", name: keywordTexts.get(one.id) ?? null, ...one }))
  ]
}

const notMeasured = new PageRefused({
  status: 409,
  words:
    "One of these scans was measured with different names or rules. You can measure it again on the comparison page."
})

/** GET /o/{slug}/scans/compare.csv?before=&after=: contains only the header if the scans have too little in common. */
export const downloadComparison = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const { chosen } = yield* chooseScans(request)
  const stored = chosen === null
    ? null
    : yield* readComparison(organization.id, window, chosen.beforeId, chosen.afterId)
  if (stored !== null && stored.comparison === null) return yield* notMeasured
  const found = stored?.comparison ?? null
  return sendCsv<Line>(
    "comparison.csv",
    {
      before_scan_id: () => found?.before.id,
      after_scan_id: () => found?.after.id,
      kind: ({ kind }) => kind,
      id: ({ id }) => id,
      name: ({ name }) => name,
      before: ({ before }) => roundPoints(before),
      after: ({ after }) => roundPoints(after),
      delta: ({ delta }) => roundPoints(delta),
      beyond_noise: ({ beyondNoise }) => beyondNoise,
      simulated: () => found?.after.simulated,
      before_asked: () => found === null ? null : formatNarrowing(found.before),
      after_asked: () => found === null ? null : formatNarrowing(found.after)
    },
    found === null ? [] : listLines(found)
  )
})
