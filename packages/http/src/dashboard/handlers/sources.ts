/** Sources: cited domains and pages, gaps and searches, each with a CSV. */
import { KeywordId } from "@sov/core/common"
import { PlatformId } from "@sov/core/platforms"
import { formatNarrowing } from "@sov/core/scoring"
import {
  countSearches,
  findSourceGaps,
  gapJson,
  listCitedSites,
  maxSourceScans,
  readFunnels,
  readSourceChanges,
  readSources,
  searchJson,
  siteJson,
  type SourceReport
} from "@sov/core/sources"
import { listTags } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, type PageReply, sendCsv } from "../guard/Reply.ts"
import { noSourcesPage, type SourceChoices, sourcesPage, type SourceView, sourceViews } from "../pages/sources.ts"
import { sourceList, type SourceTable } from "../pages/sourceTables.ts"
import { listKeywordChoices } from "./keywordChoices.ts"
import { readListView } from "./listView.ts"
import { readFilePeriod, readPeriod } from "./period.ts"
import { isFilterOn, readFilter, TagFilter, withoutEmptyFields } from "./query.ts"
import { replyWithPage } from "./replies.ts"

/** Number of scans in each view if the address does not say it, the same as in `sov sources`. */
const usualScans: { readonly [view in SourceView]: number } = { domains: 1, pages: 1, gaps: 4, searches: 1 }

const ScanCount = Schema.NumberFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: maxSourceScans })
)

const readFilters = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return {
    platform: yield* readFilter(request, "platform", PlatformId),
    keywordId: yield* readFilter(request, "keyword_id", KeywordId),
    tag: yield* readFilter(request, "tag", TagFilter),
    scans: yield* readFilter(request, "scans", ScanCount),
    period: yield* readPeriod(request),
    all: isFilterOn(request, "all")
  }
})
type Filters = Effect.Success<ReturnType<typeof readFilters>>

const read = ({ organization, window }: OrganizationRequest, view: SourceView, filters: Filters) =>
  readSources(organization.id, window, {
    platform: filters.platform,
    keywordId: filters.keywordId,
    tag: filters.tag,
    scans: filters.scans ?? (filters.period.compared === null ? usualScans[view] : maxSourceScans),
    period: filters.period.compared?.period
  })

const listSites = ({ rows }: SourceReport, by: "domain" | "page", all: boolean) => {
  const sites = listCitedSites(rows, by)
  const listed = sites.filter((site) => site.listed)
  return { sites: all ? sites : listed, rare: sites.length - listed.length }
}

const listGaps = ({ rows }: SourceReport, all: boolean) => {
  const gaps = findSourceGaps(rows)
  return { gaps: all ? gaps : gaps.filter(({ proven }) => proven), tested: gaps.length }
}

const namesOf = ({ set }: SourceReport): ReadonlyMap<string, string> =>
  new Map(set.competitors.map(({ id, name }) => [id, name]))

const makeTable = Effect.fnUntraced(function*(
  { organization, window }: OrganizationRequest,
  view: SourceView,
  filters: Filters,
  report: SourceReport
) {
  const table: SourceTable = view === "gaps"
    ? { view, ...listGaps(report, filters.all), competitors: namesOf(report) }
    : view === "searches"
    ? { view, searches: countSearches(report.answers) }
    : view === "pages"
    ? { view, ...listSites(report, "page", filters.all), changes: null }
    : {
      view,
      ...listSites(report, "domain", filters.all),
      changes: filters.period.compared === null
        ? yield* readSourceChanges(organization.id, window, { ...filters, period: undefined })
        : null
    }
  return table
})

const listChoices = Effect.fnUntraced(function*(
  { configured, organization }: OrganizationRequest,
  { keywordId, platform }: Filters,
  { answers }: SourceReport
) {
  const platforms = new Set([...(configured ?? []).map(({ id }) => id), ...answers.map((answer) => answer.platform)])
  if (platform !== undefined) platforms.add(platform)
  const choices: SourceChoices = {
    platforms: [...platforms].toSorted(),
    keywords: (yield* listKeywordChoices(organization.id, keywordId)).map(({ id, text }) => [id, text]),
    tags: yield* listTags(organization.id)
  }
  return choices
})

