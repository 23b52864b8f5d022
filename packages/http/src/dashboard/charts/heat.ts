/** A table of shares by question and platform, coloured in six steps. */
import type { Address } from "../Address.ts"
import { attributes, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formatNumber, nothing } from "./numbers.ts"

/** The colour step of a share: 0, up to 20, up to 40, up to 60, up to 80, above 80. */
export const heatStep = (share: number): 0 | 1 | 2 | 3 | 4 | 5 =>
  share <= 0 ? 0 : Math.min(5, Math.ceil((share - 1e-9) / 20)) as 1 | 2 | 3 | 4 | 5

/** One cell of the table; null = no answer. Without an address the share is not a link. */
export type HeatCell = { readonly share: number; readonly href: Address | null } | null

export interface HeatRow {
  readonly text: string
  readonly href: Address | null
  /** One cell per column. */
  readonly cells: ReadonlyArray<HeatCell>
  /** The mean of the row over all columns; null = no answer. */
  readonly all: number | null
}

export interface HeatData {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<HeatRow>
  /** Id of the element that names the table. */
  readonly labelledBy: string
}

const cellOf = (cell: HeatCell): Html =>
  cell === null
    ? html`<td><span class="missing"><span aria-hidden="true">${nothing}</span><span class="hidden">no answer</span></span></td>`
    : cell.href === null
    ? html`<td><span class="h${heatStep(cell.share)}">${formatNumber(cell.share)}</span></td>`
    : html`<td><a class="h${heatStep(cell.share)}" href="${cell.href}">${formatNumber(cell.share)}</a></td>`

const steps = ["not named", "up to 20", "40", "60", "80", "100 %"]

/** The table with its legend. */
export const heatTable = ({ columns, labelledBy, rows }: HeatData): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-labelledby="${labelledBy}"><table class="heat"${
    attributes({ "aria-labelledby": labelledBy })
  }><thead><tr><th scope="col">Question</th>${
    columns.map((name) => html`<th scope="col">${visible(name)}</th>`)
  }<th scope="col">all</th></tr></thead><tbody>
${
    rows.map(({ all, cells, href, text }) =>
      html`<tr><th scope="row">${
        href === null ? visible(text) : html`<a class="plain" href="${href}">${visible(text)}</a>`
      }</th>${cells.map((cell) => cellOf(cell))}<td class="num"><b>${
        all === null ? nothing : formatNumber(all)
      }</b></td></tr>`
    )
  }
</tbody></table></div><p class="legend">${
    steps.map((words, i) => html`<span><i class="h${i}"></i>${words}</span>`)
  }<span><i class="missing"></i>no answer</span></p>`
