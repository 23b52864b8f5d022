/** The forms of the business card: one form per group; each field has its value, source and age. */
import {
  type BusinessCard,
  type BusinessCardReport,
  type CardField,
  cardFieldNames,
  cardFields,
  type CardGroup,
  cardGroups,
  cardItemText,
  type CardValue,
  factFreshness,
  maxSourceLength
} from "@sov/core/card"
import type { AuditEntryId } from "@sov/core/common"
import { formatDate } from "../charts/numbers.ts"
import { attributes, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { fieldTitle, freshnessPill, groupTitle } from "./card.ts"
import { fingerprint, formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

/** The typed values of one field. */
export interface CardInput {
  readonly value: string
  readonly source: string
  /** Whether the person confirmed the value without changing it. */
  readonly confirmed: boolean
}

/** Why the input of a field is invalid. */
export interface CardInputFault {
  readonly part: "value" | "source"
  readonly message: string
}

export interface CardEditContent {
  readonly formId: AuditEntryId
  readonly report: BusinessCardReport
  /** The accepted input of each field, in words. */
  readonly forms: ReadonlyMap<CardField, string>
  /** Input that was refused and is shown again with its faults; null = no form was sent. */
  readonly sent: {
    readonly group: CardGroup
    readonly inputs: ReadonlyMap<CardField, CardInput>
    readonly faults: ReadonlyMap<CardField, CardInputFault>
    /** Fields that somebody else has changed since the form was opened. */
    readonly changed: ReadonlySet<CardField>
  } | null
}

/** The fields of a group, in the order of the card. */
export const fieldsOf = (group: CardGroup): ReadonlyArray<CardField> =>
  cardFieldNames.filter((name) => cardFields[name].group === group)

/** The value of a field as form text, one item per line. */
const inputText = (value: CardValue | undefined): string => (value ?? []).map(cardItemText).join("\n")

/** A field as its form shows it; empty if the card does not contain the field. */
export const shownFact = (
  card: BusinessCard,
  field: CardField
): { readonly value: string; readonly source: string } => {
  const fact = card.get(field)
  return { value: inputText(fact?.value), source: fact?.source ?? "" }
}

const isLong = (field: CardField): boolean => {
  const { kind, many } = cardFields[field]
  return many || kind === "prose"
}

const fieldRow = (field: CardField, { forms, report, sent }: CardEditContent): Html => {
  const fact = report.card.get(field)
  const kept = shownFact(report.card, field)
  const shown = { value: fingerprint(kept.value), source: fingerprint(kept.source) }
  const input = sent?.inputs.get(field) ?? { ...kept, confirmed: false }
  const fault = sent?.faults.get(field) ?? null
  const changed = sent?.changed.has(field) ?? false
  const describes = (part: CardInputFault["part"]) =>
    [
      fault?.part === part && `${field}-fault`,
      part === "value" && changed && `${field}-now`,
      part === "value" && fault?.part !== part && `${field}-form`
    ].filter((one) => one !== false).join(" ") || null
  const named = (part: CardInputFault["part"]) =>
    attributes({
      id: `${field}-${part}`,
      name: part === "value" ? field : `source.${field}`,
      "aria-describedby": describes(part),
      "aria-invalid": fault?.part === part && "true"
    })
  const faultOf = (part: CardInputFault["part"]) =>
    fault?.part === part && html`<span class="fault" id="${field}-fault">${visible(fault.message)}</span>`
  return html`<div class="fact"><div><label for="${field}-value">${fieldTitle(field)}${
    cardFields[field].expected && html` <span class="quiet">expected</span>`
  }</label>${
    isLong(field)
      ? html`<textarea${named("value")}>${input.value}</textarea>`
      : html`<input${named("value")}${attributes({ value: input.value })}>`
  }${faultOf("value")}${
    changed &&
    html`<span class="fault" id="${field}-now">Someone else changed this in the meantime. It is now: ${
      kept.value === ""
        ? "empty"
        : html`${visible(kept.value.replaceAll("\n", " · "))} (source: ${visible(kept.source)})`
    }</span>`
  }<small id="${field}-form">${cardFields[field].many && "one per line: "}${
    forms.get(field) ?? ""
  }</small></div><div><label for="${field}-source">Source</label><input${named("source")}${
    attributes({ value: input.source, maxlength: maxSourceLength })
  }>${faultOf("source")}${
    fact === undefined
      ? html`<small>no value yet</small>`
      : html`<small>as of ${formatDate(fact.updatedAt)} ${
        freshnessPill(factFreshness(field, fact, report.at))
      }</small><label class="check"><input type="checkbox" name="confirm.${field}" value="1"${
        attributes({ checked: input.confirmed })
      }> Confirm that this is still true</label>`
  }</div><input type="hidden" name="was.${field}" value="${shown.value}"><input type="hidden" name="was-source.${field}" value="${shown.source}"></div>`
}

const groupForm = (frame: Frame, group: CardGroup, content: CardEditContent): Html => {
  const faults = content.sent?.group === group ? content.sent.faults.size : 0
  const changed = content.sent?.group === group ? content.sent.changed.size : 0
  return html`<section class="panel" aria-labelledby="${group}"><header><h2 id="${group}">${
    groupTitle(group)
  }</h2></header>${
    faults > 0 &&
    html`<p class="note warn" role="alert">Nothing was saved: ${
      faults === 1 ? "one field needs" : `${faults} fields need`
    } correcting.</p>`
  }${
    changed > 0 &&
    html`<p class="note warn" role="alert">Nothing was saved: since you opened this form, someone else has changed ${
      changed === 1 ? "a field" : `${changed} fields`
    } that you edited. Your input is kept below; saving it replaces theirs.</p>`
  }<form class="facts-form" method="post" action="${inOrganization(frame.organization.slug, "/card/edit")}">${
    formIdField(content.formId)
  }<input type="hidden" name="group" value="${group}">${
    fieldsOf(group).map((field) => fieldRow(field, content))
  }<div class="actions"><button class="primary">Save ${groupTitle(group).toLowerCase()}</button></div></form></section>`
}

export const cardEditPage = (frame: Frame, content: CardEditContent): Html =>
  layout(frame, {
    title: "Edit the business card",
    here: "card",
    summary: html`<a href="${
      inOrganization(frame.organization.slug, "/card")
    }">Business card</a> · empty fields are cleared; untouched fields stay`,
    body: html`<div class="grid">${cardGroups.map((group) => groupForm(frame, group, content))}</div>`
  })
