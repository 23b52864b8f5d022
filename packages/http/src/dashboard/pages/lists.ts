/** Parts that pages with tables and lists share. */
import type { GlossaryKey } from "@sov/core/common"
import type { Address } from "../Address.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { explain } from "./explain.ts"

/** A box in which a table may be wider than the page; `labelledBy` is the id of its heading. */
const scrollBox = (labelledBy: string, table: Html): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-labelledby="${labelledBy}">${table}</div>`

/** A column of a table: its head, or its head and the class of its cells. */
export type Column = string | {
  readonly title: string
  /** Only screen readers read the head. */
  readonly hidden?: boolean
  readonly class?: "num" | "wide" | "num wide" | "scale" | "wide scale"
  /** The word of the glossary that its head is. */
  readonly about?: GlossaryKey
  /** The order that the head leads to, and the one by which the table is sorted now; null = by another column. */
  readonly sort?: { readonly address: Address; readonly order: "ascending" | "descending" | null }
}

/** A column of numbers. */
export const num = (title: string): Exclude<Column, string> => ({ title, class: "num" })

/** The column of intervals. */
export const intervalColumn: Column = { title: "95 %", about: "interval" }

/** A column that narrow screens leave out. */
export const wide = (title: string): Exclude<Column, string> => ({ title, class: "wide" })

/** A column of numbers that narrow screens leave out. */
export const wideNum = (title: string): Column => ({ title, class: "num wide" })

/** A column whose head only screen readers read. */
export const hidden = (title: string): Column => ({ title, hidden: true })

/**
 * How a table fits narrow screens: it scrolls in its box, or each row becomes lines below its first cell. There its
 * heads are not shown: a cell that does not speak for itself has `data-name`.
 */
export type NarrowLayout = "scrolled" | "stacked"

/** A table with its heads, named by the heading with the id `labelledBy`. */
export const dataTable = (
  labelledBy: string,
  columns: ReadonlyArray<Column>,
  rows: Fragment,
  narrow: NarrowLayout = "scrolled"
): Html =>
  scrollBox(
    labelledBy,
    html`<table${attributes({ "aria-labelledby": labelledBy, class: narrow === "stacked" && "stack" })}><thead><tr>${
      columns.map((column) => {
        const { about, class: look, hidden: isHidden, sort, title }: Exclude<Column, string> =
          typeof column === "string"
            ? { title: column }
            : column
        return html`<th scope="col"${attributes({ class: look, "aria-sort": sort?.order })}>${
          isHidden === true
            ? html`<span class="hidden">${title}</span>`
            : sort === undefined
            ? title
            : html`<a class="plain" href="${sort.address}">${title}</a>`
        }${about !== undefined && explain(about)}</th>`
      })
    }</tr></thead><tbody>
${rows}</tbody></table>`
  )

/** A fact and its value; false = left out. */
export type Fact = readonly [name: string, value: Fragment] | false

/** Facts in two columns, names and values. */
export const factList = (facts: ReadonlyArray<Fact>): Html =>
  html`<dl class="side">${
    facts.filter((fact) => fact !== false).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)
  }</dl>`

/** Shown in place of an empty list. */
export const emptyState = (title: string, words: Fragment, button?: Html): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${words}</p>${button}</div>`
