/** The experiments of a report. Each value that a check compares is on its own line. */
import { describeExperiment, planTimes } from "@sov/core/experiments"
import type { ReportedExperiment, ReportFigures } from "@sov/core/reports"
import { formatCalendarDay, formatMinute, formatPoints } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { dataTable, numeric } from "../pages/lists.ts"
import { visible } from "../visible.ts"

interface Shown {
  readonly figures: Pick<ReportFigures, "experiments">
}

const row = ({ plan, result, scans, seal, without }: ReportedExperiment): Html => {
  const { change } = planTimes(plan)
  const effect = result?.effect ?? null
  return html`<tr><th scope="row">${visible(plan.name)}<br><small>${visible(plan.change)}, from ${
    formatCalendarDay(change)
  } until ${formatCalendarDay(new Date(plan.until))}; sealed ${
    formatMinute(seal.sealedAt)
  } as number ${seal.sequence}</small></th>
<td class="num"><b${attributes({ "data-figure": `experiment ${plan.id}` })}>${
    effect === null ? "–" : formatPoints(effect.points)
  }</b></td><td class="range">${
    effect === null ? "" : `${formatPoints(effect.interval.low)} to ${formatPoints(effect.interval.high)}`
  }</td>
<td>${
    without === null
      ? `${describeExperiment(plan, result)} ${scans.before} scans before and ${scans.after} after.`
      : visible(`No result here: ${without}.`)
  }</td></tr>
`
}

/** The experiments of the report with their results; empty if the report has no experiments. */
export const experimentsPanel = ({ figures: { experiments } }: Shown): Fragment =>
  experiments.length > 0 &&
  html`<section class="panel" aria-labelledby="experiments">
<header><h2 id="experiments">Experiments</h2><p>points beyond the held-out half, 95 % interval</p></header>
${
    dataTable(
      "experiments",
      ["Plan", numeric("Points"), "95 %", "Result"],
      experiments.map((one) => row(one))
    )
  }
<footer>Each plan was sealed before its change. The result follows from the answers of this report; the draw is not repeated.</footer>
</section>
`
