/** sov audit noise: the changes that sov would report on these questions even if nothing changed. */
import { wholeHistory } from "@sov/core/organizations"
import {
  auditNoise,
  intervalKinds,
  markKinds,
  noiseAlerts,
  type NoiseAudit,
  roundHalfUp,
  simulatedJson
} from "@sov/core/scoring"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { renderTable } from "../../render/table.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface NoiseOptions extends GlobalOptions {
  readonly weeks: string
  readonly periods: string
}

const [maxWeeks, maxPeriods] = [260, 1_000]

const tenth = (value: number) => roundHalfUp(value, 1)

const percentOf = (part: number, whole: number): number | null => whole === 0 ? null : tenth(100 * part / whole)

const noiseJson = (found: NoiseAudit, weeks: number) => ({
  ...simulatedJson(found.scan.simulated),
  scan_id: found.scan.id,
  cells: found.cells,
  scans: found.scans,
  weeks,
  periods: found.periods,
  threshold: found.threshold,
  intervals: intervalKinds.map((kind) => ({
    of: kind,
    held_percent: percentOf(found.intervals[kind].held, found.intervals[kind].of),
    drawn: found.intervals[kind].of
  })),
  marks: markKinds.map((kind) => ({
    what: kind,
    percent_of_scans: percentOf(found.marked[kind], found.comparisons)!,
    per_period: tenth(found.marked[kind] / found.periods)
  })),
  alerts: noiseAlerts.map((alert) => ({ alert, per_period: tenth(found.alerts[alert] / found.periods) }))
})

const shownPercent = (value: number | null): string => value === null ? "none" : `${value.toFixed(1)} %`

const noiseText = (found: NoiseAudit, weeks: number): string => {
  const { alerts, intervals, marks } = noiseJson(found, weeks)
  const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
    renderTable(rows, { header, align: ["left", "right", "right"], width: undefined }).trimEnd()
  return [
    `${found.scan.simulated ? "SIMULATED: " : ""}${
      pluralizeGrouped(found.cells, "cell")
    } of the newest scan, drawn as ${pluralizeGrouped(found.scans, "scan")} answered them; nothing changes.`,
    `${pluralizeGrouped(found.periods, "period")} of ${
      pluralizeGrouped(weeks, "weekly scan")
    }, each compared with the four before it.`,
    "",
    table(
      ["95 % INTERVAL", "HOLDS THE TRUTH", "DRAWN"],
      intervals.map((one) => [one.of, shownPercent(one.held_percent), String(one.drawn)])
    ),
    "",
    table(
      ["MORE THAN NOISE", "OF SCANS", "A PERIOD"],
      marks.map((one) => [one.what, shownPercent(one.percent_of_scans), one.per_period.toFixed(1)])
    ),
    "",
    table(["ALERT", "A PERIOD"], alerts.map((one) => [one.alert, one.per_period.toFixed(1)])),
    "",
    `sov_drop at ${
      found.threshold === null
        ? "the true share of voice, where chance crosses it most often (the rule is off)"
        : `its threshold of ${found.threshold} %`
    }.`,
    "Not simulated: what moves all answers of a platform or of a question at once."
  ].join("\n")
}

export const noise = (options: NoiseOptions) => {
  const checked = Effect.all({
    weeks: integerOption("--weeks", options.weeks, 1, maxWeeks),
    periods: integerOption("--periods", options.periods, 1, maxPeriods)
  })
  return runCommand(options, { before: checked, repeatable: true }, function*({ out }) {
    const { periods, weeks } = yield* checked
    const { id } = yield* currentOrganization(options)
    const progress = makeRowProgress(out, "Simulating", periods, "periods")
    const found = yield* auditNoise(id, wholeHistory, { periods, weeks }, () => progress.add(1)).pipe(
      Effect.ensuring(Effect.sync(progress.clear))
    )
    out.result(noiseJson(found, weeks), () => noiseText(found, weeks))
  })
}
