/** How far the share of a report can be relied on. Each value that a check compares is on its own line. */
import { pluralized } from "@sov/core/common"
import type { ReportFigures } from "@sov/core/reports"
import {
  criterionWords,
  describeGrade,
  evidenceCaveat,
  evidenceCriteria,
  formatCriterion,
  gradeEvidence,
  gradeOf,
  gradeWords
} from "@sov/core/scoring"
import { type Fragment, html } from "../html.ts"
import { dataTable, numeric } from "../pages/lists.ts"

/** The grade with its criteria; empty for page versions that did not show it. */
export const gradePanel = ({ evidence }: Pick<ReportFigures, "evidence">): Fragment =>
  evidence !== null &&
  html`<section class="panel" aria-labelledby="evidence">
<header><h2 id="evidence">Evidence</h2><p>${pluralized(evidence.scans, "scan")} of this report</p></header>
<p><b data-figure="evidence">${gradeWords[gradeEvidence(evidence)]}</b></p>
<p>${describeGrade(evidence)}</p>
${
    dataTable(
      "evidence",
      ["Criterion", numeric("Value"), "Allows"],
      evidenceCriteria.map((criterion) =>
        html`<tr><th scope="row">${criterionWords[criterion].title}<br><small>${
          criterionWords[criterion].says
        }</small></th><td class="num"><b data-figure="evidence ${criterion}">${
          formatCriterion(criterion, evidence.values[criterion])
        }</b></td><td>${gradeWords[gradeOf(criterion, evidence.values[criterion])]}</td></tr>
`
      )
    )
  }
<footer>Scans outside this report do not count here. This is ${evidenceCaveat}</footer>
</section>
`
