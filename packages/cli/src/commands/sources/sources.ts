/** sov sources: the pages that answers cite. */
import { type OrganizationId, pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { PlatformId } from "@sov/core/platforms"
import { otherQuestions } from "@sov/core/scoring"
import {
  type CitedSite,
  countSearches,
  findSourceGaps,
  gapJson,
  listCitedSites,
  maxSourceScans,
  ownerText,
  readSourceChanges,
  readSources,
  searchJson,
  siteJson,
  type SourceReport
} from "@sov/core/sources"
import { findKeyword, findNamedTag } from "@sov/core/tracking"
import { Effect } from "effect"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Column, type Output, printable } from "../../output/Output.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { changeLines, takeShown } from "./sourceLines.ts"
import { changesJson, headJson, summaryJson } from "./sourcesJson.ts"

/** The options that all `sov sources` views share. */
export interface SourceOptions extends GlobalOptions {
  readonly scans?: string
  readonly platform?: string
  readonly keyword?: string
  readonly tag?: string
  readonly all?: boolean
}

const readScope = Effect.fnUntraced(function*(options: SourceOptions, organizationId: OrganizationId) {
  const platform = options.platform === undefined
    ? undefined
    : yield* decodeInput(PlatformId, options.platform as PlatformId, "--platform")
  const keyword = options.keyword === undefined ? undefined : yield* findKeyword(organizationId, options.keyword)
  if (options.tag !== undefined) yield* findNamedTag(organizationId, options.tag)
  return { platform, keywordId: keyword?.id, tag: options.tag }
})

export const readReport = Effect.fnUntraced(
  function*(options: SourceOptions, organizationId: OrganizationId, scans: string) {
    const scope = yield* readScope(options, organizationId)
    return yield* readSources(organizationId, wholeHistory, {
      ...scope,
      scans: yield* integerOption("--scans", options.scans ?? scans, 1, maxSourceScans)
    })
  }
)

const formatPercent = (value: number): string => `${Math.floor(value + 0.5)} %`

/** Describes what the numbers are based on: keywords, platforms, answers and scans. */
export const scopeLines = (out: Output, { keywords, scans, summary }: SourceReport): ReadonlyArray<string> => {
  const platforms = Object.keys(summary.platforms).length
  return [
    [
      `${pluralized(keywords.length, "keyword")} × ${pluralized(platforms, "platform")}, ${
        pluralized(summary.answers, "answer")
      }`,
      `${summary.grounded} with sources`,
      ...summary.silent.map((platform) => `${out.platformName(platform)} names none`),
      ...scans.length === 1 ? [] : [`${scans.length} scans`],
      ...scans[0].simulated ? [out.style("yellow", "SIMULATED")] : []
    ].join(" · "),
    ...summary.unread === 0 ? [] : [`${pluralized(summary.unread, "answer")} not read yet: sov rescore`]
  ]
}

/** The lines of `scopeLines`, and the rates over all platforms. */
const headLines = (out: Output, report: SourceReport): ReadonlyArray<string> => {
  const { summary } = report
  const { ownCitationInterval: interval, ownCitationRate: own } = summary
  const rates = [
    ...own === null ? [] : [
      `own pages cited in ${formatPercent(own)}${
        interval === null
          ? ""
          : ` (95 %: ${Math.floor(interval.low + 0.5)}–${Math.floor(interval.high + 0.5)}, ${otherQuestions})`
      } of those with sources`
    ],
    ...summary.namedNotCited === null ? [] : [`named, not cited ${formatPercent(summary.namedNotCited)}`],
    ...summary.citedNotNamed === null ? [] : [`cited, not named ${formatPercent(summary.citedNotNamed)}`]
  ]
  return [
    ...scopeLines(out, report),
    ...rates.length === 0 ? [] : [rates.join(" · ")]
  ]
}

/** Prints a view: an object for programs, its list as lines or CSV, or a table with text around it for people. */
export const printView = <Row extends object>(
  out: Output,
  head: object,
  name: string,
  rows: ReadonlyArray<Row>,
  view: {
    readonly columns: ReadonlyArray<Column<Row>>
    readonly before: ReadonlyArray<string>
    readonly after: ReadonlyArray<string>
  }
): void => {
  if (out.format === "json") return out.result({ ...head, [name]: rows }, () => "")
  if (out.format !== "table") return out.list(rows, view.columns, { empty: "" })
  for (const line of view.before) out.line(line)
  if (rows.length > 0) {
    out.line()
    out.list(rows, view.columns, { empty: "" })
  }
  for (const line of view.after) out.line(line)
}

