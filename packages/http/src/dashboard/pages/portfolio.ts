/** All organizations of a person: the headline of each, and which of them need attention. */
import { pluralized } from "@sov/core/common"
import type { Organization } from "@sov/core/organizations"
import { describeTrend, otherQuestions, type PortfolioEntry, type Score } from "@sov/core/scoring"
import { to } from "../Address.ts"
import { sparkline, sparklineTop } from "../charts/bars.ts"
import { formatDate, formatDollars, formatMinute, formatPercent, formatPoints, formatRange } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"
import { dataTable, emptyState, intervalColumn, numeric, wideColumn, wideNumeric } from "./lists.ts"
import {
  declareList,
  listPager,
  type ListPart,
  type ListQuery,
  type ListViewOf,
  searchForm,
  sortHeads
} from "./listView.ts"
import { narrowedTag } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"

/** An organization with its newest headline. */
export interface PortfolioRow extends PortfolioEntry {
  readonly organization: Organization
  /** The value of the detail that the list is sorted by; null = the list is sorted otherwise, or it has none. */
  readonly sorted: number | null
}

/** Details of a row of the page, in addition to its headline. */
export interface PortfolioDetail {
  /** Number of alerts in the last seven days. */
  readonly alerts: number
  /** Cost of this month's scans; `more` = there are more scans than were added up. */
  readonly spent: { readonly costUsd: number; readonly unpriced: number; readonly more: boolean }
  readonly nextAt: Date | null
  /** Shares of the last comparable scans, oldest first. */
  readonly course: ReadonlyArray<number | null>
}

export interface PortfolioContent {
  /** The number of all organizations, not only those shown. */
  readonly all: number
  readonly part: ListPart<PortfolioRow>
  /** Details of the rows on this page, by slug. */
  readonly details: ReadonlyMap<string, PortfolioDetail>
  readonly view: ListViewOf<typeof portfolioList>
  readonly isOperator: boolean
  /** Whether the person may set up organizations. */
  readonly mayAdd: boolean
  /** Whether the person owns several organizations and can therefore invite people to all of them at once. */
  readonly mayInvite: boolean
  readonly theme: Theme | null
  readonly at: Date
}

/** The brand's rank by share among all tracked names; equal shares share a rank. Null without a share. */
export const findBrandRank = ({ avgSov, competitors }: Score): { readonly rank: number; readonly of: number } | null =>
  avgSov === null
    ? null
    : { rank: 1 + competitors.filter(({ sov }) => sov > avgSov).length, of: competitors.length + 1 }

/** Sort key that places changes beyond noise before all others. */
const movedValue = ({ movements }: PortfolioRow): number | null => {
  const trend = movements?.comparison?.trend ?? null
  return trend === null ? null : Math.abs(trend.delta) + (trend.direction === "flat" ? 0 : 1000)
}

const sortedDetail = ({ sorted }: PortfolioRow) => sorted

/** The list of organizations. */
export const portfolioList = declareList({
  text: ({ organization: { name, slug } }: PortfolioRow) => `${name} ${slug}`,
  by: {
    name: ({ organization }) => organization.name,
    share: ({ latest }) => latest?.score.avgSov ?? null,
    moved: movedValue,
    rank: ({ latest }) => latest === null ? null : findBrandRank(latest.score)?.rank ?? null,
    scan: ({ latest }) => latest?.scan.startedAt.getTime() ?? null,
    alerts: sortedDetail,
    spent: sortedDetail,
    next: sortedDetail
  },
  usual: "-moved",
  perPage: 20
})

/** The change of the headline since the previous scan, and whether it is noise. */
const changeCell = ({ movements }: PortfolioEntry): Fragment => {
  const comparison = movements?.comparison ?? null
  if (comparison === null) return html`<span class="range">–<span class="hidden"> nothing to compare with</span></span>`
  const { before, trend } = comparison
  if (trend === null) return html`<small>${describeTrend(comparison)}</small>`
  return html`${formatPoints(trend.delta)} since ${formatDate(before.startedAt)}<br><small>${
    trend.direction === "flat" ? "within noise" : "more than noise"
  }</small>`
}

