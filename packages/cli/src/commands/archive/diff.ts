/** sov archive diff: compares the answers to one keyword between two scans. */
import { type CellChange, type KeywordAnswerChanges, type PresenceChange, readAnswerChanges } from "@sov/core/archive"
import { wholeHistory } from "@sov/core/organizations"
import type { PlatformId } from "@sov/core/platforms"
import { roundHalfUp, simulatedJson } from "@sov/core/scoring"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { type Output, printable } from "../../output/Output.ts"
import { startOf } from "../../render/changeReport.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface DiffOptions extends GlobalOptions {
  readonly platform?: PlatformId
  readonly between: string
}

const presenceJson = ({ after, before, item, kind, withinNoise }: PresenceChange) => ({
  item,
  change: kind,
  before,
  after,
  within_noise: withinNoise
})

const rateOf = ({ changed, of }: { readonly changed: number; readonly of: number }): number | null =>
  of === 0 ? null : roundHalfUp(100 * changed / of, 1)

const changesJson = ({ after, before, cells, earlierScans, keyword }: KeywordAnswerChanges) => ({
  keyword: { id: keyword.id, text: keyword.text },
  before: { scan_id: before.id, started_at: before.startedAt.toISOString() },
  after: { scan_id: after.id, started_at: after.startedAt.toISOString() },
  ...simulatedJson(after.simulated),
  earlier_scans: earlierScans,
  cells: cells.map(({ changed, names, platform, samples, sources, text, unchanged }) => ({
    platform,
    samples,
    changed,
    unchanged: {
      cells: unchanged.cells,
      names_changed_percent: rateOf(unchanged.names),
      of_same_scans: unchanged.isOfSameScans
    },
    names: names.map(presenceJson),
    sources: sources === null ? null : sources.map(presenceJson),
    text
  }))
})

const presenceText = ({ after, before, item, kind, withinNoise }: PresenceChange): string =>
  `  ${kind === "in" ? "+" : "-"} ${
    printable(item)
  }: ${before.seen} of ${before.samples} then, ${after.seen} of ${after.samples} now${
    withinNoise ? ", within noise" : ""
  }`

const verdictOf = ({ changed, unchanged }: CellChange): string => {
  const rate = rateOf(unchanged.names)
  const often = rate === null
    ? ""
    : `; between unchanged ${unchanged.isOfSameScans ? "cells" : "runs"} ${rate} % of names come or go`
  const verdict = changed === null
    ? "too few unchanged cells to tell a change from noise"
    : changed
    ? "the names changed by more than noise"
    : "within noise"
  return `${verdict}${often}`
}

const sentenceLines = (out: Output, { text }: CellChange): ReadonlyArray<string> => {
  if (text === null) return []
  const same = text.filter(({ kind }) => kind === "same").length
  return [
    `  Text of the first sample: ${pluralizeGrouped(same, "sentence")} stayed`,
    ...text.filter(({ kind }) => kind !== "same").map(({ kind, text: sentence }) => {
      const line = `  ${kind === "in" ? "+" : "-"} ${printable(sentence)}`
      return out.style(kind === "in" ? "green" : "red", line)
    })
  ]
}

const cellLines = (out: Output, cell: CellChange): ReadonlyArray<string> => [
  "",
  out.style("bold", `${out.platformName(cell.platform)}: ${verdictOf(cell)}`),
  ...cell.names.length === 0 ? ["  Names: the same"] : ["  Names", ...cell.names.map(presenceText)],
  ...cell.sources === null
    ? []
    : cell.sources.length === 0
    ? ["  Sources: the same"]
    : ["  Sources", ...cell.sources.map(presenceText)],
  ...sentenceLines(out, cell)
]

const changesText = (out: Output, found: KeywordAnswerChanges): string =>
  [
    `${found.after.simulated ? "SIMULATED " : ""}${printable(found.keyword.text)}`,
    `${startOf(found.before)} → ${startOf(found.after)}`,
    ...found.cells.flatMap((cell) => cellLines(out, cell))
  ].join("\n")

/** Parses `A..B`, which names two scans. */
const parseBetween = (text: string) => {
  const [before, after, ...more] = text.split("..")
  return before === undefined || before === "" || after === undefined || after === "" || more.length > 0
    ? Effect.fail(usageError(`--between must name two scans, as in previous..latest, not ${JSON.stringify(text)}`))
    : Effect.succeed({ before, after })
}

export const diff = (options: DiffOptions, keyword: string) =>
  runForOrganization(options, { before: parseBetween(options.between), repeatable: true }, function*({ out }, { id }) {
    const scans = yield* parseBetween(options.between)
    const found = yield* readAnswerChanges(id, wholeHistory, keyword, {
      ...scans,
      ...options.platform === undefined ? {} : { platform: options.platform }
    })
    out.result(changesJson(found), () => changesText(out, found))
  })
