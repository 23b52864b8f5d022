/** The organizations of a person, side by side. */
import { listAlerts } from "@sov/core/alerts"
import { historyWindowAt, type Organization } from "@sov/core/organizations"
import { isOperator } from "@sov/core/people"
import { readSpentSince } from "@sov/core/scanning"
import { findSchedule } from "@sov/core/schedules"
import { formatNarrowing, isMeasuredAlike, readHeadlineHistory, readPortfolio } from "@sov/core/scoring"
import { Effect } from "effect"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import { viewRows } from "../pages/listView.ts"
import {
  findBrandRank,
  type PortfolioDetail,
  portfolioList,
  portfolioPage,
  type PortfolioRow
} from "../pages/portfolio.ts"
import { readListView } from "./listView.ts"
import { roundToOneDecimal } from "./replies.ts"
import { mayCreate } from "./requireMayCreate.ts"

/** The headline of each organization, within the history that its plan shows. */
const read = ({ at, visitor: { memberships } }: PersonRequest) =>
  Effect.map(
    readPortfolio(memberships.map(({ organization }) => ({
      organizationId: organization.id,
      window: historyWindowAt(organization, at)
    }))),
    (entries) =>
      entries.map((entry, i): PortfolioRow => ({
        ...entry,
        organization: memberships[i]!.organization,
        sorted: null
      }))
  )

const trendScans = 12
const alertDays = 7
const maxAlerts = 99
/** Maximum number of scans of a month whose costs are added up; if there are more, the page says so. */
const maxMonthScans = 100

const readAlerts = ({ at }: PersonRequest, organization: Organization) => {
  const window = historyWindowAt(organization, at)
  const since = new Date(at.getTime() - alertDays * 86_400_000)
  const later = window.since !== null && window.since > since ? window.since : since
  return Effect.map(listAlerts(organization.id, { since: later }, { limit: maxAlerts }), ({ length }) => length)
}

/** Cost of the month's scans. It is no history: the plan does not cut it. */
const readSpent = ({ at }: PersonRequest, { id }: Organization) =>
  readSpentSince(id, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())), maxMonthScans)

const readNextAt = (_: PersonRequest, { id }: Organization) =>
  Effect.map(findSchedule(id), (schedule) => schedule?.nextAt ?? null)

/** Details of a row of the page, in addition to its headline. */
const readDetail = Effect.fnUntraced(function*(request: PersonRequest, { latest, organization }: PortfolioRow) {
  const { since } = historyWindowAt(organization, request.at)
  const history = latest === null ? [] : (yield* readHeadlineHistory(organization.id, trendScans, since)).scans
  const detail: PortfolioDetail = {
    alerts: yield* readAlerts(request, organization),
    spent: yield* readSpent(request, organization),
    nextAt: yield* readNextAt(request, organization),
    course: history.filter((one) => isMeasuredAlike(one, history[0]!)).map(({ score }) => score.avgSov).toReversed()
  }
  return [organization.slug, detail] as const
})

/** Reads the value that the list is sorted by, if it is a detail. Only these three are read for every organization. */
const readSorted = Effect.fnUntraced(function*(request: PersonRequest, sort: string, organization: Organization) {
  if (sort === "alerts") return yield* readAlerts(request, organization)
  if (sort === "spent") return (yield* readSpent(request, organization)).costUsd
  return sort === "next" ? (yield* readNextAt(request, organization))?.getTime() ?? null : null
})

/** GET /portfolio?q=&sort=&page= */
export const showPortfolio = Effect.fnUntraced(function*(request: PersonRequest) {
  const view = yield* readListView(request, portfolioList)
  const rows = yield* Effect.forEach(
    (yield* read(request)).toSorted((a, b) => a.organization.name.localeCompare(b.organization.name, "en")),
    (row) => Effect.map(readSorted(request, view.sort, row.organization), (sorted) => ({ ...row, sorted }))
  )
  const part = viewRows(rows, view, portfolioList)
  const found = yield* Effect.forEach(part.rows, (row) => readDetail(request, row))
  return showPage(portfolioPage({
    all: request.visitor.memberships.length,
    part,
    details: new Map(found),
    view,
    isOperator: yield* isOperator(request.visitor.person.id),
    mayAdd: yield* mayCreate(request),
    mayInvite: request.visitor.memberships.filter(({ role }) => role === "owner").length > 1,
    theme: request.theme,
    at: request.at
  }))
})

/** GET /portfolio.csv */
export const downloadPortfolio = (request: PersonRequest) =>
  Effect.map(read(request), (rows) =>
    sendCsv<PortfolioRow>("portfolio.csv", {
      organization: ({ organization }) => organization.slug,
      name: ({ organization }) => organization.name,
      scan_id: ({ latest }) => latest?.scan.id,
      completed_at: ({ latest }) => latest?.scan.completedAt?.toISOString(),
      sov: ({ latest }) => roundToOneDecimal(latest?.score.avgSov),
      interval_low: ({ latest }) => roundToOneDecimal(latest?.score.uncertainty?.interval?.low),
      interval_high: ({ latest }) => roundToOneDecimal(latest?.score.uncertainty?.interval?.high),
      delta: ({ movements }) => roundToOneDecimal(movements?.comparison?.trend?.delta),
      direction: ({ movements }) => movements?.comparison?.trend?.direction,
      simulated: ({ latest }) => latest?.scan.simulated,
      asked: ({ latest }) => latest === null ? null : formatNarrowing(latest.scan),
      rank: ({ latest }) => latest === null ? null : findBrandRank(latest.score)?.rank,
      named: ({ latest }) => latest === null ? null : findBrandRank(latest.score)?.of
    }, rows))
