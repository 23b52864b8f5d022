/** Outbound webhooks: the endpoints that receive events, and the form that adds one. */
import type { AuditEntryId } from "@sov/core/common"
import {
  defaultEventNames,
  type Endpoint,
  type EventName,
  eventNames,
  maxEndpoints,
  maxWebhookUrlLength,
  type WebhookFormat
} from "@sov/core/webhooks"
import { formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Choice } from "./fields.ts"
import { choiceField, type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState, wideColumn } from "./lists.ts"
import { declareList, listTable, type ListViewOf } from "./listView.ts"
import { inOrganization } from "./sections.ts"

/** The values of the form for a new webhook. */
export interface WebhookInput {
  readonly url: string
  readonly format: string
  readonly events: ReadonlyArray<string>
}

const endpointState = ({ disabledReason, failingSince }: Endpoint) =>
  disabledReason !== null ? "disabled" : failingSince !== null ? "failing" : "enabled"

/** The list of endpoints. */
export const endpointList = declareList({
  text: (endpoint: Endpoint) =>
    [endpoint.url, formatWords[endpoint.format], endpointState(endpoint), ...endpoint.events].join(" "),
  by: {
    added: ({ createdAt }) => createdAt.getTime(),
    url: ({ url }) => url,
    state: endpointState,
    delivered: ({ lastSuccessAt }) => lastSuccessAt?.getTime() ?? null,
    failed: ({ lastFailureAt }) => lastFailureAt?.getTime() ?? null
  },
  usual: "added",
  perPage: maxEndpoints
})

export interface WebhooksContent {
  readonly view: ListViewOf<typeof endpointList>
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly formId: AuditEntryId
  readonly input: WebhookInput
  readonly faults: Faults<"url" | "format" | "events">
}

export const emptyWebhookInput: WebhookInput = { url: "", format: "json", events: defaultEventNames }

const eventWords: { readonly [name in EventName]: string } = {
  "scan.completed": "a scan completes",
  "sov.dropped": "SOV Drop raises an alert",
  "mention.detected": "New Mention raises an alert",
  "competitor.overtake": "Competitor Overtake raises an alert",
  "archive.anchored": "sov archive anchor has anchored the latest seal",
  "competitor.suggested": "New Competitor raises an alert",
  "platform.changed": "another model answers on a platform, or it is asked otherwise",
  "scan.failed": "a scan ends without a single answer",
  "fact.contradicted": "Fact Contradicted raises an alert",
  "experiment.ended": "an experiment has its result, or was ended early"
}

/** The events that a webhook can receive, each with what triggers it. */
export const eventChoices: ReadonlyArray<Choice> = eventNames.map((name) => [name, `${name}: ${eventWords[name]}`])

/** The format of the requests, in words. */
export const formatWords: { readonly [format in WebhookFormat]: string } = {
  json: "signed JSON",
  slack: "message for Slack",
  discord: "message for Discord",
  teams: "message for Microsoft Teams"
}

const formatChoices: ReadonlyArray<Choice> = [
  ["json", "The event as signed JSON, for a program"],
  ["slack", "A message for Slack (incoming webhook)"],
  ["discord", "A message for Discord"],
  ["teams", "A message for Microsoft Teams (workflow)"]
]

const stateLooks = { disabled: "pill bad", failing: "pill warn", enabled: "pill good" } as const

/** A mark that says whether an endpoint receives its events. */
export const endpointPill = (endpoint: Endpoint): Html => {
  const state = endpointState(endpoint)
  return html`<span class="${stateLooks[state]}">${state}</span>`
}

const timeOf = (at: Date | null): Fragment =>
  at === null ? "never" : html`<time datetime="${at.toISOString()}">${formatMinute(at)}</time>`

/** The path of an endpoint's page, without `/o/{slug}`. */
export const endpointPath = ({ id }: Pick<Endpoint, "id">): `/${string}` => `/settings/webhooks/${id}`

const endpointRow = ({ organization: { slug } }: Frame, endpoint: Endpoint): Html =>
  html`<tr><th scope="row" class="break"><a href="${inOrganization(slug, endpointPath(endpoint))}">${
    visible(endpoint.url)
  }</a><br><small>${formatWords[endpoint.format]}</small></th><td>${endpointPill(endpoint)}</td><td class="wide">${
    endpoint.events.join(", ")
  }</td><td data-name="delivered">${timeOf(endpoint.lastSuccessAt)}</td><td class="wide">${
    timeOf(endpoint.lastFailureAt)
  }</td></tr>`

const listPanel = (frame: Frame, { endpoints, view }: WebhooksContent): Html =>
  html`<section class="panel" aria-labelledby="endpoints"><header><h2 id="endpoints">Endpoints</h2></header>${
    endpoints.length === 0
      ? emptyState("No endpoints yet", "Add the URL of a receiver. It gets a signed POST request for each event.")
      : listTable({
        labelledBy: "endpoints",
        things: "endpoints",
        list: endpointList,
        rows: endpoints,
        view,
        at: (query) => inOrganization(frame.organization.slug, "/settings/webhooks", { ...query }),
        columns: (head) => [
          head("url", { title: "URL" }, "ascending"),
          head("state", { title: "State" }, "ascending"),
          wideColumn("Events"),
          head("delivered", { title: "Last delivered" }),
          head("failed", wideColumn("Last failed"))
        ],
        row: (one) => endpointRow(frame, one)
      })
  }</section>`

const addPanel = ({ organization: { slug } }: Frame, { endpoints, faults, formId, input }: WebhooksContent): Html =>
  html`<section class="panel" aria-labelledby="add"><header><h2 id="add">Add an endpoint</h2></header>${
    refusedNote(faults)
  }${
    endpoints.length >= maxEndpoints
      ? html`<p>You have reached the limit of ${maxEndpoints} endpoints. Remove one first.</p>`
      : html`<form class="fields" method="post" action="${inOrganization(slug, "/settings/webhooks")}">${
        formIdField(formId)
      }${
        textField({
          name: "url",
          label: "URL",
          type: "url",
          value: input.url,
          required: true,
          maxLength: maxWebhookUrlLength,
          hint: "A public https address on port 443 or 8443. The operator of this server can allow others.",
          fault: faults.url
        })
      }${
        choiceField({
          type: "radio",
          name: "format",
          label: "Format",
          choices: formatChoices,
          chosen: [input.format],
          fault: faults.format
        })
      }${
        choiceField({
          type: "checkbox",
          name: "event",
          label: "Send when",
          choices: eventChoices,
          chosen: input.events,
          fault: faults.events
        })
      }<div class="actions"><button class="primary">Add endpoint</button></div></form>`
  }</section>`

export const webhooksPage = (frame: Frame, content: WebhooksContent): Html => {
  const { slug } = frame.organization
  return layout(frame, {
    title: "Outbound webhooks",
    here: "settings",
    summary: html`<a href="${inOrganization(slug, "/settings")}">Settings</a> · signed POST requests for events`,
    actions: html`<a class="button" href="${inOrganization(slug, "/settings/webhooks.csv")}">Download CSV</a>`,
    body: html`<div class="grid">${listPanel(frame, content)}${addPanel(frame, content)}</div>`
  })
}
