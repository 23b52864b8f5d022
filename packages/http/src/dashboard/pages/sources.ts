/** Sources: the pages that answers cite, gaps compared with competitors, and searches. */
import { pluralized } from "@sov/core/common"
import type { PlatformId } from "@sov/core/platforms"
import { type ComparedPeriods, otherQuestions } from "@sov/core/scoring"
import { type Funnels, minListedAnswers, minListedKeywords, type SourceReport } from "@sov/core/sources"
import { formatDate, formatMinute, formatPercent, formatRange } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, hiddenField, selectField, tagField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric, wideNumeric } from "./lists.ts"
import { listPager, type ListQuery, type ListViewOf, maxSearchLength, sortHeads, viewRows } from "./listView.ts"
import { emptyPeriod, filePeriod, periodBar, type PeriodContent, type PeriodQuery } from "./period.ts"
import { narrowedNote } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { funnelPanel } from "./sourceFunnel.ts"
import {
  changesNote,
  gapsTable,
  searchesTable,
  sitesTable,
  sourceList,
  type SourceTable,
  type SourceValues
} from "./sourceTables.ts"
import { platformName } from "./words.ts"

/** The four tables of the page and their paths. */
export const sourceViews = {
  domains: { path: "/sources", title: "Domains" },
  pages: { path: "/sources/pages", title: "Pages" },
  gaps: { path: "/sources/gaps", title: "Gaps" },
  searches: { path: "/sources/searches", title: "Searches" }
} as const
export type SourceView = keyof typeof sourceViews

/** The filters for answers, as given in the address. */
export interface SourceFilters {
  readonly platform?: string | undefined
  readonly keyword_id?: string | undefined
  readonly tag?: string | undefined
  readonly scans?: number | undefined
  readonly all?: "1" | undefined
  readonly q?: string | undefined
  readonly sort?: string | undefined
}

/** The filters and the period, as given in the address. */
type SourceQuery = SourceFilters & PeriodQuery

/** The values that the filters offer. */
export interface SourceChoices {
  readonly platforms: ReadonlyArray<PlatformId>
  readonly keywords: ReadonlyArray<readonly [id: string, text: string]>
  /** Tags in use. */
  readonly tags: ReadonlyArray<string>
}

export interface SourcesContent {
  readonly report: SourceReport
  readonly table: SourceTable
  /** Shown with the table of domains; null with the other tables. */
  readonly funnels: Funnels | null
  readonly filters: SourceQuery
  readonly period: Pick<PeriodContent, "fault" | "query">
  readonly choices: SourceChoices
  readonly view: ListViewOf<typeof sourceList>
}

const scanChoices = [1, 2, 4, 10] as const

