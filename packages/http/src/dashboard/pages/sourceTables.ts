/** The tables of the page of sources: sites, gaps and searches. */
import type { Scan } from "@sov/core/scanning"
import { type CitedSite, isSteady, type Owner, type Search, type SourceChange, type SourceGap } from "@sov/core/sources"
import { externalAddress } from "../Address.ts"
import { estimateBar } from "../charts/bars.ts"
import { formatDate, formatPercent } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { dataTable, hidden, numeric, wideNumeric } from "./lists.ts"
import { declareList, type ListViewOf, type sortHeads } from "./listView.ts"
import { platformName } from "./words.ts"

/** The sortable values of a row of any of the tables. */
export interface SourceValues {
  readonly name: string
  readonly answers: number
  readonly questions?: number
  readonly you?: number
  readonly platform?: string
}

/** The list of each table; `usual` is the order of the report. */
export const sourceList = declareList({
  text: ({ name }: SourceValues) => name,
  by: {
    usual: () => 0,
    name: ({ name }) => name,
    answers: ({ answers }) => answers,
    questions: ({ questions = 0 }) => questions,
    you: ({ you = 0 }) => you,
    platform: ({ platform = "" }) => platform
  },
  usual: "usual",
  perPage: 200
})
type SourceOrder = ListViewOf<typeof sourceList>["sort"]

/** The table to show, with its content. */
export type SourceTable =
  | {
    readonly view: "domains" | "pages"
    readonly sites: ReadonlyArray<CitedSite>
    /** Number of sites that are not listed because they are cited too rarely; 0 if all were requested. */
    readonly rare: number
    /** Null = there is no previous scan to compare with, or changes were not requested. */
    readonly changes: { readonly since: Scan; readonly changes: ReadonlyArray<SourceChange> } | null
  }
  | {
    readonly view: "gaps"
    readonly gaps: ReadonlyArray<SourceGap>
    readonly tested: number
    readonly competitors: ReadonlyMap<string, string>
  }
  | { readonly view: "searches"; readonly searches: ReadonlyArray<Search> }

/** Who owns a source: the brand or a competitor; empty otherwise. */
const ownerCell = (owner: Owner | null): Fragment =>
  owner?.kind === "own"
    ? html`<span class="pill on">you</span>`
    : owner?.kind === "competitor" && html`<span class="pill">${visible(owner.name)}</span>`

/** The name of a site; a page with a web address becomes a link. */
const siteName = (site: CitedSite, view: "domains" | "pages"): Fragment => {
  const address = view === "pages" ? externalAddress(site.name) : null
  const name = visible(site.name.replace(/^https:\/\//, ""))
  return address === null
    ? name
    : html`<a href="${address}" rel="noreferrer noopener nofollow">${name}</a>`
}

/** Builds the column heads that sort the table. */
type SortHead = ReturnType<typeof sortHeads<SourceOrder>>

export const sitesTable = (view: "domains" | "pages", sites: ReadonlyArray<CitedSite>, head: SortHead): Html => {
  const hasSamples = sites.some(({ samples }) => samples !== null)
  return dataTable(
    "table",
    [
      head("name", { title: view === "domains" ? "Domain" : "Page" }, "ascending"),
      "Owner",
      { ...numeric("Share"), about: "citationShare" },
      { title: "0–100 %", class: "wide scale" },
      head("answers", numeric("Answers")),
      head("questions", numeric("Questions")),
      head("you", numeric("Naming you")),
      ...hasSamples ? [wideNumeric("Samples")] : []
    ],
    sites.map((site) =>
      html`<tr${attributes({ class: site.owner?.kind === "own" && "own" })}><th scope="row" class="break">${
        siteName(site, view)
      }${!site.listed && html`<br><small>rare: may differ in another scan</small>`}</th><td>${
        ownerCell(site.owner)
      }</td><td class="num"><b>${formatPercent(site.share, 1)}</b></td><td class="wide">${
        estimateBar(site.share, null)
      }</td><td class="num">${site.answers}</td><td class="num">${site.keywords}</td><td class="num">${site.namingBrand} of ${site.answers}</td>${
        hasSamples &&
        html`<td class="num wide">${
          site.samples !== null &&
          `${site.samples.cited} of ${site.samples.of}${isSteady(site.samples) ? "" : ", not steady"}`
        }</td>`
      }</tr>`
    )
  )
}

/** Sites that the newest scan cites more or less often than the previous scan. */
export const changesNote = (
  changes: Extract<SourceTable, { readonly view: "domains" | "pages" }>["changes"]
): Fragment => {
  if (changes === null) return null
  const since = formatDate(changes.since.completedAt ?? changes.since.startedAt)
  return changes.changes.length === 0
    ? html`<p class="note">No domain changed by more than noise since the scan of ${since}.</p>`
    : html`<div class="note">More than noise since the scan of ${since}:<ul>${
      changes.changes.map(({ domain, down, up }) =>
        html`<li>${visible(domain)} is cited ${up > down ? "more" : "less"} often (${up} up, ${down} down)</li>`
      )
    }</ul></div>`
}

export const gapsTable = (
  gaps: ReadonlyArray<SourceGap>,
  competitors: ReadonlyMap<string, string>,
  head: SortHead
): Html =>
  dataTable(
    "table",
    [
      head("name", { title: "Domain" }, "ascending"),
      head("answers", { ...numeric("Answers naming only competitors"), about: "gap" }),
      head("you", numeric("Answers naming you")),
      "Competitors",
      hidden("Noise")
    ],
    gaps.map((gap) =>
      html`<tr><th scope="row" class="break">${
        visible(gap.domain)
      }</th><td class="num">${gap.rivalOnly} of ${gap.rivalOnlyCells}</td><td class="num">${gap.withBrand} of ${gap.withBrandCells}</td><td>${
        visible(gap.rivals.map((id) => competitors.get(id) ?? id).join(", "))
      }</td><td>${!gap.proven && html`<span class="pill">within noise</span>`}</td></tr>`
    )
  )

export const searchesTable = (frame: Frame, searches: ReadonlyArray<Search>, head: SortHead): Html =>
  dataTable(
    "table",
    [
      head("name", { title: "Searched for" }, "ascending"),
      head("platform", { title: "Platform" }, "ascending"),
      head("answers", numeric("Answers"))
    ],
    searches.map(({ answers, of, platform, query }) =>
      html`<tr><th scope="row" class="break">${visible(query)}</th><td>${
        visible(platformName(frame, platform))
      }</td><td class="num">${answers} of ${of}</td></tr>`
    )
  )
