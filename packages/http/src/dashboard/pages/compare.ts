/** Two scans side by side: what moved, and whether by more than noise. */
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
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, hiddenField, selectField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, hidden, num } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

export interface CompareData {
  /** Completed ones, newest first. */
  readonly scans: ReadonlyArray<Pick<Scan, "id" | "startedAt" | "simulated">>
  /** Null with fewer than two scans. */
  readonly stored: StoredComparison | null
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

/** A line of a table: who, before, after, and whether it moved by more than noise. */
interface ChangeLine {
  readonly name: string
  readonly before: number
  readonly after: number
  readonly delta: number
  readonly moved: boolean
  readonly isBrand?: boolean
}

const changeRow = ({ after, before, delta, moved, name }: ChangeLine): Html =>
  html`<tr><th scope="row">${visible(name)}</th><td class="num">${formatPercent(before)}</td><td class="num">${
    formatPercent(after)
  }</td><td class="num">${moved ? html`<b>${formatPoints(delta)}</b>` : formatPoints(delta)}</td><td>${
    moved && html`<span aria-hidden="true">●</span><span class="hidden">more than noise</span>`
  }</td></tr>`

const changeTable = (id: string, title: string, first: string, lines: ReadonlyArray<ChangeLine>): Html =>
  html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2><p>● = more than noise</p></header>${
    dataTable(id, [first, num("Before"), num("After"), num("Points"), hidden("Moved")], lines.map(changeRow))
  }</section>`

const namedLine = (name: string, { after, before, beyondNoise, delta }: NamedTrend): ChangeLine => ({
  name,
  before,
  after,
  delta,
  moved: beyondNoise
})

const tables = (frame: Frame, found: ScanComparison): Html => {
  const nameOf = new Map<string, string>(found.trackedSet.competitors.map(({ id, name }) => [id, name]))
  return html`<div class="grid two">${
    changeTable(
      "platforms",
      "Platforms",
      "Platform",
      found.platforms.map(({ beyondNoise, id, ...change }) => ({
        ...change,
        name: platformName(frame, id),
        moved: beyondNoise
      }))
    )
  }${
    changeTable("rivals", "Others named", "Name", [
      ...found.competitors.map(({ id, trend }) => namedLine(nameOf.get(id) ?? id, trend)),
      ...found.nobody === null ? [] : [namedLine("No tracked brand", found.nobody)]
    ])
  }</div>${
    changeTable(
      "questions",
      "Questions",
      "Question",
      found.keywords.map(({ beyondNoise, id, ...change }) => ({
        ...change,
        name: found.keywordTexts.get(id) ?? id,
        moved: beyondNoise
      }))
    )
  }`
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

const comparisonOf = (frame: Frame, stored: StoredComparison): Fragment => {
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
  }${breaks.length > 0 && html`<p class="note warn">${describeBreaks(breaks)}</p>`}${tables(frame, comparison)}</div>`
}

export const comparePage = (frame: Frame, { scans, stored }: CompareData): Html => {
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
          const part = formatNarrowing(scan)
          return part !== null &&
            html`<p class="note">The scan of ${formatMinute(scan.startedAt)} asked only ${part}.</p>`
        })
      }${comparisonOf(frame, stored)}`
  })
}
