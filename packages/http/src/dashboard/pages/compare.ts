/** Two scans side by side: which shares moved, and whether by more than noise. */
import { pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { Scan } from "@sov/core/scanning"
import {
  describeBreaks,
  describeTrend,
  formatNarrowing,
  type NamedTrend,
  type ScanComparison,
  type StoredComparison,
  type Trend
} from "@sov/core/scoring"
import { formatMinute, formatNumber, formatPercent, formatPoints } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, hiddenField, selectField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, hidden, numeric } from "./lists.ts"
import { declareList, listPager, type ListQuery, type ListViewOf, searchForm, sortHeads, viewRows } from "./listView.ts"
import { inQuestions } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

export interface CompareData {
  /** Completed scans to choose from, newest first. */
  readonly scans: ReadonlyArray<Pick<Scan, "id" | "startedAt" | "simulated">>
  /** Null if there are fewer than two scans. */
  readonly stored: StoredComparison | null
  /** Search, order and page of the list of questions; `isGiven`: the address states an order. */
  readonly view: ListViewOf<typeof comparedQuestions> & { readonly isGiven: boolean }
  /** The scans in the address. */
  readonly query: { readonly before?: string; readonly after?: string }
}

const scanChoices = (scans: CompareData["scans"], shown: Scan) => {
  const all = scans.some(({ id }) => id === shown.id) ? scans : [shown, ...scans]
  return all.map(({ id, simulated, startedAt }) =>
    [id, `${formatMinute(startedAt)}${simulated ? " (simulated)" : ""}`] as const
  )
}

const chooser = (slug: string, scans: CompareData["scans"], { after, before }: StoredComparison): Html =>
  filterForm(inOrganization(slug, "/scans/compare"), [
    selectField({
      name: "before",
      label: "From the scan of",
      choices: scanChoices(scans, before),
      chosen: before.id,
      grows: true
    }),
    selectField({
      name: "after",
      label: "to the scan of",
      choices: scanChoices(scans, after),
      chosen: after.id,
      grows: true
    })
  ], "Compare")

/** A row of a table: a name, its shares before and after, and whether the change exceeds noise. */
interface ChangeLine {
  readonly name: string
  readonly before: number
  readonly after: number
  readonly delta: number
  readonly moved: boolean
  /** What the row is about, for tables that list several kinds of things. */
  readonly what?: string
}

/** The number of decimals: one if whole numbers would hide the change, otherwise none. */
const digitsOf = ({ after, before, delta }: ChangeLine): 0 | 1 =>
  Math.abs(delta) >= 0.05 && formatNumber(before) === formatNumber(after) ? 1 : 0

const changeRow = (line: ChangeLine): Html => {
  const { after, before, delta, moved, name, what } = line
  return html`<tr><th scope="row">${visible(name)}${
    what !== undefined && html` <small>${what}</small>`
  }</th><td class="num">${formatPercent(before, digitsOf(line))}</td><td class="num">${
    formatPercent(after, digitsOf(line))
  }</td><td class="num">${moved ? html`<b>${formatPoints(delta)}</b>` : formatPoints(delta)}</td><td>${
    moved && html`<span aria-hidden="true">●</span><span class="hidden">more than noise</span>`
  }</td></tr>`
}

const changeColumns = (
  first: string
) => [first, numeric("Before"), numeric("After"), numeric("Points"), hidden("Moved")]

const bySize = (a: ChangeLine, b: ChangeLine): number => Math.abs(b.delta) - Math.abs(a.delta)

