/** The business card: the known facts about the organization, and how far they can be trusted. */
import {
  type BusinessCardReport,
  type CardField,
  cardFieldNames,
  cardFields,
  type CardGroup,
  cardItemText,
  type CardValue,
  factFreshness,
  type Freshness,
  type GroupTrust,
  maxAttesterLength
} from "@sov/core/card"
import { type AuditEntryId, isSimulatedSource, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import { externalAddress, to } from "../Address.ts"
import { formatDate, formatNumber, formatPercent } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, numeric, wideColumn, wideNumeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"

/** The name of a field within a sentence, such as `legal name` or `VAT id`. */
const fieldWords = (field: CardField): string =>
  field.replaceAll("_", " ").replace(/^(?:url|lei|vat)\b/, (word) => word.toUpperCase())

/** The name of a field as a title, such as `Legal name`. */
export const fieldTitle = (field: CardField): string => {
  const words = fieldWords(field)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A date that does not wrap. */
const day = (date: Date): Html => html`<time datetime="${date.toISOString()}">${formatDate(date)}</time>`

/** The title of a group of fields, such as `Identity`. */
export const groupTitle = (group: CardGroup): string => group.charAt(0).toUpperCase() + group.slice(1)

const freshnessLook: { readonly [state in Freshness]: string } = {
  fresh: "good",
  aging: "warn",
  stale: "bad",
  missing: ""
}

export const freshnessPill = (state: Freshness): Html =>
  html`<span class="pill ${freshnessLook[state]}">${state}</span>`

/** The value of a field with one item per line; web addresses become links. */
const valueCell = (field: CardField, value: CardValue): Fragment =>
  value.map((item, i) => {
    const text = visible(cardItemText(item))
    const address = cardFields[field].kind === "url" && typeof item === "string" ? externalAddress(item) : null
    return html`${i > 0 && html`<br>`}${
      address === null ? text : html`<a href="${address}" rel="noreferrer noopener nofollow">${text}</a>`
    }`
  })

const scorePanel = ({ attestation, attestationState, trust }: BusinessCardReport): Html =>
  html`<section class="panel" aria-labelledby="trust"><header><h2 id="trust">Trust score</h2></header><p class="total"><strong>${trust.score}</strong> of 100</p><dl class="figures"><div><dt>Completeness</dt><dd>${
    formatPercent(100 * trust.completeness)
  }</dd></div><div><dt>Freshness</dt><dd>${
    formatPercent(100 * trust.freshness)
  }</dd></div><div><dt>Attestation</dt><dd>× ${formatNumber(trust.attestation, 1)}</dd></div></dl><p>${
    attestation === null
      ? "The card has not been attested yet."
      : `Attested by ${visible(attestation.by)} on ${formatDate(attestation.at)}${
        attestationState === "outdated" ? "; it has been edited since." : "."
      }`
  }</p><footer>100 × completeness × (0.7 + 0.3 × freshness) × attestation</footer></section>`

const groupRow = ({ completeness, freshness, group, missing, staleAt, weight }: GroupTrust): Html =>
  html`<tr><th scope="row"><a class="plain" href="${to(`#${group}`)}">${groupTitle(group)}</a>${
    missing.length > 0 && html`<br><small>missing: ${missing.map(fieldWords).join(", ")}</small>`
  }</th><td>${freshnessPill(freshness)}</td><td class="num"><b>${
    formatPercent(100 * completeness)
  }</b></td><td class="num wide">${weight} %</td><td class="wide">${staleAt !== null && day(staleAt)}</td></tr>`

const groupsPanel = ({ trust }: BusinessCardReport): Html =>
  html`<section class="panel" aria-labelledby="groups"><header><h2 id="groups">Groups</h2></header>${
    dataTable(
      "groups",
      ["Group", "Freshness", numeric("Complete"), wideNumeric("Weight"), wideColumn("Stale after")],
      trust.groups.map(groupRow)
    )
  }</section>`

const fieldsPanel = (report: BusinessCardReport, group: CardGroup): Fragment => {
  const filled = cardFieldNames.filter((name) => cardFields[name].group === group && report.card.has(name))
  return html`<section class="panel known" aria-labelledby="${group}"><header><h2 id="${group}">${
    groupTitle(group)
  }</h2></header>${
    filled.length === 0
      ? html`<p class="small">No entries yet.</p>`
      : dataTable(
        group,
        ["Field", "Value", "Freshness", "As of", wideColumn("Source")],
        filled.map((name) => {
          const fact = report.card.get(name)!
          return html`<tr><th scope="row">${fieldTitle(name)}</th><td class="break">${
            valueCell(name, fact.value)
          }</td><td>${freshnessPill(factFreshness(name, fact, report.at))}</td><td>${
            day(fact.updatedAt)
          }</td><td class="wide break">${visible(fact.source)}</td></tr>`
        }),
        "stacked"
      )
  }</section>`
}

export const cardPage = (frame: Frame, report: BusinessCardReport): Html => {
  const { organization: { slug }, role } = frame
  const mayEdit = atLeast(role, "member")
  const isEmpty = report.card.size === 0
  return layout(frame, {
    title: "Business card",
    here: "card",
    simulated: [...report.card.values()].some(({ source }) => isSimulatedSource(source)),
    summary: html`Facts about the organization, with their sources and ages · <a href="${
      inOrganization(slug, "/card/history")
    }">History</a> · <a href="${inOrganization(slug, "/card/answers")}">Against answers</a>`,
    actions: html`<div class="actions">${
      !isEmpty &&
      html`<a class="button" href="${inOrganization(slug, "/card.csv")}">Download CSV</a><a class="button" href="${
        inOrganization(slug, "/card/json-ld")
      }">JSON-LD</a><a class="button" href="${inOrganization(slug, "/card/web-page")}">For a web page</a>`
    }${mayEdit && !isEmpty && html`<a class="button" href="${inOrganization(slug, "/card/attest")}">Attest…</a>`}${
      mayEdit && html`<a class="button primary" href="${inOrganization(slug, "/card/edit")}">Edit</a>`
    }</div>`,
    body: isEmpty
      ? html`<section class="panel">${
        emptyState(
          "Your business card is empty",
          "Enter facts about your organization. Assistants, and people who check them, get each fact with its source and age.",
          mayEdit ? html`<a class="button" href="${inOrganization(slug, "/card/edit")}">Add facts</a>` : undefined
        )
      }</section>`
      : html`<div class="grid"><div class="grid two">${scorePanel(report)}${groupsPanel(report)}</div>${
        report.trust.groups.map(({ group }) => fieldsPanel(report, group))
      }</div>`
  })
}

/** The form that asks for the name of the person who attests, and shows which card is attested. */
export const attestPage = (
  frame: Frame,
  report: BusinessCardReport,
  { by, fault, formId }: { readonly by: string; readonly fault: string | null; readonly formId: AuditEntryId }
): Html => {
  const { slug } = frame.organization
  return layout(frame, {
    title: "Attest the business card",
    here: "card",
    summary: html`<a href="${inOrganization(slug, "/card")}">Business card</a>`,
    body:
      html`<section class="panel" aria-labelledby="attest"><header><h2 id="attest">You vouch for the current card</h2></header><p>It has ${
        pluralized(report.card.size, "field")
      }. Your name and the time are stored with the hash of this card. A later edit makes the attestation outdated.</p><p>sha256 <code class="break">${report.hash}</code></p><form class="fields" method="post" action="${
        inOrganization(slug, "/card/attest")
      }">${
        formIdField(formId)
      }<input type="hidden" name="hash" value="${report.hash}"><label for="by">Your name<input id="by" name="by" required maxlength="${maxAttesterLength}" value="${by}"${
        attributes({ "aria-describedby": fault !== null && "by-fault", "aria-invalid": fault !== null && "true" })
      }>${
        fault !== null && html`<span class="fault" id="by-fault">${visible(fault)}</span>`
      }</label><div class="actions"><button class="primary">Attest</button><a class="button" href="${
        inOrganization(slug, "/card")
      }">Cancel</a></div></form></section>`
  })
}
