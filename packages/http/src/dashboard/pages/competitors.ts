/** Competitors: the brand, its competitors, and the share of each. */
import { pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import {
  type ComparedPeriods,
  type Competitors,
  type NamedStanding,
  otherQuestions,
  type Trend
} from "@sov/core/scoring"
import type { Competitor, TrackedSet } from "@sov/core/tracking"
import { estimateBar, sparkline, sparklineTop } from "../charts/bars.ts"
import { formatDate, formatMinute, formatPercent, formatPoints, formatRange } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, hidden, intervalColumn, numeric, wideColumn } from "./lists.ts"
import {
  declareList,
  type ListQuery,
  type ListViewOf,
  minSearched,
  searchForm,
  sortHeads,
  viewRows
} from "./listView.ts"
import { addOptions, type NamesForm, namesForm } from "./names.ts"
import { emptyPeriod, filePeriod, formatPeriod, periodBar, type PeriodContent } from "./period.ts"
import { narrowedNote } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { type SuggestionsContent, suggestionsPanel } from "./suggestions.ts"
import { brandFacts } from "./tracking.ts"

const brandPanel = (frame: Frame, { brand }: TrackedSet): Html =>
  html`<section class="panel" aria-labelledby="brand"><header><h2 id="brand">Your brand</h2>${
    atLeast(frame.role, "member") &&
    html`<a class="button" href="${inOrganization(frame.organization.slug, "/competitors/brand")}">Edit</a>`
  }</header>${brandFacts(brand)}</section>`

/** A row of the table. */
interface Row {
  readonly standing: NamedStanding | null
  /** The competitor that is tracked under this name; null = the name is not tracked. */
  readonly tracked: Competitor | null
  /** The change in the share since the previous scan or period. */
  readonly moved: Trend | null | undefined
}

const movedOf = ({ comparison }: Competitors, { id, who }: NamedStanding) =>
  who === "brand"
    ? comparison?.trend
    : who === "nobody"
    ? comparison?.nobody
    : comparison?.competitors.find((one) => one.id === id)?.trend

const listRows = (found: Competitors): ReadonlyArray<Row> => {
  const { named, trackedSet: { competitors } } = found
  const measured = new Set(named.map(({ id }) => id))
  const [nobody, others] = [true, false].map((side) =>
    named.filter(({ who }) => (who === "nobody") === side).map((standing): Row => ({
      standing,
      tracked: competitors.find(({ id }) => id === standing.id) ?? null,
      moved: movedOf(found, standing)
    }))
  )
  return [
    ...others!,
    ...competitors.filter(({ id }) => !measured.has(id)).map((tracked): Row => ({
      standing: null,
      tracked,
      moved: null
    })),
    ...nobody!
  ]
}

const rowName = ({ organization: { slug } }: Frame, { standing, tracked }: Row): Fragment => {
  if (standing === null) return html`${visible(tracked!.name)}<br><small>not measured yet</small>`
  switch (standing.who) {
    case "brand":
      return html`${visible(standing.name ?? "")} <span class="pill on">you</span>`
    case "nobody":
      return "No tracked brand"
    case "competitor":
      return tracked === null
        ? html`${visible(standing.name ?? standing.id ?? "")}<br><small>no longer tracked</small>`
        : html`<a class="plain" href="${inOrganization(slug, `/competitors/${tracked.id}/share`)}">${
          visible(tracked.name)
        }</a>`
  }
}

const changeLinks = ({ organization: { slug } }: Frame, { id, name }: Competitor): Html =>
  html`<span class="actions"><a class="button" href="${
    inOrganization(slug, `/competitors/${id}`)
  }">Edit<span class="hidden"> ${visible(name)}</span></a><a class="button danger" href="${
    inOrganization(slug, `/competitors/${id}/remove`)
  }">Remove…<span class="hidden"> ${visible(name)}</span></a></span>`

/** The list of names. One page shows them all: nobody tracks that many. */
export const competitorList = declareList({
  text: ({ standing, tracked }: Row) => [standing?.name, tracked?.name, ...tracked?.aliases ?? []].join(" "),
  by: {
    share: ({ standing }) => standing?.who === "nobody" ? null : standing?.sov ?? null,
    name: ({ standing, tracked }) => tracked?.name ?? standing?.name ?? null,
    change: ({ moved }) => moved?.delta ?? null
  },
  usual: "-share",
  perPage: 1000
})

/** The change in a share, and whether it is noise. */
const changeCell = ({ moved }: Row): Fragment => {
  if (moved == null) return null
  return moved.direction === "flat"
    ? html`${formatPoints(moved.delta)}<br><small>within noise</small>`
    : html`<b>${formatPoints(moved.delta)}</b><br><small>more than noise</small>`
}

