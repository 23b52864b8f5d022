/** The next actions of a report. Each value that a check compares is on its own line. */
import { pluralized } from "@sov/core/common"
import type { ReportFigures } from "@sov/core/reports"
import { formatCount, formatPoints } from "../charts/numbers.ts"
import { attributes, type Fragment, html } from "../html.ts"
import { dataTable, numeric } from "../pages/lists.ts"
import { visible } from "../visible.ts"

interface Shown {
  readonly figures: Pick<ReportFigures, "next">
}

/**
 * Actions proven by the report's evidence, and actions that the report only states; empty if there were too few answers
 * to find any.
 */
export const nextPanel = ({ figures: { next } }: Shown): Fragment => {
  if (next === null || (next.candidates === 0 && next.stated.length === 0)) return null
  const { candidates, decided, found, scans, stated } = next
  return html`<section class="panel long" aria-labelledby="next">
<header><h2 id="next">Next</h2><p>what differs by more than chance</p></header>
${
    found.length + stated.length === 0
      ? html`<p>Nothing to do: no question differs by more than chance.</p>`
      : dataTable("next", ["Action", numeric("Answers"), numeric("Effect to expect, points"), "Proof"], [
        ...found.map(({ answers, effect, id, title, why }) =>
          html`<tr><th scope="row">${visible(title)}<br><small>${visible(why)}</small></th>
<td class="num"><b${attributes({ "data-figure": `action ${id}` })}>${formatCount(answers)}</b></td><td class="range">${
            effect !== null && `${formatPoints(effect.low)} to ${formatPoints(effect.high)}`
          }</td><td>follows from the answers of this report</td></tr>
`
        ),
        ...stated.map(({ title, why }) =>
          html`<tr><th scope="row">${visible(title)}<br><small>${visible(why)}</small></th>
<td></td><td></td><td>not verifiable: its evidence is not in this report</td></tr>
`
        )
      ])
  }
<footer>${pluralized(candidates, "candidate")} of ${pluralized(scans, "scan")} tested. ${
    decided > 0 &&
    `${pluralized(decided, "action")} that the organization has decided about ${
      decided === 1 ? "is" : "are"
    } left out. `
  }An effect is an association, not a cause.</footer>
</section>
`
}
