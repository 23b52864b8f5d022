/** The organizations of a person, side by side. */
import { listAlerts } from "@sov/core/alerts"
import { historyWindowAt, type Organization } from "@sov/core/organizations"
import { isOperator } from "@sov/core/people"
import { listScanRows } from "@sov/core/scanning"
import { findSchedule } from "@sov/core/schedules"
import { formatNarrowing, isMeasuredAlike, readHeadlineHistory, readPortfolio } from "@sov/core/scoring"
import { Effect } from "effect"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import {
  findBrandRank,
  type PortfolioDetail,
  portfolioOrders,
  portfolioPage,
  type PortfolioRow,
  viewPortfolio
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
    (entries) => entries.map((entry, i): PortfolioRow => ({ ...entry, organization: memberships[i]!.organization }))
  )

const trendScans = 12
const alertDays = 7
const maxAlerts = 99
/** Maximum number of scans of a month whose costs are added up; if there are more, the page says so. */
const maxMonthScans = 100

/** Details of a row of the page, in addition to its headline. */
const readDetail = Effect.fnUntraced(function*({ at }: PersonRequest, { latest, organization }: PortfolioRow) {
  const own: Organization = organization
  const window = historyWindowAt(own, at)
  const since = (date: Date) => ({ since: window.since !== null && window.since > date ? window.since : date })
  const alerts = yield* listAlerts(own.id, since(new Date(at.getTime() - alertDays * 86_400_000)), { limit: maxAlerts })
  // What a month costs is no history: the plan does not cut it
  const month = { since: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) }
  const { nextCursor, rows } = yield* listScanRows(own.id, month, {}, { limit: maxMonthScans })
  const history = latest === null ? [] : (yield* readHeadlineHistory(own.id, trendScans, window.since)).scans
  const detail: PortfolioDetail = {
    alerts: alerts.length,
    spent: {
      costUsd: rows.reduce((total, { spent }) => total + (spent?.costUsd ?? 0), 0),
      unpriced: rows.reduce((total, { spent }) => total + (spent?.unpriced ?? 0), 0),
      more: nextCursor !== null
    },
    nextAt: (yield* findSchedule(own.id))?.nextAt ?? null,
    course: history.filter((one) => isMeasuredAlike(one, history[0]!)).map(({ score }) => score.avgSov).toReversed()
  }
  return [own.slug, detail] as const
})

/** GET /portfolio?q=&sort=&page= */
export const showPortfolio = Effect.fnUntraced(function*(request: PersonRequest) {
  const view = yield* readListView(request, portfolioOrders, { sort: "moved", descending: true })
  const part = viewPortfolio(yield* read(request), view)
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
