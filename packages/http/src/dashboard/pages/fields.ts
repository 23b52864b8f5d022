/** Fields of filters and forms, and links between the pages of a list. */
import { systemTags } from "@sov/core/tracking"
import type { Address } from "../Address.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"

/** An option of a field: its value and its text. */
export type Choice = readonly [value: string, words: string]

interface SelectOptions {
  readonly name: string
  readonly label: string
  /** Text of the option "no filter"; absent = there is no such option. */
  readonly all?: string
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: string | null
  /** Whether the field fills the rest of its line. */
  readonly grows?: boolean
}

/** A select field. If the chosen value is not one of the choices, it is added. */
export const selectField = ({ all, choices, chosen, grows = false, label, name }: SelectOptions): Html => {
  const unknown = chosen !== null && !choices.some(([value]) => value === chosen)
  const shown = unknown ? [[chosen, chosen] as const, ...choices] : choices
  return html`<label${attributes({ class: grows && "grow" })}>${label}<select name="${name}">${
    all !== undefined && html`<option value="">${all}</option>`
  }${
    shown.map(([value, words]) =>
      html`<option value="${value}"${attributes({ selected: value === chosen })}>${visible(words)}</option>`
    )
  }</select></label>`
}

/** A select field for tags: tags in use and computed tags. */
export const tagField = (tags: ReadonlyArray<string>, chosen: string | undefined): Html =>
  selectField({
    name: "tag",
    label: "Tag",
    all: "All tags",
    choices: [...tags, ...systemTags].map((one) => [one, one]),
    chosen: chosen ?? null
  })

/** A field for a day, or for a time if `value` is a time. */
export const dateField = (name: string, label: string, value: string | null): Html => {
  const isDay = value === null || /^\d{4}-\d\d-\d\d$/.test(value)
  return html`<label>${label}<input name="${name}" value="${value}"${
    attributes({ type: isDay ? "date" : "text" })
  }></label>`
}

/** The filters of a list. With scripts, a change applies at once; without scripts, the button applies it. */
export const filterForm = (action: Address, fields: Fragment, submit = "Apply"): Html =>
  html`<form class="filters" method="get" autocomplete="off" data-live action="${action}">${fields}<button>${submit}</button></form>`

/** A hidden field. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

interface PagerOptions {
  /** Label of the links, such as "Pages of answers". */
  readonly label?: string
  readonly words?: Fragment
  /** The address of a page of the list; without a cursor, the first page. */
  readonly at: (query: { readonly cursor?: string }) => Address
  readonly isFirst: boolean
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null
  /** Texts of the two links, for lists that are not sorted newest first. */
  readonly names?: readonly [first: string, next: string]
}

/** Links to the first and the next page of a list. */
export const pager = (
  {
    at,
    isFirst,
    label = "Pages of the list",
    names: [first, next] = ["Newest", "Older"],
    nextCursor,
    words = "Newest first"
  }: PagerOptions
): Html =>
  html`<nav class="pager" aria-label="${label}"><span>${words}</span><span class="actions">${
    !isFirst && html`<a class="button" href="${at({})}" rel="first">${first}</a>`
  }${
    nextCursor !== null && html`<a class="button" href="${at({ cursor: nextCursor })}" rel="next">${next}</a>`
  }</span></nav>`
