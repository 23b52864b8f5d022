/** The effect of other names on the newest scans, as tables: for names typed into a form, and for stored names. */
import type { RescorePreview } from "@sov/core/measuring"
import { formatMinute, formatPercent } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { dataTable, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The brand's current and new share in each scan, as a table; `labelledBy` is the id of its heading. */
export const changedScores = (frame: Frame, labelledBy: string, { scans }: RescorePreview): Html =>
  dataTable(
    labelledBy,
    ["Scan", numeric("Current share"), numeric("New share")],
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

/** The answers whose measurement would change. */
export const changedAnswers = (frame: Frame, { examples }: RescorePreview): Html =>
  html`<section class="panel" aria-labelledby="examples"><header><h2 id="examples">Answers that would change</h2></header>${
    dataTable(
      "examples",
      ["Question", "Platform", "Current", "New"],
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
