/** Suggested competitors: brands that the newest answers name and that are not tracked. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import {
  describeExample,
  noMarketText,
  type Suggestion,
  type Suggestions,
  type SuggestionState
} from "@sov/core/tracking"
import { formatCount, formatPercent } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { changedActNote, formIdField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { dataTable, emptyState, hidden, numeric, wideColumn } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The content of the suggestions section. */
export interface SuggestionsContent {
  /** Suggestions from the newest answers; null if reading the answers took too long. */
  readonly found: Suggestions | null
  /** Ignored names, most recently ignored first. */
  readonly ignored: ReadonlyArray<string>
  /** Form id that all forms of the section share. */
  readonly formId: AuditEntryId
  /** A name whose state somebody else has changed since its form was shown, with the new state; null = no such name. */
  readonly changed: { readonly name: string; readonly state: SuggestionState } | null
}

/** Maximum number of suggestions on the page; the CSV contains all of them. */
const maxShown = 20

/** The state of a name as text, so that a form can detect whether it has changed. */
export const describeState = (state: SuggestionState): string => {
  switch (state) {
    case "open":
      return "not tracked, not ignored"
    case "ignored":
      return "ignored"
    case "tracked":
      return "tracked"
  }
}

/** A button that changes the state of a name; `state` is the state that the page shows. */
const nameForm = (
  { organization: { slug } }: Frame,
  formId: AuditEntryId,
  { act, name, state, title }: {
    readonly act: "ignore" | "restore"
    readonly name: string
    readonly state: SuggestionState
    readonly title: string
  }
): Html =>
  html`<form method="post" action="${inOrganization(slug, `/competitors/suggestions/${act}`)}">${formIdField(formId)}${
    seenField(describeState(state))
  }${hiddenField("name", name)}<button>${title}<span class="hidden"> ${visible(name)}</span></button></form>`

const changeButtons = (frame: Frame, formId: AuditEntryId, name: string): Html =>
  html`<span class="actions"><a class="button" href="${
    inOrganization(frame.organization.slug, "/competitors/suggestions/accept", { name })
  }">Accept…<span class="hidden"> ${visible(name)}</span></a>${
    nameForm(frame, formId, { act: "ignore", name, state: "open", title: "Ignore" })
  }</span>`

const exampleLines = (frame: Frame, { examples, name, products }: Suggestion): Fragment => [
  products.length > 0 && html`<p class="small">Counts ${visible(products.join(", "))}, too.</p>`,
  ...examples.map((example) =>
    html`<p class="small"><a href="${inOrganization(frame.organization.slug, `/answers/${example.answer.answerId}`)}">${
      visible(platformName(frame, example.answer.platform))
    }</a>: <span dir="auto">${visible(describeExample(name, example))}</span></p>`
  )
]

const suggestionRow = (frame: Frame, formId: AuditEntryId, one: Suggestion): Html =>
  html`<tr><th scope="row" class="break">${visible(one.name)}</th><td class="num" data-name="Share"><b>${
    formatPercent(one.share)
  }</b></td><td class="num" data-name="Questions × platforms">${formatCount(one.cells)}</td><td class="wide">${
    visible(one.platforms.map((id) => platformName(frame, id)).join(", "))
  }</td><td class="break">${exampleLines(frame, one)}</td>${
    atLeast(frame.role, "member") && html`<td class="num">${changeButtons(frame, formId, one.name)}</td>`
  }</tr>`

const suggestionTable = (frame: Frame, formId: AuditEntryId, suggestions: ReadonlyArray<Suggestion>): Html =>
  dataTable(
    "suggestions",
    [
      "Name",
      numeric("Share if tracked"),
      numeric("Questions × platforms"),
      wideColumn("Platforms"),
      "Examples",
      ...atLeast(frame.role, "member") ? [hidden("Change")] : []
    ],
    suggestions.slice(0, maxShown).map((one) => suggestionRow(frame, formId, one)),
    "stacked"
  )

const scope = ({ answers, isPart, scans }: Suggestions): string =>
  `${isPart ? "latest " : ""}${pluralized(answers, "answer")} of ${pluralized(scans, "scan")}`

const content = (frame: Frame, { formId, found }: SuggestionsContent): Fragment => {
  if (found === null) {
    return html`<p>Reading the latest answers took too long for a page. Run <code>sov competitor suggest</code> instead.</p>`
  }
  if (found.scans === 0) {
    return emptyState("No scan has completed yet", "Suggestions are found in the answers of completed scans.")
  }
  const lessSure = found.lessSure.length > 0 &&
    html`<details class="data"><summary>${pluralized(found.lessSure.length, "name")}, less sure</summary>${
      suggestionTable(frame, formId, found.lessSure)
    }</details>`
  if (found.suggestions.length === 0) {
    const why = found.isMarket
      ? `In ${pluralized(found.answers, "answer")} no untracked name appears for two or more questions.`
      : noMarketText
    return html`${emptyState("No suggestions", why)}${lessSure}`
  }
  return html`${
    suggestionTable(frame, formId, found.suggestions)
  }${lessSure}<footer>Names are found by rules, without a language model. ${
    found.suggestions.length > maxShown &&
    html`The first ${maxShown} of ${formatCount(found.suggestions.length)}; the CSV has all. `
  }The share is what a name would have had if you had tracked it.${
    found.isPart && html` Older answers were left out: <code>sov competitor suggest</code> reads up to 50,000.`
  }${
    found.tooLong > 0 &&
    html` ${
      pluralized(found.tooLong, "very long answer")
    } left out: <code>sov competitor suggest</code> reads those too.`
  }</footer>`
}

const ignoredNames = (frame: Frame, { formId, ignored }: SuggestionsContent): Fragment =>
  ignored.length > 0 &&
  html`<details class="data"><summary>${pluralized(ignored.length, "ignored name")}</summary><ul class="bullets">${
    ignored.map((name) =>
      html`<li>${visible(name)}${
        atLeast(frame.role, "member") &&
        html` <span class="actions">${
          nameForm(frame, formId, { act: "restore", name, state: "ignored", title: "Suggest again" })
        }</span>`
      }</li>`
    )
  }</ul></details>`

/** The section of suggestions on the competitors page. */
export const suggestionsPanel = (frame: Frame, suggestions: SuggestionsContent): Html => {
  const { changed, found } = suggestions
  return html`<section class="panel" aria-labelledby="suggestions"><header><h2 id="suggestions">Suggested</h2>${
    found !== null && found.suggestions.length + found.lessSure.length > 0 &&
    html`<p>${scope(found)}${found.simulated && html` <span class="tag">Simulated</span>`}</p><a class="button" href="${
      inOrganization(frame.organization.slug, "/competitors/suggestions.csv")
    }">Download CSV</a>`
  }</header>${changed !== null && changedActNote(html`${visible(changed.name)}, ${describeState(changed.state)}`)}${
    content(frame, suggestions)
  }${ignoredNames(frame, suggestions)}</section>`
}
