/** The list of scans: what each asked, when, and with what result. */
import type { Scan, ScanListRow } from "@sov/core/scanning"
import { describeNoOverview, formatNarrowing, otherQuestions } from "@sov/core/scoring"
import { capturedView } from "@sov/core/tracking"
import { formatCount, formatDate, formatMinute, formatPercent, formatRange } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric, wideColumn, wideNumeric } from "./lists.ts"
import {
  type CursorListOf,
  cursorListPager,
  declareList,
  type ListQuery,
  minSearched,
  searchForm,
  sortHeads
} from "./listView.ts"
import { describeAsked, describeCost, inQuestions, narrowedTag, startButton, statusPill } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"

/** The view of a scan in words, such as `bakery`, or `captured, app`. */
const viewWords = ({ surface, view }: Scan): string =>
  [view?.name ?? "standard", ...surface === "app" ? ["app"] : []].join(", ")

/** People bring captured answers from apps: no scan asked for them. */
const typeWords = ({ scanType, view }: Scan): string => view?.name === capturedView.name ? "imported" : scanType

/** The list of scans, searched by state, type, view, part and day. */
export const scanList = declareList({
  text: ({ scan }: ScanListRow) =>
    [
      scan.status,
      typeWords(scan),
      viewWords(scan),
      inQuestions(formatNarrowing(scan)),
      scan.simulated ? "simulated" : "",
      scan.startedAt.toISOString()
    ].join(" "),
  by: {
    started: ({ scan }) => scan.startedAt.getTime(),
    state: ({ scan }) => scan.status,
    share: ({ score }) => score?.avgSov ?? null,
    type: ({ scan }) => typeWords(scan),
    view: ({ scan }) => viewWords(scan),
    cost: ({ spent }) => spent?.costUsd ?? null
  },
  usual: "-started",
  perPage: 20
})

export interface ScansData extends CursorListOf<typeof scanList> {
  /** Whether the plan hides older scans. */
  readonly windowApplied: boolean
}

const row = (slug: string, { cells, scan, score, spent }: ScanListRow, hasViews: boolean): Html =>
  html`<tr><th scope="row"><a href="${
    inOrganization(slug, `/scans/${scan.id}`)
  }"><time datetime="${scan.startedAt.toISOString()}">${formatMinute(scan.startedAt)}</time></a></th><td>${
    statusPill(scan)
  }${scan.simulated && html` <span class="tag">Simulated</span>`}${narrowedTag(scan)}</td><td class="num"><b>${
    formatPercent(score?.avgSov)
  }</b> <span class="range">${formatRange(score?.uncertainty?.interval)}</span></td>${
    hasViews && html`<td data-name="view">${visible(viewWords(scan))}</td>`
  }<td class="wide">${typeWords(scan)}</td><td class="wide">${describeAsked(scan)}</td><td class="num wide">${
    formatCount(cells.answered)
  } / ${formatCount(cells.failed)}${describeNoOverview(cells.noOverview)}</td><td class="num wide">${
    describeCost(spent)
  }</td></tr>`

const nothingYet = (frame: Frame, { viewed, windowApplied }: ScansData): Html =>
  viewed !== null
    ? emptyState("No matching scans", "Search for another state, type or day, such as 2026-01-31.")
    : windowApplied && frame.since !== null
    ? html`<div class="empty"><h2>All scans are older than your plan shows</h2><p>Your plan shows scans since ${
      formatDate(frame.since)
    }. Older scans are kept, and a plan with a longer history shows them again.</p>${startButton(frame)}</div>`
    : html`<div class="empty"><h2>No scans yet</h2><p>A scan asks each question on each platform and archives every answer.</p>${
      startButton(frame)
    }</div>`

export const scansPage = (frame: Frame, data: ScansData): Html => {
  const { isFirst, nextCursor, rows, view, viewed, windowApplied } = data
  const { organization: { slug }, since } = frame
  const at = (query: ListQuery & { readonly cursor?: string }) => inOrganization(slug, "/scans", { ...query })
  const head = sortHeads(view, at)
  const hasViews = rows.some(({ scan }) => scan.view !== undefined)
  return layout(frame, {
    title: "Scans",
    here: "scans",
    simulated: rows.length > 0 && rows.every(({ scan }) => scan.simulated),
    summary: "Each scan asks your questions and archives the answers",
    actions: html`<span class="actions">${startButton(frame)}<a class="button" href="${
      inOrganization(slug, "/scans.csv")
    }">Download CSV</a><a class="button" href="${inOrganization(slug, "/scans/compare")}">Compare two</a></span>`,
    body: html`${
      windowApplied && since !== null && rows.length > 0 &&
      html`<p class="note">Scans before ${formatDate(since)} are kept; a plan with a longer history shows them.</p>`
    }${
      (viewed !== null || !isFirst || nextCursor !== null || rows.length >= minSearched) &&
      searchForm(inOrganization(slug, "/scans"), "Search scans", view)
    }<section class="panel" aria-labelledby="scans"><header><h2 id="scans">All scans</h2></header>${
      rows.length === 0
        ? nothingYet(frame, data)
        : html`${
          dataTable(
            "scans",
            [
              head("started", { title: "Started" }),
              head("state", { title: "State" }, "ascending"),
              head("share", numeric("Share, 95 %")),
              ...hasViews ? [head("view", { title: "View" }, "ascending")] : [],
              head("type", wideColumn("Type"), "ascending"),
              wideColumn("Asked"),
              wideNumeric("Answers / failed"),
              head("cost", wideNumeric("Cost"))
            ],
            rows.map((one) => row(slug, one, hasViews)),
            "stacked"
          )
        }<footer>95 %: ${otherQuestions}.</footer>${cursorListPager("scans", data, at)}`
    }</section>`
  })
}
