/** Parts that pages with tables and lists share. */
import type { Address } from "../Address.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"

/** A box in which a table may be wider than the page; `labelledBy` is the id of its heading. */
const scrollBox = (labelledBy: string, table: Html): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-labelledby="${labelledBy}">${table}</div>`

/** A column of a table: its head, and whether its cells are numbers, or left out on narrow screens. */
export interface Column {
  readonly title: string
  /** The head is read, not shown. */
  readonly hidden?: boolean
  readonly class?: "num" | "wide" | "num wide"
}

/** A table with its heads, named by the heading with the id `labelledBy`. */
export const dataTable = (labelledBy: string, columns: ReadonlyArray<Column>, rows: Fragment): Html =>
  scrollBox(
    labelledBy,
    html`<table${attributes({ "aria-labelledby": labelledBy })}><thead><tr>${
      columns.map(({ class: look, hidden, title }) =>
        html`<th scope="col"${attributes({ class: look })}>${
          hidden === true ? html`<span class="hidden">${title}</span>` : title
        }</th>`
      )
    }</tr></thead><tbody>
${rows}</tbody></table>`
  )

/** The end of a list that goes on: to its newest part, and to older ones. */
export const pager = (first: Address | null, older: Address | null): Fragment =>
  (first !== null || older !== null) &&
  html`<nav class="pager" aria-label="Parts of the list">${
    first === null ? html`<span>Newest first</span>` : html`<a href="${first}">Newest</a>`
  }${older !== null && html`<a class="button" href="${older}">Older</a>`}</nav>`

/** What stands in place of a list with nothing in it. */
export const emptyState = (title: string, words: Fragment, button?: Html): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${words}</p>${button}</div>`

/** A choice of a form: the texts by value, the chosen one, and what stands for none. */
export const choice = (
  { all, label, name, options, value }: {
    readonly label: string
    readonly name: string
    readonly all: string | null
    readonly options: Iterable<readonly [value: string, text: string]>
    readonly value: string | undefined
  }
): Html =>
  html`<label>${label}<select name="${name}">${all !== null && html`<option value="">${all}</option>`}${
    [...options].map(([one, text]) =>
      html`<option value="${one}"${attributes({ selected: one === value })}>${visible(text)}</option>`
    )
  }</select></label>`
