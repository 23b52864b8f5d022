/** How far the share can be relied on: a line for the overview, and the page with criteria and steps. */
import { pluralized } from "@sov/core/common"
import {
  criterionWords,
  describeGrade,
  describeStep,
  evidenceCaveat,
  evidenceCriteria,
  type EvidenceCriterion,
  evidenceNeeds,
  formatCriterion,
  type GradedEvidence,
  gradeEvidence,
  gradeOf,
  gradeWords,
  type ScanEvidence
} from "@sov/core/scoring"
import { formatCount, formatDollars, formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"

/** The panel for the overview. */
export const evidencePanel = (frame: Frame, { facts }: Pick<GradedEvidence, "facts">): Html =>
  html`<section class="panel" aria-labelledby="evidence"><header><h2 id="evidence">Evidence</h2><p>${
    pluralized(facts.scans, "scan")
  }</p><a href="${inOrganization(frame.organization.slug, "/evidence")}">Criteria and steps</a></header><p>${
    describeGrade(facts)
  } <small>${evidenceCaveat[0]!.toUpperCase()}${evidenceCaveat.slice(1)}</small></p></section>`

const needed = (criterion: EvidenceCriterion, grade: "directional" | "decision_grade"): string =>
  evidenceNeeds[criterion][grade] === 0 ? "" : formatCriterion(criterion, evidenceNeeds[criterion][grade])

/** The criteria, with the values that each grade requires. */
const criteriaTable = ({ values }: GradedEvidence["facts"]): Html =>
  dataTable(
    "criteria",
    ["Criterion", numeric("Now"), numeric("Directional"), numeric("Decision-grade"), "Allows"],
    evidenceCriteria.map((criterion) =>
      html`<tr><th scope="row">${criterionWords[criterion].title}<br><small>${
        criterionWords[criterion].says
      }</small></th><td class="num" data-name="now"><b>${
        formatCriterion(criterion, values[criterion])
      }</b></td><td class="num" data-name="directional">${
        needed(criterion, "directional")
      }</td><td class="num" data-name="decision-grade">${needed(criterion, "decision_grade")}</td><td>${
        gradeWords[gradeOf(criterion, values[criterion])]
      }</td></tr>
`
    ),
    "stacked"
  )

/** Describes a number of answers with their cost. */
const describePrice = (answers: number, costUsd: number | null): string =>
  answers === 0
    ? "free"
    : `${formatCount(answers)} ${answers === 1 ? "answer" : "answers"}, ${
      costUsd === null ? "price not known" : costUsd === 0 ? "free" : `about ${formatDollars(costUsd)}`
    }`

const stepsPanel = (next: GradedEvidence["next"]): Fragment =>
  next !== null &&
  html`<section class="panel" aria-labelledby="steps"><header><h2 id="steps">To reach “${
    gradeWords[next.grade]
  }”</h2><p>cheapest step first; all are needed</p></header><ol>${
    next.steps.map((step) =>
      html`<li>${describeStep(step)} <span class="range">${describePrice(step.answers, step.costUsd)}</span></li>`
    )
  }</ol>${
    next.scans > 0 &&
    html`<footer>Together: ${pluralized(next.scans, "scan")} of ${pluralized(next.questions, "question")} on ${
      pluralized(next.platforms, "platform")
    }${next.samples > 1 && `, ${next.samples} samples each`}: ${describePrice(next.answers, next.costUsd)}.</footer>`
  }</section>`

export const evidencePage = (frame: Frame, found: ScanEvidence | null): Html =>
  layout(frame, {
    title: "Evidence",
    here: "overview",
    simulated: found?.scan.simulated === true,
    summary: html`<a href="${inOrganization(frame.organization.slug, "")}">Overview</a>${
      found !== null &&
      html` · ${pluralized(found.facts.scans, "scan")} up to ${
        formatMinute(found.scan.completedAt ?? found.scan.startedAt)
      }`
    }`,
    body: found === null
      ? emptyState("No evidence yet", "It needs a completed scan with a measured answer.")
      : html`<div class="grid"><section class="panel" aria-labelledby="criteria"><header><h2 id="criteria">How much this share can carry: ${
        gradeWords[gradeEvidence(found.facts)]
      }</h2></header><p>${describeGrade(found.facts)}</p>${
        criteriaTable(found.facts)
      }<footer>The grade is the lowest that a criterion allows. This is ${evidenceCaveat}</footer></section>${
        stepsPanel(found.next)
      }</div>`
  })