const makePage = Effect.fnUntraced(function*(request: OrganizationRequest, view: SourceView) {
  const filters = yield* readFilters(request)
  const { all, keywordId, platform, scans, tag } = filters
  const report = yield* read(request, view, filters)
  const listView = yield* readListView(request, sourceList)
  const sort = request.query.get("sort") ?? undefined
  return sourcesPage(request.frame, {
    view: listView,
    report,
    table: yield* makeTable(request, view, filters, report),
    funnels: view === "domains" ? yield* readFunnels(request.organization.id, report) : null,
    filters: {
      platform,
      keyword_id: keywordId,
      tag,
      scans,
      all: all ? "1" : undefined,
      q: listView.q || undefined,
      sort,
      ...filters.period.query
    },
    period: filters.period,
    choices: yield* listChoices(request, filters, report)
  })
})

const show = (view: SourceView) => (request: OrganizationRequest) => {
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}${sourceViews[view].path}`)
  return clean !== null ? Effect.succeed(clean) : replyWithPage(
    makePage(request, view).pipe(
      Effect.catchTag(
        "NoCompletedScan",
        () => Effect.map(readPeriod(request), (period) => noSourcesPage(request.frame, view, period))
      )
    )
  )
}

/** GET /o/{slug}/sources */
export const showSources = show("domains")
/** GET /o/{slug}/sources/pages */
export const showSourcePages = show("pages")
/** GET /o/{slug}/sources/gaps */
export const showSourceGaps = show("gaps")
/** GET /o/{slug}/sources/searches */
export const showSearches = show("searches")

/** Downloads a table of a report as CSV; without rows before the first scan. */
const download = (
  view: SourceView,
  toReply: (report: SourceReport | null, all: boolean) => PageReply
) =>
  Effect.fnUntraced(function*(request: OrganizationRequest) {
    yield* readFilePeriod(request)
    const filters = yield* readFilters(request)
    const report = yield* read(request, view, filters).pipe(
      Effect.catchTag("NoCompletedScan", () => Effect.succeed(null))
    )
    return toReply(report, filters.all)
  })

/** What the report's newest scan asked; null if it asked everything. */
const findAsked = (report: SourceReport | null) => report === null ? null : formatNarrowing(report.scans[0])

const isSimulated = (report: SourceReport | null) => report?.scans[0].simulated ?? false

type SiteRow = ReturnType<ReturnType<typeof siteJson>>
type GapRow = ReturnType<ReturnType<typeof gapJson>>
type SearchRow = ReturnType<typeof searchJson>

const downloadSites = (view: "domains" | "pages", by: "domain" | "page") =>
  download(view, (report, all) =>
    sendCsv<SiteRow>(
      `sources-${view}.csv`,
      {
        [by]: (row) => (row as { readonly [name: string]: unknown })[by],
        ...columnsOf<SiteRow>("answers", "keywords", "share", "owner", "names_you", "cited_samples", "samples"),
        ...columnsOf<SiteRow>("steady", "listed"),
        simulated: () => isSimulated(report),
        asked: () => findAsked(report)
      },
      report === null ? [] : listSites(report, by, all).sites.map(siteJson(by))
    ))

/** GET /o/{slug}/sources.csv */
export const downloadSources = downloadSites("domains", "domain")
/** GET /o/{slug}/sources/pages.csv */
export const downloadSourcePages = downloadSites("pages", "page")

/** GET /o/{slug}/sources/gaps.csv */
export const downloadSourceGaps = download("gaps", (report, all) =>
  sendCsv<GapRow>(
    "sources-gaps.csv",
    {
      ...columnsOf<GapRow>("domain", "rival_only", "rival_only_cells", "with_you", "with_you_cells"),
      rivals: ({ rivals }) => rivals.join("; "),
      ...columnsOf<GapRow>("probability", "beyond_chance"),
      simulated: () => isSimulated(report),
      asked: () => findAsked(report)
    },
    report === null ? [] : listGaps(report, all).gaps.map(gapJson(namesOf(report)))
  ))

/** GET /o/{slug}/sources/searches.csv */
export const downloadSearches = download("searches", (report) =>
  sendCsv<SearchRow>(
    "sources-searches.csv",
    {
      ...columnsOf<SearchRow>("query", "platform", "answers", "of"),
      simulated: () => isSimulated(report),
      asked: () => findAsked(report)
    },
    report === null ? [] : countSearches(report.answers).map(searchJson)
  ))