/** A page's address without `https://`, because all pages have it. */
const removeScheme = (name: string): string => printable(name.replace(/^https:\/\//, ""))

const showSites = (options: SourceOptions, by: "domain" | "page") =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = yield* readReport(options, organization.id, "1")
    const all = listCitedSites(report.rows, by)
    const changes = by === "page" ? null : yield* readSourceChanges(
      organization.id,
      wholeHistory,
      yield* readScope(options, organization.id)
    )
    const listed = options.all === true ? all : all.filter((site) => site.listed)
    const shown = takeShown(listed, options.all === true)
    const rest = all.length - all.filter((site) => site.listed).length
    const samples = all.some((site) => site.samples !== null)
    const json = siteJson(by)
    const rows = listed.map((site) => ({ site, json: json(site) }))
    const columns: ReadonlyArray<Column<CitedSite>> = [
      { header: by.toUpperCase(), cell: (site) => removeScheme(site.name) },
      { header: "ANSWERS", cell: (site) => site.answers, align: "right" },
      { header: "KEYWORDS", cell: (site) => site.keywords, align: "right" },
      { header: "SHARE", cell: (site) => formatPercent(site.share), align: "right" },
      { header: "OWNER", cell: (site) => printable(ownerText(site.owner) ?? "") },
      { header: "NAMES YOU", cell: (site) => `${site.namingBrand}/${site.answers}`, align: "right" },
      ...samples
        ? [{
          header: "SAMPLES",
          cell: ({ samples: found }: CitedSite) => found === null ? "" : `${found.cited} of ${found.of}`,
          align: "right" as const
        }]
        : [],
      ...options.all === true ? [{ header: "", cell: (site: CitedSite) => site.listed ? "" : "once?" }] : []
    ]
    const head = {
      ...headJson(report),
      ...summaryJson(report),
      not_listed: rest,
      ...by === "page" ? {} : { changes: changesJson(changes) }
    }
    if (out.format !== "table") {
      return printView(out, head, `${by}s`, rows.map((row) => row.json), { columns: [], before: [], after: [] })
    }
    printView(out, head, `${by}s`, shown.rows, {
      columns,
      before: headLines(out, report),
      after: [
        ...shown.more,
        ...rest === 0 || options.all === true ? [] : [
          `${listed.length} listed: in 3 answers and 2 keywords or more. ${rest} came less often: most would be ` +
          "others in another scan (--all)."
        ],
        ...changeLines(changes, options.all === true)
      ]
    })
  })

/** Runs `sov sources domains`. */
export const domains = (options: SourceOptions) => showSites(options, "domain")

/** Runs `sov sources pages`. */
export const pages = (options: SourceOptions) => showSites(options, "page")

/** Runs `sov sources gaps`. */
export const gaps = (options: SourceOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = yield* readReport(options, organization.id, "4")
    const names = new Map<string, string>(report.set.competitors.map(({ id, name }) => [id, name]))
    const found = findSourceGaps(report.rows).map(gapJson(names))
    const proven = found.filter((gap) => gap.beyond_chance)
    const all = options.all === true || out.format !== "table"
    const shown = takeShown(all ? found : proven, all)
    const scans = pluralized(report.scans.length, "scan")
    printView(out, { ...headJson(report), tested: found.length }, "gaps", shown.rows, {
      columns: [
        { header: "DOMAIN", cell: (gap) => printable(gap.domain) },
        { header: "RIVAL ONLY", cell: (gap) => `${gap.rival_only} of ${gap.rival_only_cells}`, align: "right" },
        { header: "WITH YOU", cell: (gap) => `${gap.with_you} of ${gap.with_you_cells}`, align: "right" },
        { header: "RIVALS", cell: (gap) => printable(gap.rivals.join(", ")) },
        ...options.all === true
          ? [{ header: "", cell: (gap: typeof found[number]) => gap.beyond_chance ? "" : "chance?" }]
          : []
      ],
      before: scopeLines(out, report),
      after: [
        ...shown.more,
        proven.length === 0
          ? `None of ${pluralized(found.length, "domain")} differs by more than chance (${scans}).`
          : `${proven.length} of ${pluralized(found.length, "domain")} ${
            proven.length === 1 ? "differs" : "differ"
          } by more than chance (${scans}).`
      ]
    })
  })

/** Maximum number of queries that people see without `--all`. */
const maxQueries = 50

/** Runs `sov sources queries`. */
export const queries = (options: SourceOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = yield* readReport(options, organization.id, "1")
    const found = countSearches(report.answers).map(searchJson)
    const shown = options.all === true || out.format !== "table" ? found : found.slice(0, maxQueries)
    printView(out, headJson(report), "queries", shown, {
      columns: [
        { header: "QUERY", cell: (search) => printable(search.query) },
        { header: "PLATFORM", cell: (search) => out.platformName(search.platform) },
        { header: "ANSWERS", cell: (search) => `${search.answers} of ${search.of}`, align: "right" }
      ],
      before: scopeLines(out, report),
      after: shown.length === found.length ? [] : [`${found.length - shown.length} more: --all`]
    })
  })
