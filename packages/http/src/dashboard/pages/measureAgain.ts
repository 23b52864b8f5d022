/** Measures earlier scans again with the current names: a preview of the changes, and the progress. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import type { MeasuringPlan, RescorePreview } from "@sov/core/measuring"
import { formatCount } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState } from "./lists.ts"
import { changedAnswers, changedScores } from "./rescorePreview.ts"
import { inOrganization } from "./sections.ts"

export interface MeasureAgainContent {
  /** The plan for measuring all scans again. */
  readonly plan: MeasuringPlan
  /** The effect on the newest scans, because reading all scans would take long. Null while measuring is in progress. */
  readonly preview: RescorePreview | null
  /** Id of the form; while measuring continues, the id of the first form. */
  readonly formId: AuditEntryId
}

const previewPanels = (frame: Frame, preview: RescorePreview): Fragment =>
  html`<section class="panel" aria-labelledby="changes"><header><h2 id="changes">What would change</h2><p>the newest ${
    pluralized(preview.scans.length, "scan")
  }</p></header>${
    preview.scans.length === 0
      ? emptyState("Nothing has been measured yet", "There is no completed scan to measure again.")
      : changedScores(frame, "changes", preview)
  }</section>${preview.examples.length > 0 && changedAnswers(frame, preview)}`

const progressPanel = ({ answers, measured }: MeasuringPlan): Html =>
  html`<section class="panel" aria-labelledby="progress"><header><h2 id="progress">Measuring</h2></header><progress max="${answers}" value="${measured}" aria-labelledby="progress"></progress><p role="status">${
    formatCount(measured)
  } of ${
    pluralized(answers, "answer")
  } are measured with the current names and rules.</p><footer>Measuring continues while this page is open. Without scripts, choose Continue. Finished measurements are kept.</footer></section>`

const form = ({ organization: { slug } }: Frame, formId: AuditEntryId, goesOn: boolean): Html =>
  html`<form method="post" action="${inOrganization(slug, "/competitors/measure")}"${
    attributes({ "data-go-on": goesOn })
  }>${formIdField(formId)}<div class="actions"><button class="primary">${
    goesOn ? "Continue" : "Measure again"
  }</button><a href="${inOrganization(slug, "/competitors")}">${goesOn ? "Stop" : "Cancel"}</a></div></form>`

export const measureAgainPage = (frame: Frame, { formId, plan, preview }: MeasureAgainContent): Html => {
  const { slug } = frame.organization
  const left = plan.answers - plan.measured
  const isDone = left === 0 && plan.unscored === 0
  const goesOn = preview === null && !isDone
  return layout(frame, {
    title: "Measure again",
    here: "competitors",
    simulated: preview?.scans.some(({ scan }) => scan.simulated) ?? false,
    summary: html`<a href="${inOrganization(slug, "/competitors")}">Competitors</a>`,
    body: html`<div class="grid">${
      goesOn ? progressPanel(plan) : preview !== null && previewPanels(frame, preview)
    }<section class="panel" aria-labelledby="what"><header><h2 id="what">What ${
      goesOn ? "happens" : "will happen"
    }</h2></header><ul class="bullets"><li>${
      isDone
        ? "All answers are already measured with the current names and rules."
        : `${pluralized(left, "answer")} of ${pluralized(plan.scans, "scan")} ${
          left === 1 ? "is" : "are"
        } measured with the current names and rules, newest scan first.`
    }</li>${
      !isDone &&
      html`<li>Answers do not change, and earlier measurements and scores stay in the database.</li><li>Pages, API and tools then show the new scores. This raises no alerts.</li>`
    }</ul>${
      isDone
        ? html`<p><a class="button" href="${inOrganization(slug, "/competitors")}">Back to competitors</a></p>`
        : form(frame, formId, goesOn)
    }</section></div>`
  })
}
