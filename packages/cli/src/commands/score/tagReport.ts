/** The share of voice by tag, for programs and people. */
import { narrowingJson, type Scan } from "@sov/core/scanning"
import {
  formatNarrowing,
  otherQuestions,
  roundHalfUp,
  simulatedJson,
  type TagCourse,
  type TagShare,
  tagShareJson,
  type TagShares,
  tooFewAnswers
} from "@sov/core/scoring"
import { type Column, type Output, printable } from "../../output/Output.ts"
import { rangeText } from "../../render/scoreView.ts"

const scanMembers = (scan: Scan) => ({
  scan_id: scan.id,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  ...simulatedJson(scan.simulated),
  ...narrowingJson(scan)
})

/** A tag with its newest share, and its share in each scan that has one, oldest first. */
const tagJson = (scans: TagShares["scans"], { newest, shares, system, tag }: TagCourse) => ({
  tag,
  system,
  ...newest === null
    ? {
      scan_id: null,
      sov: null,
      interval_95: null,
      interval_about: otherQuestions,
      n: 0,
      keywords: 0,
      topics: 0,
      platform_breakdown: {}
    }
    : { ...scanMembers(newest.scan), ...tagShareJson(newest.share) },
  history: scans.flatMap((scan, i) => {
    const share = shares[i]
    return share == null ? [] : [{ ...scanMembers(scan), ...tagShareJson(share) }]
  })
})

/** A tag in one scan. `share` is null if no answer to a keyword with the tag exists. */
interface TagRow {
  readonly tag: string
  readonly scan: Scan | null
  readonly share: TagShare | null
}

const listRows = (scans: TagShares["scans"], { shares, tag }: TagCourse): ReadonlyArray<TagRow> =>
  scans.flatMap((scan, i) => shares[i] == null ? [] : [{ tag, scan, share: shares[i] }])

/** A flat row, for spreadsheets. */
const csvRow = ({ scan, share, tag }: TagRow) => {
  const { interval_95, interval_about: _about, platform_breakdown: _, topics, ...rest } = tagShareJson(share!)
  return {
    tag,
    ...scanMembers(scan!),
    ...rest,
    low: interval_95?.low ?? null,
    high: interval_95?.high ?? null,
    asked: formatNarrowing(scan!),
    topics
  }
}

const askedCell = ({ scan }: TagRow): string => scan === null ? "" : formatNarrowing(scan) ?? ""

/** The columns; if one of the scans was narrowed, there is also a column for the part that it asked. */
const listColumns = (rows: ReadonlyArray<TagRow>): ReadonlyArray<Column<TagRow>> => [
  ...columns,
  ...rows.some((row) => askedCell(row) !== "") ? [{ header: "ASKED", cell: askedCell }] : []
]

const columns: ReadonlyArray<Column<TagRow>> = [
  { header: "TAG", cell: ({ tag }) => printable(tag) },
  {
    header: "SOV",
    cell: ({ scan, share }) =>
      share === null ? "-" : `${roundHalfUp(share.sov, 1)} %${scan?.simulated === true ? " SIMULATED" : ""}`,
    align: "right"
  },
  {
    header: "95 %",
    cell: ({ share }) =>
      share === null ? "no answer" : share.interval === null ? tooFewAnswers : rangeText(share.interval)
  },
  { header: "ANSWERS", cell: ({ share }) => share?.n ?? 0, align: "right" },
  { header: "KEYWORDS", cell: ({ share }) => share?.keywords ?? 0, align: "right" },
  { header: "TOPICS", cell: ({ share }) => share?.topics ?? 0, align: "right" },
  { header: "SCAN", cell: ({ scan }) => scan?.startedAt.toISOString() ?? "" }
]

/** Prints the newest share of each tag or, with `only`, the share of that tag in each scan; programs get both. */
export const printTags = (out: Output, { scans, tags }: TagShares, only: string | undefined): void => {
  const empty = `No answer in the ${
    scans.length === 1 ? "newest scan" : `${scans.length} newest scans`
  } is to a keyword with the tag ${printable(JSON.stringify(only ?? ""))}.`
  if (out.format === "csv") return out.list(tags.flatMap((one) => listRows(scans, one)).map(csvRow), [], { empty })
  const all = tags.map((one) => tagJson(scans, one))
  if (only !== undefined && out.machine) return out.result(all[0], () => "")
  if (out.machine) return out.list(all, [], { wrap: { tags: all }, empty })
  const rows = only === undefined
    ? tags.map(({ newest, tag }): TagRow => ({ tag, scan: newest?.scan ?? null, share: newest?.share ?? null }))
    : tags.flatMap((one) => listRows(scans, one)).toReversed()
  out.list(rows, listColumns(rows), { empty })
}
