/** Parts that pages with tables and lists share. */
import type { GlossaryKey } from "@sov/core/common"
import type { Address } from "../Address.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { explainButton } from "./explain.ts"

/** A box that scrolls if its table is wider than the page; `labelledBy` is the id of the table's heading. */
const scrollBox = (labelledBy: string, table: Html): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-labelledby="${labelledBy}">${table}</div>`

/** A column of a table: only its head, or its head with options. */
export type Column = string | {
  readonly title: string
  /** Whether the head is visible only to screen readers. */
  readonly hidden?: boolean
  readonly class?: "num" | "wide" | "num wide" | "scale" | "wide scale"
  /** The glossary entry that explains the head. */
  readonly about?: GlossaryKey
  /**
   * The address that the head links to in order to sort, and the current order by this column; null = the table is
   * sorted by another column.
   */
  readonly sort?: { readonly address: Address; readonly order: "ascending" | "descending" | null }
}

/** A column of numbers. */
export const numeric = (title: string): Exclude<Column, string> => ({ title, class: "num" })

/** The column that shows intervals. */
export const intervalColumn: Column = { title: "95 %", about: "interval" }

/** A column that is hidden on narrow screens. */
export const wideColumn = (title: string): Exclude<Column, string> => ({ title, class: "wide" })

/** A column of numbers that is hidden on narrow screens. */
export const wideNumeric = (title: string): Exclude<Column, string> => ({ title, class: "num wide" })

/** A column whose head is visible only to screen readers. */
export const hidden = (title: string): Column => ({ title, hidden: true })

/**
 * The layout of a table on narrow screens: it scrolls in its box, or the cells of each row are stacked below its first
 * cell. Stacked rows have no heads, so a cell that needs a head has `data-name`.
 */
export type NarrowLayout = "scrolled" | "stacked"

/** A table with column heads, labelled by the heading with the id `labelledBy`. */
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
        }${about !== undefined && explainButton(about)}</th>`
      })
    }</tr></thead><tbody>
${rows}</tbody></table>`
  )

/** The name and the value of a fact; false = the fact is omitted. */
export type Fact = readonly [name: string, value: Fragment] | false

/** Facts in two columns: names and values. */
export const factList = (facts: ReadonlyArray<Fact>): Html =>
  html`<dl class="side">${
    facts.filter((fact) => fact !== false).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)
  }</dl>`

/** Shown instead of an empty list. */
export const emptyState = (title: string, words: Fragment, button?: Html): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${words}</p>${button}</div>`
