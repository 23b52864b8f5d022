/** The organizations of a person, side by side. */
import { countAlerts } from "@sov/core/alerts"
import { historyWindowAt, type Organization } from "@sov/core/organizations"
import { isOperator } from "@sov/core/people"
import { readSpentSince } from "@sov/core/scanning"
import { readNextRuns } from "@sov/core/schedules"
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

const windowsOf = ({ at }: PersonRequest, organizations: ReadonlyArray<Organization>) =>
  organizations.map((organization) => ({
    organizationId: organization.id,
    window: historyWindowAt(organization, at)
  }))

/** The headline of each organization, within the history that its plan shows. */
const read = (request: PersonRequest) => {
  const organizations = request.visitor.memberships.map(({ organization }) => organization)
  return Effect.map(
    readPortfolio(windowsOf(request, organizations)),
    (entries) => entries.map((entry, i): PortfolioRow => ({ ...entry, organization: organizations[i]!, sorted: null }))
  )
}

const trendScans = 12
const alertDays = 7
const maxAlerts = 99
/** Maximum number of scans of a month whose costs are added up; if there are more, the page says so. */
const maxMonthScans = 100

const readAlerts = (request: PersonRequest, organizations: ReadonlyArray<Organization>) =>
  countAlerts(
    windowsOf(request, organizations),
    new Date(request.at.getTime() - alertDays * 86_400_000),
    maxAlerts
  )

/** Cost of the month's scans. It is no history: the plan does not cut it. */
const readSpent = ({ at }: PersonRequest, organizations: ReadonlyArray<Organization>) =>
  readSpentSince(
    organizations.map(({ id }) => id),
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
    maxMonthScans
  )

const readNextAt = (_: PersonRequest, organizations: ReadonlyArray<Organization>) =>
  readNextRuns(organizations.map(({ id }) => id))

/** Shares of the last scans that were measured like the newest, oldest first. */
const readCourse = Effect.fnUntraced(function*(request: PersonRequest, { latest, organization }: PortfolioRow) {
  const { since } = historyWindowAt(organization, request.at)
  const history = latest === null ? [] : (yield* readHeadlineHistory(organization.id, trendScans, since)).scans
  return history.filter((one) => isMeasuredAlike(one, history[0]!)).map(({ score }) => score.avgSov).toReversed()
})

/**
 * GET /portfolio?q=&sort=&page=: alerts, spending and next scan are read of every organization if they sort the list,
 * and otherwise of those on the page, each in one statement.
 */
export const showPortfolio = Effect.fnUntraced(function*(request: PersonRequest) {
  const view = yield* readListView(request, portfolioList)
  const { memberships, person } = request.visitor
  const all = memberships.map(({ organization }) => organization)
  const byAlerts = view.sort === "alerts" ? yield* readAlerts(request, all) : null
  const bySpent = view.sort === "spent" ? yield* readSpent(request, all) : null
  const byNext = view.sort === "next" ? yield* readNextAt(request, all) : null
  const sortedOf = ({ id }: Organization): number | null => {
    if (byAlerts !== null) return byAlerts.get(id) ?? 0
    return bySpent === null ? byNext?.get(id)?.getTime() ?? null : bySpent.get(id)?.costUsd ?? 0
  }
  const rows = (yield* read(request)).map((row) => ({ ...row, sorted: sortedOf(row.organization) }))
    .toSorted((a, b) => a.organization.name.localeCompare(b.organization.name, "en"))
  const part = viewRows(rows, view, portfolioList)
  const shown = part.rows.map(({ organization }) => organization)
  const alerts = byAlerts ?? (yield* readAlerts(request, shown))
  const spent = bySpent ?? (yield* readSpent(request, shown))
  const nextAt = byNext ?? (yield* readNextAt(request, shown))
  const details = yield* Effect.forEach(
    part.rows,
    (row) =>
      Effect.map(readCourse(request, row), (course): readonly [string, PortfolioDetail] => {
        const { id, slug } = row.organization
        return [slug, {
          alerts: alerts.get(id) ?? 0,
          spent: spent.get(id) ?? { costUsd: 0, unpriced: 0, more: false },
          nextAt: nextAt.get(id) ?? null,
          course
        }]
      })
  )
  return showPage(portfolioPage({
    all: memberships.length,
    part,
    details: new Map(details),
    view,
    isOperator: yield* isOperator(person.id),
    mayAdd: yield* mayCreate(request),
    mayInvite: memberships.filter(({ role }) => role === "owner").length > 1,
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
