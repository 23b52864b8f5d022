/** The overview and its CSV. */
import { readAlertRules } from "@sov/core/alerts"
import { makeFormId } from "@sov/core/audit"
import { isOperator } from "@sov/core/people"
import { listPlatforms } from "@sov/core/platforms"
import { findSchedule } from "@sov/core/schedules"
import {
  type ComparedPeriods,
  formatNarrowing,
  type Overview,
  readMeasuredVoice,
  readOverview,
  readTrust,
  readVoice,
  type Standing
} from "@sov/core/scoring"
import { haveNamesChanged, readKeptActions } from "@sov/core/sources"
import { readKeywords, readTrackedSet } from "@sov/core/tracking"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import { definitionsPage } from "../pages/definitions.ts"
import { firstRunPage, type Setup } from "../pages/firstRun.ts"
import { emptyOverviewPage, overviewPage } from "../pages/overview.ts"
import type { TestResult } from "../pages/platformTest.ts"
import { readFilePeriod, readPeriod } from "./period.ts"
import { roundToOneDecimal } from "./replies.ts"

/** Number of scans in the trend and the sparklines. */
const trendScans = 30

const read = (
  { configured, organization, window }: OrganizationRequest,
  periods: ComparedPeriods | null = null
) => readOverview(organization.id, window, trendScans, configured, periods)

const hasStanding = (overview: Overview): overview is Overview & { readonly standing: Standing } =>
  overview.standing !== null

const readSetup = Effect.fnUntraced(function*(
  { configured, organization: { id }, visitor, window }: OrganizationRequest,
  tested: TestResult | null
) {
  const ready = yield* listPlatforms()
  const rules = yield* readAlertRules(id, window)
  const setup: Setup = {
    brand: yield* readTrackedSet(id).pipe(
      Effect.map((set) => set.brand.name),
      Effect.catchTag("NotReady", () => Effect.succeed(null))
    ),
    keywords: (yield* readKeywords(id, ["active"])).length,
    platforms: (configured ?? ready).length,
    rules: rules.filter(({ rule }) => rule.enabled).length,
    hasSchedule: (yield* findSchedule(id)) !== null,
    operator: (yield* isOperator(visitor.person.id)) ? { ready, tested, formId: yield* makeFormId } : null
  }
  return setup
})

/** GET /o/{slug} */
export const showOverview = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const period = yield* readPeriod(request)
  const overview = yield* read(request, period.compared)
  const next = hasStanding(overview) ? yield* readKeptActions(request.organization.id, request.window) : null
  return showPage(
    hasStanding(overview)
      ? overviewPage(request.frame, overview, period, {
        namesChanged: next?.actions.length === 0 &&
          (yield* haveNamesChanged(request.organization.id, request.window)),
        next,
        trust: yield* readTrust(request.organization.id, request.window).pipe(
          Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))
        ),
        voice: period.compared === null
          ? yield* readMeasuredVoice(request.organization.id, overview.standing.report)
          : null
      })
      : period.compared !== null && (yield* read(request)).standing !== null
      ? emptyOverviewPage(request.frame, period)
      : firstRunPage(request.frame, overview, yield* readSetup(request, null))
  )
})

/** The steps to the first score with the result of a platform test; null if there already is a score. */
export const makeOverviewAfterTest = Effect.fnUntraced(function*(request: OrganizationRequest, tested: TestResult) {
  const overview = yield* read(request)
  return hasStanding(overview) ? null : firstRunPage(request.frame, overview, yield* readSetup(request, tested))
})

/** A line of the CSV: a platform, a named brand, or a keyword. */
interface Line {
  readonly kind: "brand" | "platform" | "competitor" | "nobody" | "keyword"
  readonly id: string | null
  readonly name: string | null
  readonly sov: number | null
  readonly interval?: { readonly low: number; readonly high: number } | null
}

const listLines = ({ named, platforms, report: { movements } }: Standing): ReadonlyArray<Line> => {
  const texts = new Map(movements.keywords.map(({ id, text }) => [id, text]))
  return [
    ...named.map(({ who, ...one }) => ({ kind: who, ...one })),
    ...platforms.map(({ platform, ...one }) => ({ kind: "platform" as const, id: platform, name: null, ...one })),
    // All keywords; the page shows only the weakest ones
    ...movements.keywordShares.map(({ id, sov }) => ({
      kind: "keyword" as const,
      id,
      name: texts.get(id) ?? null,
      sov
    }))
  ]
}

/**
 * GET /o/{slug}/overview.csv: one line per platform, name and keyword; contains only the header before the first score.
 */
export const downloadOverview = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const compared = yield* readFilePeriod(request)
  const { standing } = yield* read(request, compared)
  const scan = standing?.report.scan
  return sendCsv<Line>(
    "overview.csv",
    {
      scan_id: () => scan?.id,
      completed_at: () => scan?.completedAt?.toISOString(),
      kind: ({ kind }) => kind,
      id: ({ id }) => id,
      name: ({ name }) => name,
      sov: ({ sov }) => roundToOneDecimal(sov),
      interval_low: ({ interval }) => roundToOneDecimal(interval?.low),
      interval_high: ({ interval }) => roundToOneDecimal(interval?.high),
      simulated: () => scan?.simulated,
      asked: () => scan === undefined ? null : formatNarrowing(scan),
      ...compared === null ? {} : {
        period_from: () => compared.period.from.toISOString(),
        period_to: () => compared.period.to.toISOString(),
        scans: () => standing?.report.period?.scans
      }
    },
    standing === null ? [] : listLines(standing)
  )
})

/** GET /o/{slug}/definitions: the answers behind the headline, counted by each definition of voice. */
export const showDefinitions = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization } = request
  const overview = yield* read(request)
  if (!hasStanding(overview)) return showPage(firstRunPage(frame, overview, yield* readSetup(request, null)))
  const { report } = overview.standing
  return showPage(definitionsPage(frame, { ...report, voice: yield* readVoice(organization.id, report) }))
})