const shareCells = (row: PortfolioRow, { course }: PortfolioDetail): Html => {
  const { latest, outsideWindow } = row
  if (latest === null) {
    return html`<td class="num">–</td><td colspan="4"><small>${
      outsideWindow ? "the latest scan is older than the plan shows" : "no measured scan yet"
    }</small></td><td class="wide"></td>`
  }
  const { scan, score } = latest
  const interval = score.uncertainty?.interval ?? null
  const rank = findBrandRank(score)
  const day = scan.completedAt ?? scan.startedAt
  return html`<td class="num"><b>${formatPercent(score.avgSov)}</b></td><td class="range">${
    interval === null ? "too few questions" : formatRange(interval)
  }</td><td>${changeCell(row)}</td><td class="num" data-name="rank">${
    rank === null ? "–" : `${rank.rank} of ${rank.of}`
  }</td><td class="wide">${
    course.length > 1 && sparkline(course, sparklineTop(course))
  }</td><td data-name="scan"><time datetime="${day.toISOString()}">${formatDate(day)}</time></td>`
}

const portfolioRow = (row: PortfolioRow, detail: PortfolioDetail, at: Date): Html => {
  const { latest, organization: { name, slug } } = row
  const { alerts, nextAt, spent } = detail
  return html`<tr class="own"><th scope="row"><a href="${inOrganization(slug, "")}">${visible(name)}</a>${
    latest?.scan.simulated === true && html` <span class="tag">Simulated</span>`
  }${latest !== null && narrowedTag(latest.scan)}</th>${shareCells(row, detail)}<td class="num" data-name="alerts">${
    alerts === 0 ?
      "0" :
      html`<a href="${inOrganization(slug, "/alerts")}">${alerts}<span class="hidden"> of ${visible(name)}</span></a>`
  }</td><td class="num wide">${formatDollars(spent.costUsd)}${spent.more && "+"}${
    spent.unpriced > 0 && html`<br><small>${spent.unpriced} unpriced</small>`
  }</td><td class="wide">${
    nextAt === null
      ? html`<small>no schedule</small>`
      : html`<time datetime="${nextAt.toISOString()}">${formatMinute(nextAt)}</time>${
        nextAt < at && html` <span class="pill warn">overdue</span>`
      }`
  }</td></tr>`
}

const listed = ({ at: now, details, part, view }: PortfolioContent): Html => {
  const at = (query: ListQuery) => to("/portfolio", { ...query })
  const head = sortHeads(view, at)
  return html`${searchForm(to("/portfolio"), "Search organizations", view)}${
    part.rows.length === 0
      ? emptyState("No matching organization", "Search for a part of its name.")
      : dataTable(
        "organizations",
        [
          head("name", { title: "Organization" }, "ascending"),
          head("share", { ...numeric("Share"), about: "share" }),
          intervalColumn,
          head("moved", { title: "Change", about: "noise" }),
          head("rank", { ...numeric("Rank"), about: "rank" }, "ascending"),
          wideColumn("Trend"),
          head("scan", { title: "Scan" }, "ascending"),
          head("alerts", numeric("Alerts, 7 days")),
          head("spent", wideNumeric("Spent this month")),
          head("next", wideColumn("Next scan"), "ascending")
        ],
        part.rows.map((row) => portfolioRow(row, details.get(row.organization.slug)!, now)),
        "stacked"
      )
  }<p class="small">95 %: ${otherQuestions}.</p>${listPager("Pages of organizations", view, part, at)}`
}

export const portfolioPage = (content: PortfolioContent): Html => {
  const { all, at, isOperator, mayAdd, mayInvite, theme } = content
  return bareLayout(
    "Organizations",
    html`<div class="top"><div><h1 id="organizations">Your organizations</h1><p>${pluralized(all, "organization")}${
      content.view.sort === "moved" && "; those that moved by more than noise come first"
    }</p></div><span class="actions">${
      mayAdd &&
      html`<a class="button primary" href="${to("/setup")}">New organization</a>`
    }${isOperator && html`<a class="button" href="${to("/organizations")}">All organizations</a>`}${
      mayInvite && html`<a class="button" href="${to("/portfolio/invite")}">Invite to several</a>`
    }<a class="button" href="${
      to("/portfolio.csv")
    }">Download CSV</a></span></div><section class="panel" aria-labelledby="organizations">${
      all === 0
        ? emptyState("You are not a member of any organization", "Ask an owner to invite you.")
        : listed(content)
    }<footer>Each trend begins at 0 and ends at its own top: shares of different organizations are not comparable. Dollars are those of scans of this calendar month in UTC.</footer></section><footer class="foot">As of <time datetime="${at.toISOString()}">${
      formatMinute(at)
    }</time> · <a href="${to("/account")}">Account</a></footer>`,
    { theme, wide: true }
  )
}
