/** Several organizations of one person: the newest headline of each. */
import type { Organization } from "@sov/core/organizations"
import { describeTrend, type PortfolioEntry } from "@sov/core/scoring"
import { to } from "../Address.ts"
import { estimateBar } from "../charts/bars.ts"
import { formatDate, formatMinute, formatPercent, formatPoints, formatRange } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"
import { dataTable, emptyState, num, wide } from "./lists.ts"
import { narrowedTag } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"

/** An organization with its newest headline. */
export type PortfolioRow = PortfolioEntry & { readonly organization: Pick<Organization, "name" | "slug"> }

export interface PortfolioContent {
  readonly rows: ReadonlyArray<PortfolioRow>
  /** Whether the person runs the installation. */
  readonly operator: boolean
  readonly theme: Theme | null
  readonly at: Date
}

/** How the headline moved since the scan before it, with whether that is noise. */
const changeCell = ({ movements }: PortfolioEntry): Fragment => {
  const comparison = movements?.comparison ?? null
  if (comparison === null) return html`<span class="range">–<span class="hidden"> nothing to compare with</span></span>`
  const { before, trend } = comparison
  if (trend === null) return html`<small>${describeTrend(comparison)}</small>`
  return html`${formatPoints(trend.delta)} since ${formatDate(before.startedAt)}<br><small>${
    trend.direction === "flat" ? "within noise" : "more than noise"
  }</small>`
}

const portfolioRow = (row: PortfolioRow): Html => {
  const { latest, organization: { name, slug }, outsideWindow } = row
  const title = html`<th scope="row"><a href="${inOrganization(slug, "")}">${visible(name)}</a>${
    latest?.scan.simulated === true && html` <span class="tag">Simulated</span>`
  }${latest !== null && narrowedTag(latest.scan)}</th>`
  if (latest === null) {
    return html`<tr>${title}<td class="num">–</td><td colspan="4"><small>${
      outsideWindow ? "the latest scan is older than the plan shows" : "no measured scan yet"
    }</small></td></tr>`
  }
  const { scan, score } = latest
  const interval = score.uncertainty?.interval ?? null
  return html`<tr class="own">${title}<td class="num"><b>${formatPercent(score.avgSov)}</b></td><td class="range">${
    interval === null ? "too few questions" : formatRange(interval)
  }</td><td class="wide">${estimateBar(score.avgSov, interval)}</td><td>${
    changeCell(row)
  }</td><td class="wide"><time datetime="${(scan.completedAt ?? scan.startedAt).toISOString()}">${
    formatDate(scan.completedAt ?? scan.startedAt)
  }</time></td></tr>`
}

export const portfolioPage = ({ at, operator, rows, theme }: PortfolioContent): Html =>
  bareLayout(
    "Organizations",
    html`<div class="top"><div><h1 id="organizations">Your organizations</h1><p>Latest share of voice of each</p></div><a class="button" href="${
      to("/portfolio.csv")
    }">Download CSV</a>${
      operator && html` <a class="button" href="${to("/organizations")}">All of this installation</a>`
    }</div><section class="panel" aria-labelledby="organizations">${
      rows.length === 0
        ? emptyState("You are not a member of any organization", "Ask an owner to invite you.")
        : dataTable(
          "organizations",
          [
            "Organization",
            num("Share"),
            "95 %",
            { title: "Drawing from 0 to 100 %", hidden: true, class: "wide" },
            "Change",
            wide("Scan")
          ],
          rows.map(portfolioRow)
        )
    }</section><footer class="foot">As of <time datetime="${at.toISOString()}">${formatMinute(at)}</time> · <a href="${
      to("/account")
    }">Account</a></footer>`,
    { theme, wide: true }
  )