const changeTable = (id: string, title: string, first: string, lines: ReadonlyArray<ChangeLine>): Html =>
  html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2><p>● = more than noise</p></header>${
    dataTable(id, changeColumns(first), lines.map(changeRow))
  }</section>`

/** All changes that exceed noise, largest first. */
const movedPanel = (lines: ReadonlyArray<ChangeLine>): Html => {
  const moved = lines.filter((line) => line.moved).toSorted(bySize)
  return html`<section class="panel" aria-labelledby="moved"><header><h2 id="moved">What moved by more than noise</h2></header>${
    moved.length === 0
      ? html`<p>No platform, name or question moved by more than noise between these two scans alone. The overview tests the newest scan against up to four earlier ones, which shows smaller changes.</p>`
      : dataTable("moved", changeColumns("What"), moved.map(changeRow))
  }</section>`
}

/** Questions per page of the list. */
/** The list of all questions. */
export const comparedQuestions = declareList({
  text: ({ name }: ChangeLine) => name,
  by: {
    question: ({ name }) => name,
    before: ({ before }) => before,
    after: ({ after }) => after,
    points: ({ delta }) => delta
  },
  usual: "-points",
  perPage: 50
})

/** The list of all questions, collapsed unless the address contains a search, an order or a page. */
const questionsPanel = (
  { organization: { slug } }: Frame,
  lines: ReadonlyArray<ChangeLine>,
  { query, view }: Pick<CompareData, "query" | "view">
): Html => {
  const part = viewRows(lines, view, comparedQuestions)
  const at = (more: ListQuery) => inOrganization(slug, "/scans/compare", { ...query, ...more })
  const head = sortHeads(view, at)
  const isAsked = view.q !== "" || view.page > 1 || view.isGiven
  return html`<section class="panel" aria-labelledby="questions"><header><h2 id="questions">Questions</h2><p>● = more than noise</p></header><details class="fold"${
    attributes({ open: isAsked || lines.length <= 12 })
  }><summary>All ${pluralized(lines.length, "question")}</summary>${
    searchForm(inOrganization(slug, "/scans/compare"), "Search questions", view, query)
  }${
    dataTable("questions", [
      head("question", { title: "Question" }, "ascending"),
      head("before", numeric("Before")),
      head("after", numeric("After")),
      head("points", numeric("Points")),
      hidden("Moved")
    ], part.rows.map(changeRow))
  }${listPager("Pages of questions", view, part, at)}</details></section>`
}

const namedLine = (name: string, { after, before, beyondNoise, delta }: NamedTrend): ChangeLine => ({
  name,
  before,
  after,
  delta,
  moved: beyondNoise
})

const tables = (frame: Frame, found: ScanComparison, data: CompareData): Html => {
  const nameOf = new Map<string, string>(found.trackedSet.competitors.map(({ id, name }) => [id, name]))
  const platforms = found.platforms.map(({ beyondNoise, id, ...change }): ChangeLine => ({
    ...change,
    name: platformName(frame, id),
    moved: beyondNoise
  }))
  const rivals = [
    ...found.competitors.map(({ id, trend }) => namedLine(nameOf.get(id) ?? id, trend)),
    ...found.nobody === null ? [] : [namedLine("No tracked brand", found.nobody)]
  ]
  const questions = found.keywords.map(({ beyondNoise, id, ...change }): ChangeLine => ({
    ...change,
    name: found.keywordTexts.get(id) ?? id,
    moved: beyondNoise
  }))
  const all = [["platform", platforms], ["name", rivals], ["question", questions]] as const
  return html`${
    movedPanel(all.flatMap(([what, lines]) => lines.map((line) => ({ ...line, what }))))
  }<div class="grid two">${changeTable("platforms", "Platforms", "Platform", platforms.toSorted(bySize))}${
    changeTable("rivals", "Others named", "Name", rivals.toSorted(bySize))
  }</div>${questionsPanel(frame, questions, data)}`
}

const headlinePanel = (brand: string, { after, before, delta, direction }: Trend, words: string): Html =>
  html`<section class="panel headline" aria-labelledby="share"><div><h2 id="share">Share of voice of ${
    visible(brand)
  }</h2><strong class="number">${formatNumber(before)}<small>%</small> → ${
    formatNumber(after)
  }<small>%</small></strong><p class="delta ${direction}"><b>${formatPoints(delta)} points</b><span>${
    direction === "flat" ? "within noise" : "more than noise"
  }</span></p><p class="sure">${words}</p></div></section>`

const measurePanel = (
  { organization: { slug }, role }: Frame,
  { after, before, unmeasured }: StoredComparison
): Html => {
  const which = unmeasured.map(({ startedAt }) => formatMinute(startedAt)).join(" and ")
  return html`<section class="panel" aria-labelledby="measure"><header><h2 id="measure">Measured differently</h2></header><p>The scan of ${which} was measured with different names or rules. To compare the scans, its answers are measured again with the newer names and the current rules. No platform is asked, and the older score is kept.</p>${
    atLeast(role, "member")
      ? html`<form class="actions" method="post" action="${inOrganization(slug, "/scans/compare")}">${
        hiddenField("before", before.id)
      }${hiddenField("after", after.id)}<button class="primary">Measure again</button></form>`
      : html`<p class="small">Members of the organization can do this.</p>`
  }</section>`
}

const comparisonOf = (frame: Frame, stored: StoredComparison, data: CompareData): Fragment => {
  const { comparison } = stored
  if (comparison === null) return measurePanel(frame, stored)
  const { breaks, nCells, ofCells, trackedSet, trend } = comparison
  if (trend === null) return html`<p class="note warn">${describeTrend(comparison)}</p>`
  return html`<div class="grid">${
    headlinePanel(
      trackedSet.brand.name,
      trend,
      `${nCells} of ${ofCells} pairs of question and platform ${
        breaks.length === 0 ? "were answered in both scans" : "can be compared"
      }.`
    )
  }${breaks.length > 0 && html`<p class="note warn">${describeBreaks(breaks)}</p>`}${
    tables(frame, comparison, data)
  }</div>`
}

export const comparePage = (frame: Frame, data: CompareData): Html => {
  const { scans, stored } = data
  const { slug } = frame.organization
  const query = stored === null ? {} : { before: stored.before.id, after: stored.after.id }
  return layout(frame, {
    title: "Compare two scans",
    here: "scans",
    simulated: stored?.after.simulated ?? false,
    summary: html`<a href="${inOrganization(slug, "/scans")}">Scans</a>`,
    actions: stored !== null && stored.comparison?.trend != null &&
      html`<a class="button" href="${inOrganization(slug, "/scans/compare.csv", query)}">Download CSV</a>`,
    body: stored === null
      ? html`<section class="panel"><div class="empty"><h2>You need two completed scans</h2><p>This page shows what changed between them, and whether by more than noise.</p></div></section>`
      : html`${chooser(slug, scans, stored)}${
        [stored.before, stored.after].map((scan) => {
          const part = inQuestions(formatNarrowing(scan))
          return part !== null &&
            html`<p class="note">The scan of ${formatMinute(scan.startedAt)} asked only ${part}.</p>`
        })
      }${comparisonOf(frame, stored, data)}`
  })
}
