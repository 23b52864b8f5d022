/** What measuring earlier scans with the present names would change, before it is done. */
import { pluralized, type RescorePlan, type RescorePreview } from "@sov/core"
import { formatMinute, formatPercent } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

export interface MeasureAgainContent {
  /** Of all scans. */
  readonly plan: RescorePlan
  /** Of the newest scans only: reading all would take long. */
  readonly preview: RescorePreview
}

const scansTable = (frame: Frame, { scans }: RescorePreview): Html =>
  dataTable(
    "changes",
    [{ title: "Scan" }, { title: "Share now", class: "num" }, { title: "Then", class: "num" }],
    scans.map(({ after, before, scan }) =>
      html`<tr><th scope="row"><a class="plain" href="${
        inOrganization(frame.organization.slug, `/scans/${scan.id}`)
      }">${formatMinute(scan.startedAt)}</a>${
        scan.simulated && html` <span class="tag">Simulated</span>`
      }</th><td class="num">${formatPercent(before?.avgSov, 1)}</td><td class="num"><b>${
        formatPercent(after.avgSov, 1)
      }</b></td></tr>`
    )
  )

const examplesPanel = (frame: Frame, { examples }: RescorePreview): Html =>
  html`<section class="panel" aria-labelledby="examples"><header><h2 id="examples">Answers that would read differently</h2></header>${
    dataTable(
      "examples",
      [{ title: "Question" }, { title: "Platform" }, { title: "Now" }, { title: "Then" }],
      examples.map(({ after, answer, before }) =>
        html`<tr><th scope="row"><a class="plain" href="${
          inOrganization(frame.organization.slug, `/answers/${answer.answerId}`)
        }">${visible(answer.promptUsed)}</a></th><td>${visible(platformName(frame, answer.platform))}</td><td>${
          before.brandMentioned ? "named" : "not named"
        }, ${formatPercent(before.sovScore)}</td><td>${after.brandMentioned ? "named" : "not named"}, ${
          formatPercent(after.sovScore)
        }</td></tr>`
      )
    )
  }</section>`

export const measureAgainPage = (frame: Frame, { plan, preview }: MeasureAgainContent): Html => {
  const { slug } = frame.organization
  const left = plan.answers - plan.measured
  const isDone = left === 0 && plan.unscored === 0
  return layout(frame, {
    title: "Measure again",
    here: "competitors",
    simulated: preview.scans.some(({ scan }) => scan.simulated),
    summary: html`<a href="${inOrganization(slug, "/competitors")}">Competitors</a>`,
    body:
      html`<div class="grid"><section class="panel" aria-labelledby="changes"><header><h2 id="changes">What would change</h2><p>the newest ${
        pluralized(preview.scans.length, "scan")
      }</p></header>${
        preview.scans.length === 0
          ? emptyState("Nothing is measured yet", "There is no completed scan to measure again.")
          : scansTable(frame, preview)
      }</section>${preview.examples.length > 0 && examplesPanel(frame, preview)}
<section class="panel" aria-labelledby="what"><header><h2 id="what">What will happen</h2></header><ul class="bullets"><li>${
        isDone
          ? "All answers are measured with the present names and rules: nothing is left to do."
          : `${pluralized(left, "answer")} of ${pluralized(plan.scans, "scan")} ${
            left === 1 ? "is" : "are"
          } measured with the present names and rules, the newest scan first.`
      }</li>${
        !isDone &&
        html`<li>Answers stay as they are, and earlier measurements and scores stay in the database.</li><li>Pages, API and tools then show the new scores. Nobody is alerted of them.</li>`
      }</ul>${
        isDone
          ? html`<p><a class="button" href="${inOrganization(slug, "/competitors")}">Back to the competitors</a></p>`
          : html`<form method="post" action="${
            inOrganization(slug, "/competitors/measure")
          }"><div class="actions"><button class="primary">Measure again</button><a href="${
            inOrganization(slug, "/competitors")
          }">Cancel</a></div></form>`
      }</section></div>`
  })
}
