/** The funnel of the brand's own pages: retrieved, cited, named, named first. */
import { pluralized } from "@sov/core/common"
import { otherQuestions } from "@sov/core/scoring"
import { type Funnel, type Funnels, type FunnelStepName, funnelSteps } from "@sov/core/sources"
import { formatPercent, formatRange } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { dataTable, numeric } from "./lists.ts"
import { platformName } from "./words.ts"

const titles: { readonly [S in FunnelStepName]: string } = {
  retrieved: "Retrieved",
  cited: "Cited",
  named: "Named",
  named_first: "Named first"
}

const stepCell = ({ platforms, steps }: Funnel, name: FunnelStepName): Html => {
  const found = steps.find(({ step }) => step === name)
  return html`<td class="num" data-name="${titles[name]}">${
    found === undefined
      ? html`<small>not shown by ${platforms.length > 1 ? "these platforms" : "this platform"}</small>`
      : html`<b>${formatPercent(found.rate)}</b><br><small>${
        found.interval !== null && `${formatRange(found.interval)} · `
      }${pluralized(found.answers, "answer")}</small>`
  }</td>`
}

const funnelRow = (name: string, funnel: Funnel): Html =>
  html`<tr><th scope="row" class="break">${
    visible(name)
  }</th><td class="num" data-name="Answers">${funnel.answers}</td>${
    funnelSteps.map((step) => stepCell(funnel, step))
  }</tr>`

/** How far the brand's own pages get, by platform and by tag. */
export const funnelPanel = (frame: Frame, { platforms, tags }: Funnels): Html => {
  const table = (id: string, of: string, rows: ReadonlyArray<Html>) =>
    dataTable(
      id,
      [of, numeric("Answers"), ...funnelSteps.map((step) => numeric(titles[step]))],
      rows,
      "stacked"
    )
  return html`<section class="panel" aria-labelledby="funnel"><header><h2 id="funnel">How far your pages get</h2></header>${
    table(
      "funnel",
      "Platform",
      platforms.map(({ funnel, platform }) => funnelRow(platformName(frame, platform), funnel))
    )
  }${
    tags.length > 0 && table("funnel", "Tag", tags.map(({ funnel, tag }) => funnelRow(tag, funnel)))
  }<footer>Retrieved: the platform read a page of yours. Cited: the answer cites one. Named: it cites one and names you. Named first: and names you before every competitor. Rates are of all answers of the row, with their 95 % interval for ${otherQuestions}.${
    tags.length > 0 && " A tag counts the platforms that show most."
  }</footer></section>`
}
