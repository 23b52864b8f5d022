/** One webhook delivery: the request, each attempt with its response, and the time of the next attempt. */
import type { AuditEntryId } from "@sov/core/common"
import type { Attempt, Delivery, Endpoint } from "@sov/core/webhooks"
import { formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, wideNumeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { deliveryPill } from "./webhook.ts"
import { endpointPath } from "./webhooks.ts"

export interface DeliveryContent {
  readonly endpoint: Endpoint
  readonly delivery: Delivery
  readonly attempts: ReadonlyArray<Attempt>
  /** The body that was sent. */
  readonly body: string
  readonly formId: AuditEntryId
}

const attemptRow = ({ durationMs, failure, message, number, response, startedAt, status }: Attempt): Html =>
  html`<tr><th scope="row"><time datetime="${startedAt.toISOString()}">${
    formatMinute(startedAt)
  }</time><br><small>attempt ${number}</small></th><td class="break">${
    failure === null
      ? html`<span class="pill good">${status}</span>`
      : html`<span class="pill bad">${status ?? failure}</span>`
  }${message !== null && html`<br><small>${visible(message)}</small>`}${
    response !== null && response !== "" &&
    html`<details class="data"><summary>Response</summary><pre class="copy" tabindex="0"><code>${
      visible(response)
    }</code></pre></details>`
  }</td><td class="num wide">${durationMs} ms</td></tr>`

const triesPanel = ({ attempts, delivery, endpoint }: DeliveryContent): Html =>
  html`<section class="panel" aria-labelledby="tries"><header><h2 id="tries">Attempts</h2>${
    delivery.state === "pending" &&
    html`<p>${
      endpoint.disabledReason === null
        ? `Next attempt: ${formatMinute(delivery.dueAt)}`
        : "Waiting for the endpoint to be enabled"
    }</p>`
  }</header>${
    attempts.length === 0
      ? emptyState("Not attempted yet", "A running server sends it shortly. Reload this page to see the result.")
      : dataTable(
        "tries",
        ["When", "Response", wideNumeric("Duration")],
        attempts.map(attemptRow)
      )
  }</section>`

const requestPanel = ({ body, delivery, endpoint }: DeliveryContent): Html =>
  html`<section class="panel" aria-labelledby="request"><header><h2 id="request">Request</h2></header><dl class="side"><dt>POST</dt><dd class="break">${
    visible(endpoint.url)
  }</dd>${
    endpoint.format === "json" && html`<dt>webhook-id</dt><dd><code>${delivery.eventId}</code></dd>`
  }<dt>Event</dt><dd>${delivery.event}</dd></dl><pre class="copy" tabindex="0"><code>${visible(body)}</code></pre>${
    endpoint.format === "json" &&
    html`<p class="small">Each attempt has its own <code>webhook-timestamp</code> and signatures.</p>`
  }</section>`

const replayForm = (frame: Frame, { delivery, endpoint, formId }: DeliveryContent): Fragment =>
  delivery.state === "pending" && delivery.dueAt <= frame.at && endpoint.disabledReason === null
    ? html`<p class="small">It is due and will be sent by a running server.</p>`
    : endpoint.disabledReason === null
    ? html`<form method="post" action="${
      inOrganization(frame.organization.slug, `${endpointPath(endpoint)}/deliveries/${delivery.id}/replay`)
    }">${formIdField(formId)}<button>Send again</button></form>`
    : html`<p class="small">Enable the endpoint to send it again.</p>`

export const deliveryPage = (frame: Frame, content: DeliveryContent): Html => {
  const { delivery, endpoint } = content
  return layout(frame, {
    title: `Delivery of ${formatMinute(delivery.createdAt)}`,
    here: "settings",
    summary: html`<a href="${inOrganization(frame.organization.slug, endpointPath(endpoint))}">${
      visible(new URL(endpoint.url).host)
    }</a> · ${delivery.event} ${deliveryPill(delivery.state)}`,
    actions: replayForm(frame, content),
    body: html`<div class="grid two">${triesPanel(content)}${requestPanel(content)}</div>`
  })
}
