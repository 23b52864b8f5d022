/** History of the business card: the previous values of each field. The audit log records who entered them. */
import { type CardChange, type CardField, cardFieldNames, cardItemText, type CardValue, cardVerb } from "@sov/core/card"
import { formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { fieldTitle } from "./card.ts"
import { filterForm, pager, selectField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, wideColumn } from "./lists.ts"
import { inOrganization } from "./sections.ts"

export interface CardHistoryContent {
  readonly changes: ReadonlyArray<CardChange>
  readonly field: CardField | undefined
  /** The cursor of this page; undefined for the first page. */
  readonly cursor: string | undefined
  readonly nextCursor: string | null
}

const valueText = (value: CardValue | null): Fragment =>
  value === null ? "" : visible(value.map(cardItemText).join("\n"))

export const cardHistoryPage = (frame: Frame, { changes, cursor, field, nextCursor }: CardHistoryContent): Html => {
  const { slug } = frame.organization
  const at = (query: { readonly cursor?: string | null }) => inOrganization(slug, "/card/history", { field, ...query })
  return layout(frame, {
    title: "History of the business card",
    here: "card",
    summary: html`<a href="${inOrganization(slug, "/card")}">Business card</a>`,
    actions: html`<a class="button" href="${inOrganization(slug, "/card/history.csv", { field })}">Download CSV</a>`,
    body: html`${
      filterForm(
        inOrganization(slug, "/card/history"),
        selectField({
          label: "Field",
          name: "field",
          all: "All fields",
          choices: cardFieldNames.map((name) => [name, fieldTitle(name)]),
          chosen: field ?? null
        })
      )
    }<section class="panel" aria-labelledby="changes"><header><h2 id="changes">Changes</h2></header>${
      changes.length === 0
        ? emptyState(
          "No changes",
          field === undefined ? "The card has not been changed yet." : "Remove the filter to see more."
        )
        : dataTable(
          "changes",
          ["Entered", "Field", "Change", "Value", wideColumn("Before"), wideColumn("Source")],
          changes.map((change) =>
            html`<tr><th scope="row"><time datetime="${change.changedAt.toISOString()}">${
              formatMinute(change.changedAt)
            }</time></th><td>${fieldTitle(change.field)}</td><td>${cardVerb(change)}</td><td class="break lines">${
              valueText(change.value)
            }</td><td class="wide break lines">${
              cardVerb(change) !== "confirmed" && valueText(change.previous)
            }</td><td class="wide break">${visible(change.source)}</td></tr>`
          ),
          "stacked"
        )
    }${pager({ at, isFirst: cursor === undefined, nextCursor })}</section>`
  })
}