const standingsPanel = (
  frame: Frame,
  { competitors: found, period: { query }, view }: Pick<CompetitorsContent, "competitors" | "period" | "view">
): Html => {
  const { named, period, scan } = found
  const { slug } = frame.organization
  const at = (other: ListQuery) => inOrganization(slug, "/competitors", { ...query, ...other })
  const head = sortHeads(view, at)
  const part = viewRows(listRows(found), view, competitorList)
  const mayChange = atLeast(frame.role, "member")
  const top = sparklineTop(named.flatMap(({ course }) => course))
  return html`<section class="panel" aria-labelledby="standings"><header><h2 id="standings">Share of voice</h2><p>${
    scan === null
      ? "no measured scan yet"
      : period !== null
      ? formatPeriod(period.period)
      : html`scan of <a href="${inOrganization(frame.organization.slug, `/scans/${scan.id}`)}">${
        formatMinute(scan.completedAt ?? scan.startedAt)
      }</a>`
  }</p></header>${
    found.trackedSet.competitors.length >= minSearched &&
    searchForm(inOrganization(slug, "/competitors"), "Search names", view, { ...query })
  }${
    dataTable(
      "standings",
      [
        head("name", { title: "Name" }, "ascending"),
        head("share", { ...numeric("Share"), about: "share" }),
        intervalColumn,
        { title: "0–100 %", class: "wide scale" },
        ...found.comparison?.trend == null ? [] : [head("change", { ...numeric("Change"), about: "noise" })],
        wideColumn("Trend"),
        wideColumn("Also known as"),
        ...mayChange ? [hidden("Change")] : []
      ],
      part.rows.map((row) => {
        const { standing, tracked } = row
        const aliases = standing?.who === "brand" ? found.trackedSet.brand.aliases : tracked?.aliases ?? []
        return html`<tr${attributes({ class: standing?.who === "brand" && "you" })}><th scope="row">${
          rowName(frame, row)
        }</th><td class="num"><b>${formatPercent(standing?.sov)}</b></td><td class="range">${
          formatRange(standing?.interval)
        }</td><td class="wide">${standing !== null && estimateBar(standing.sov, standing.interval)}</td>${
          found.comparison?.trend != null &&
          html`<td class="num" data-name="Change">${changeCell(row)}</td>`
        }<td class="wide">${
          standing !== null && standing.course.length > 0 && sparkline(standing.course, top)
        }</td><td class="wide">${visible(aliases.join(", "))}</td>${
          mayChange && html`<td class="num">${tracked !== null && changeLinks(frame, tracked)}</td>`
        }</tr>`
      }),
      "stacked"
    )
  }<footer>95 %: ${otherQuestions}.</footer></section>`
}

const outdatedNote = (
  { organization: { slug }, role }: Frame,
  { measuredOtherwise, trackedSet }: Competitors
): Fragment =>
  measuredOtherwise > 0 &&
  html`<p class="note warn">Names or topics were last changed on ${formatDate(trackedSet.createdAt)}; ${
    pluralized(measuredOtherwise, "scan")
  } ${measuredOtherwise === 1 ? "is" : "are"} measured with different names, topics or rules. ${
    atLeast(role, "member") &&
    html`<a href="${inOrganization(slug, "/competitors/measure")}">See what would change</a>`
  }</p>`

const addForm = (frame: Frame, form: NamesForm): Html =>
  html`<section class="panel" aria-labelledby="add"><header><h2 id="add">Add a competitor</h2></header>${
    namesForm(frame, form, addOptions)
  }</section>`

export interface CompetitorsContent {
  readonly competitors: Competitors
  readonly period: Pick<PeriodContent, "fault" | "query"> & { readonly compared: ComparedPeriods | null }
  readonly view: ListViewOf<typeof competitorList>
  readonly suggestions: SuggestionsContent
  /** The form that adds a competitor. */
  readonly form: NamesForm
}

export const competitorsPage = (
  frame: Frame,
  { competitors: found, form, period, suggestions, view }: CompetitorsContent
): Html =>
  layout(frame, {
    title: "Competitors",
    here: "competitors",
    simulated: (found.scan?.simulated ?? false) || (suggestions.found?.simulated ?? false),
    summary: `${visible(found.trackedSet.brand.name)} and ${
      pluralized(found.trackedSet.competitors.length, "competitor")
    }`,
    actions: html`<span class="actions"><a class="button" href="${
      inOrganization(frame.organization.slug, "/competitors.csv", filePeriod(period))
    }">Download CSV</a>${
      atLeast(frame.role, "member") && html`<a class="button" href="#add">Add a competitor</a>`
    }</span>`,
    body: html`${
      periodBar({
        ...period,
        at: (query) => inOrganization(frame.organization.slug, "/competitors", { ...query }),
        compares: true
      }, found.period)
    }${outdatedNote(frame, found)}${found.scan !== null && narrowedNote(found.scan)}<div class="grid">${
      brandPanel(frame, found.trackedSet)
    }${
      found.scan === null && period.compared !== null
        ? emptyPeriod(period.compared)
        : standingsPanel(frame, { competitors: found, period, view })
    }${suggestionsPanel(frame, suggestions)}${atLeast(frame.role, "member") && addForm(frame, form)}</div>`
  })

/** The page for viewers while nothing is tracked. */
export const noBrandPage = (frame: Frame): Html =>
  layout(frame, {
    title: "Competitors",
    here: "competitors",
    body:
      html`<section class="panel"><div class="empty"><h2>No brand yet</h2><p>A member of the organization needs to set it.</p></div></section>`
  })