const tabs = ({ organization: { slug } }: Frame, here: SourceView, filters: SourceQuery): Html =>
  html`<nav class="tabs" aria-label="Tables of sources">${
    (Object.keys(sourceViews) as ReadonlyArray<SourceView>).map((view) =>
      html`<a href="${
        inOrganization(slug, sourceViews[view].path, {
          ...filters,
          scans: null,
          all: null,
          q: null,
          sort: null
        })
      }"${attributes({ "aria-current": view === here && "page" })}>${sourceViews[view].title}</a>`
    )
  }</nav>`

const sourceFilters = (frame: Frame, view: SourceView, filters: SourceQuery, choices: SourceChoices): Html =>
  filterForm(
    inOrganization(frame.organization.slug, sourceViews[view].path),
    html`${
      selectField({
        label: "Platform",
        name: "platform",
        all: "All platforms",
        choices: choices.platforms.map((id) => [id, platformName(frame, id)]),
        chosen: filters.platform ?? null
      })
    }${
      selectField({
        label: "Question",
        name: "keyword_id",
        all: "All questions",
        choices: choices.keywords,
        chosen: filters.keyword_id ?? null,
        grows: true
      })
    }${tagField(choices.tags, filters.tag)}${
      filters.period === undefined && selectField({
        label: "Scans",
        name: "scans",
        all: "Default (latest scan)",
        choices: scanChoices.map((count) => [String(count), count === 1 ? "Latest scan" : `Last ${count} scans`]),
        chosen: filters.scans?.toString() ?? null
      })
    }<label>Search<input type="search" name="q" maxlength="${maxSearchLength}"${
      attributes({ value: filters.q })
    }></label><label class="check"><input type="checkbox" name="all" value="1"${
      attributes({ checked: filters.all === "1" })
    }> Show all</label>${
      (["period", "from", "to", "sort"] as const).map((name) =>
        filters[name] !== undefined && hiddenField(name, filters[name])
      )
    }`
  )

const rate = (name: string, value: number | null, interval: SourceReport["summary"]["ownCitationInterval"] = null) =>
  value !== null &&
  html`<div><dt>${name}</dt><dd>${formatPercent(value)}${
    interval !== null && html` <span class="range">95 %: ${formatRange(interval)}, ${otherQuestions}</span>`
  }</dd></div>`

const summaryPanel = (frame: Frame, { summary }: SourceReport): Html => {
  const { ownCitationInterval, ownCitationRate, platforms, silent } = summary
  const rows = Object.entries(platforms) as ReadonlyArray<
    [PlatformId, NonNullable<typeof platforms[keyof typeof platforms]>]
  >
  return html`<section class="panel" aria-labelledby="cited"><header><h2 id="cited">How your pages are cited</h2></header><dl class="figures">${
    rate("Answers with sources that cite your pages", ownCitationRate, ownCitationInterval)
  }${rate("Named, not cited", summary.namedNotCited)}${rate("Cited, not named", summary.citedNotNamed)}</dl>${
    dataTable(
      "cited",
      [
        "Platform",
        numeric("Answers"),
        numeric("With sources"),
        wideNumeric("Searched"),
        numeric("Own pages cited")
      ],
      rows.map(([id, own]) =>
        html`<tr><th scope="row">${visible(platformName(frame, id))}${
          silent.includes(id) && html`<br><small>reports no sources</small>`
        }</th><td class="num">${own.answers}</td><td class="num">${own.grounded}</td><td class="num wide">${
          formatPercent(own.searchRate)
        }</td><td class="num"><b>${formatPercent(own.ownCitationRate)}</b></td></tr>`
      )
    )
  }</section>`
}

const noMatch = emptyState("No match", "Search for another part of a name.")

/** The table with its explanations. */
const tablePanel = (frame: Frame, { filters, report, table, view }: SourcesContent): Html => {
  const at = ({ page, q, sort }: ListQuery) =>
    inOrganization(frame.organization.slug, sourceViews[table.view].path, { ...filters, q: q || null, sort, page })
  const head = sortHeads(view, at)
  /** The rows of the requested page, with links to the other pages. */
  const listed = <Row>(
    rows: ReadonlyArray<Row>,
    valuesOf: (row: Row) => SourceValues,
    toTable: (rows: ReadonlyArray<Row>) => Html
  ): Fragment => {
    const part = viewRows(rows.map((row) => ({ ...valuesOf(row), row })), view, sourceList)
    return html`${part.rows.length === 0 ? noMatch : toTable(part.rows.map(({ row }) => row))}${
      part.pages > 1 && listPager("Pages of the table", view, part, at)
    }`
  }
  const panel = (title: string, body: Fragment, ...words: ReadonlyArray<Fragment>) =>
    html`<section class="panel" aria-labelledby="table"><header><h2 id="table">${title}</h2></header>${body}${
      words.some((one) => one !== null && one !== false) &&
      html`<footer>${words.map((one) => one !== null && one !== false && html`<p>${one}</p>`)}</footer>`
    }</section>`
  switch (table.view) {
    case "domains":
    case "pages": {
      const what = table.view === "domains" ? "domain" : "page"
      return panel(
        table.view === "domains" ? "Cited domains" : "Cited pages",
        table.sites.length === 0
          ? emptyState(`No ${what} is cited often enough to be listed`, "Show all, or look at more scans.")
          : listed(
            table.sites,
            ({ answers, keywords, name, namingBrand }) => ({
              name,
              answers,
              questions: keywords,
              you: namingBrand / answers
            }),
            (rows) => sitesTable(table.view, rows, head)
          ),
        table.rare > 0 && filters.all !== "1" &&
          `The list shows sources cited in at least ${minListedAnswers} answers to at least ${minListedKeywords} questions. ${
            pluralized(table.rare, what)
          } appeared less often; most would differ in another scan.`
      )
    }
    case "gaps": {
      const proven = table.gaps.filter((gap) => gap.proven).length
      return panel(
        "Where competitors are cited without you",
        table.gaps.length > 0 && listed(
          table.gaps,
          ({ domain, rivalOnly, withBrand }) => ({ name: domain, answers: rivalOnly, you: withBrand }),
          (rows) => gapsTable(rows, table.competitors, head)
        ),
        `${proven === 0 ? "None" : proven} of ${pluralized(table.tested, "domain")} ${
          proven > 1 ? "differ" : "differs"
        } by more than noise (${pluralized(report.scans.length, "scan")}).`
      )
    }
    case "searches":
      return panel(
        "Searches by platforms",
        table.searches.length === 0
          ? emptyState("No searches reported", "Not every platform reports its searches.")
          : listed(
            table.searches,
            ({ answers, platform, query }) => ({ name: query, answers, platform }),
            (rows) => searchesTable(frame, rows, head)
          )
      )
  }
}

const withoutPeriod = ({ all, keyword_id, platform, q, scans, sort, tag }: SourceQuery): SourceFilters => ({
  all,
  keyword_id,
  platform,
  q,
  scans,
  sort,
  tag
})

export const sourcesPage = (frame: Frame, content: SourcesContent): Html => {
  const { choices, filters, funnels, period, report, table } = content
  const { keywords, scans: [latest, ...earlier], summary } = report
  const { slug } = frame.organization
  const { path, title } = sourceViews[table.view]
  return layout(frame, {
    title: table.view === "domains" ? "Sources" : `Sources: ${title.toLowerCase()}`,
    here: "sources",
    simulated: latest.simulated,
    summary: html`Scan of <a href="${inOrganization(slug, `/scans/${latest.id}`)}">${
      formatMinute(latest.completedAt ?? latest.startedAt)
    }</a>${earlier.length > 0 && ` and ${earlier.length} before it`} · ${pluralized(keywords.length, "question")}, ${
      pluralized(summary.answers, "answer")
    }, ${summary.grounded} with sources`,
    actions: html`<a class="button" href="${
      inOrganization(slug, `${path}.csv`, { ...filters, ...filePeriod(period) })
    }">Download CSV</a>`,
    body: html`${tabs(frame, table.view, filters)}${
      periodBar({
        ...period,
        at: (query) => inOrganization(slug, path, { ...withoutPeriod(filters), ...query }),
        compares: false,
        kept: { ...withoutPeriod(filters), scans: filters.scans?.toString() }
      }, null)
    }${sourceFilters(frame, table.view, filters, choices)}${narrowedNote(latest)}<div class="grid">${
      table.view === "domains" && summaryPanel(frame, report)
    }${funnels !== null && funnelPanel(frame, funnels)}${
      (table.view === "domains" || table.view === "pages") && changesNote(table.changes)
    }${tablePanel(frame, content)}</div>`
  })
}

/** The page before the first completed scan, or for a period without a scan. */
export const noSourcesPage = (
  frame: Frame,
  view: SourceView,
  { compared, ...period }: Pick<PeriodContent, "fault" | "query"> & { readonly compared: ComparedPeriods | null }
): Html =>
  layout(frame, {
    title: "Sources",
    here: "sources",
    body: compared !== null
      ? html`${
        periodBar({
          ...period,
          at: (query) => inOrganization(frame.organization.slug, sourceViews[view].path, { ...query }),
          compares: false
        }, null)
      }${emptyPeriod(compared)}`
      : html`<section class="panel">${
        emptyState(
          frame.since === null ? "No scan has completed yet" : `No scan has completed since ${formatDate(frame.since)}`,
          "This page will show which pages answers cite, where only competitors are cited, and what platforms searched for.",
          html`<a class="button" href="${inOrganization(frame.organization.slug, "/scans")}">Go to scans</a>`
        )
      }</section>`
  })
