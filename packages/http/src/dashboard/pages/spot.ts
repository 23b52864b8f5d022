/**
 * The odds that a person sees the brand in a few single answers: a printable half page, and a panel for the overview.
 */
import { pluralized } from "@sov/core/common"
import {
  describeSpotOdds,
  type NamedOdds,
  otherQuestions,
  spotCaveat,
  type SpotCheck,
  type SpotOdds
} from "@sov/core/scoring"
import { formatMinute, formatPercent, formatRange } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The panel for the overview; empty if no answer counts. */
export const spotPanel = (frame: Frame, found: SpotCheck): Fragment =>
  found.all !== null &&
  html`<section class="panel" aria-labelledby="spot"><header><h2 id="spot">Spot check</h2><p>${
    found.scans.length === 1 ? "latest scan" : `last ${found.scans.length} scans`
  }</p><a href="${inOrganization(frame.organization.slug, "/spot")}">By platform and tag</a></header><p>${
    describeSpotOdds(found.all)
  }</p></section>`

const oddsTable = (id: string, title: string, rows: ReadonlyArray<NamedOdds>): Fragment =>
  rows.length > 0 &&
  html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2></header>${
    dataTable(
      id,
      ["Name", numeric("One answer"), "95 %", numeric("Three misses"), "95 %", numeric("Answers")],
      rows.map(({ name, odds }) =>
        html`<tr><th scope="row">${visible(name)}</th><td class="num"><b>${
          formatPercent(odds.odds)
        }</b></td><td class="range">${formatRange(odds.interval)}</td><td class="num" data-name="three misses">${
          formatPercent(odds.threeMisses)
        }</td><td class="range">${
          formatRange(odds.threeMissesInterval)
        }</td><td class="num" data-name="answers">${odds.answers}</td></tr>`
      ),
      "stacked"
    )
  }</section>`

const spotBody = (frame: Frame, { platforms, tags }: SpotCheck, all: SpotOdds): Html =>
  html`<div class="grid"><section class="panel" aria-labelledby="odds"><header><h2 id="odds">If somebody opens one answer</h2></header><p><b>${
    describeSpotOdds(all)
  }</b></p><footer>${pluralized(all.answers, "answer")} to ${pluralized(all.questions, "question")} on ${
    pluralized(all.topics, "topic")
  }; the intervals are about ${otherQuestions}. ${spotCaveat}</footer></section>${
    oddsTable("platforms", "By platform", platforms.map((one) => ({ ...one, name: platformName(frame, one.name) })))
  }${oddsTable("tags", "By tag", tags)}</div>`

export const spotPage = (frame: Frame, found: SpotCheck | null): Html => {
  const newest = found?.scans[0]
  return layout(frame, {
    title: "Spot check",
    here: "overview",
    simulated: newest?.simulated === true,
    summary: html`<a href="${inOrganization(frame.organization.slug, "")}">Overview</a>${
      newest !== undefined &&
      html` · ${pluralized(found!.scans.length, "scan")} up to ${formatMinute(newest.completedAt ?? newest.startedAt)}`
    }`,
    body: found?.all == null
      ? emptyState("No odds yet", "They need a completed scan with a measured answer.")
      : spotBody(frame, found, found.all)
  })
}
