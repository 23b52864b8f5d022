/** Fields of filters and forms, and the way through a list. */
import { systemTags } from "@sov/core/tracking"
import type { Address } from "../Address.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"

/** What a field can be set to: its value, and how people read it. */
export type Choice = readonly [value: string, words: string]

interface SelectOptions {
  readonly name: string
  readonly label: string
  /** Words of the choice that filters nothing; left out = there is none. */
  readonly all?: string
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: string | null
  /** Whether it takes the room that is left in its line. */
  readonly grows?: boolean
}

/** A select field. A chosen value that is not among the choices is added to them. */
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

/** One of the tags that keywords were given, or a computed one. */
export const tagField = (tags: ReadonlyArray<string>, chosen: string | undefined): Html =>
  selectField({
    name: "tag",
    label: "Tag",
    all: "All tags",
    choices: [...tags, ...systemTags].map((one) => [one, one]),
    chosen: chosen ?? null
  })

/** A day, or a time where one was given. */
export const dateField = (name: string, label: string, value: string | null): Html => {
  const isDay = value === null || /^\d{4}-\d\d-\d\d$/.test(value)
  return html`<label>${label}<input name="${name}" value="${value}"${
    attributes({ type: isDay ? "date" : "text" })
  }></label>`
}

/** A value that a form sends along unseen. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

interface PagerOptions {
  /** Names the pages: "Pages of answers". */
  readonly label?: string
  readonly words?: Fragment
  /** A page of the list: the first without a cursor. */
  readonly at: (query: { readonly cursor?: string }) => Address
  readonly isFirst: boolean
  /** Where the next page begins; null on the last. */
  readonly nextCursor: string | null
  /** What the two are called where the newest row does not stand first. */
  readonly names?: readonly [first: string, next: string]
}

/** The way to the newest and to older rows of a list. */
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
