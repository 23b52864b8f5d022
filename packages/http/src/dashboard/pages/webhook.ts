/** One webhook endpoint: its health, events, secret and deliveries. */
import type { AuditEntryId } from "@sov/core/common"
import { type Delivery, DeliveryState, type DisabledReason, type Endpoint, eventNames } from "@sov/core/webhooks"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, selectField } from "./fields.ts"
import { changedActNote, changedNote, choiceField, formIdField, refusedNote, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, type Fact, factList, numeric, wideColumn } from "./lists.ts"
import {
  type CursorListOf,
  cursorListPager,
  declareList,
  type ListQuery,
  searchField,
  sortField,
  sortHeads
} from "./listView.ts"
import { receivers } from "./receivers.ts"
import { inOrganization } from "./sections.ts"
import { snippetList } from "./snippets.ts"
import { endpointPath, endpointPill, eventChoices, formatWords } from "./webhooks.ts"

/** The list of an endpoint's deliveries. */
export const deliveryList = declareList({
  text: ({ createdAt, event, last, state }: Delivery) =>
    [event, state, last?.message, createdAt.toISOString()].join(" "),
  by: {
    when: ({ createdAt }) => createdAt.getTime(),
    event: ({ event }) => event,
    state: ({ state }) => state,
    attempts: ({ attempts }) => attempts
  },
  usual: "-when",
  perPage: 25
})

export interface WebhookContent {
  readonly endpoint: Endpoint
  readonly deliveries: CursorListOf<typeof deliveryList>
  /** The state of the listed deliveries; undefined = all. */
  readonly state: DeliveryState | undefined
  /** An id for each form of the page. */
  readonly formIds: { readonly [form in "test" | "events" | "enable" | "promote" | "reveal"]: AuditEntryId }
  /** The events that are selected in the form. */
  readonly events: ReadonlyArray<string>
  readonly fault: string | undefined
  /** Whether somebody else has changed the events since the form was opened. */
  readonly changed: boolean
  /** Whether somebody else has disabled or enabled the endpoint, or changed its events, since the form was opened. */
  readonly stateChanged: boolean
  /** Whether the secrets have changed since the form about them was opened. */
  readonly secretsChanged: boolean
  /** Secrets that are shown only this once. */
  readonly secrets: ReadonlyArray<ShownSecret>
}

/** A secret to show: a new one, one that was just staged, or one in use. */
export interface ShownSecret {
  readonly text: string
  readonly is: "new" | "staged" | "present" | "next"
}

/** The events of the endpoint as text for `seenField`. */
export const eventsText = ({ events }: Pick<Endpoint, "events">): string => events.toSorted().join(",")

/** Whether the endpoint is enabled, and its events, as text for `seenField`. */
export const stateText = (endpoint: Pick<Endpoint, "disabledReason" | "events">): string =>
  `${endpoint.disabledReason === null ? "enabled" : "disabled"}: ${eventsText(endpoint)}`

/** The state of the signing secrets, as text for `seenField`. */
export const secretsText = ({ stagedAt }: Pick<Endpoint, "stagedAt">): string =>
  stagedAt === null ? "one" : `a next one, staged at ${stagedAt.toISOString()}`

/** A note that nothing was changed, because the secrets have changed since the page was opened. */
export const secretsChangedNote = ({ stagedAt }: Endpoint): Html =>
  html`<p class="note warn" role="alert">Nothing was changed: the secrets have changed since you opened this page. Now ${
    stagedAt === null
      ? "one secret signs, and no next one is staged"
      : `two sign: the next one was staged on ${formatMinute(stagedAt)}`
  }. The audit log says who changed them.</p>`

/** Why the endpoint receives no events, and what to do about it. */
const disabledWords: { readonly [reason in DisabledReason]: string } = {
  operator: "Disabled here or with the command. Enable it when its receiver is ready.",
  gone:
    "The receiver answered 410 Gone, which means that it wants no more events. If that was a mistake, fix the receiver and enable the endpoint.",
  failing: "Every attempt has failed for five days. Fix the receiver, send a test, then enable the endpoint."
}

const troubleNote = ({ disabledAt, disabledReason, failingSince }: Endpoint): Fragment =>
  disabledReason !== null
    ? html`<div class="note warn"><p><strong>Disabled${
      disabledAt !== null && ` since ${formatMinute(disabledAt)}`
    }.</strong> ${
      disabledWords[disabledReason]
    } Pending deliveries wait up to 30 days and are sent once the endpoint is enabled. Failed deliveries can then be sent again, from ${
      failingSince === null ? "the day it failed" : formatDate(failingSince)
    } on.</p></div>`
    : failingSince !== null &&
      html`<p class="note warn">Every attempt has failed since ${
        formatMinute(failingSince)
      }. The endpoint is disabled after five days without a success. The deliveries below show why.</p>`

const secretWords: { readonly [kind in ShownSecret["is"]]: readonly [title: string, words: string] } = {
  new: ["The secret", "Give it to the receiver, which verifies each request with it."],
  staged: [
    "The next secret",
    "From now on requests are signed with both secrets. Give this one to the receiver, then stop signing with the old one. After 24 hours that happens automatically."
  ],
  present: ["The secret", "The receiver verifies each request with it. The audit log records that it was shown."],
  next: ["The next secret", "Requests are signed with it too, and soon with it alone."]
}

const secretNote = ({ is, text }: ShownSecret): Html => {
  const [title, words] = secretWords[is]
  // If two secrets are shown, one of them is the staged one
  const id = is === "next" ? "next-secret" : "secret"
  return html`<div class="once" role="status"><h2>${title}</h2><p class="small">${words} It disappears when you leave this page.</p><code id="${id}">${text}</code><button type="button" data-copy="${id}">Copy</button></div>`
}

const act = (frame: Frame, endpoint: Endpoint, verb: string) =>
  inOrganization(frame.organization.slug, `${endpointPath(endpoint)}/${verb}`)

const healthPanel = (frame: Frame, { endpoint, formIds, secretsChanged, stateChanged }: WebhookContent): Html => {
  const { createdAt, disabledReason, format, lastFailureAt, lastSuccessAt, stagedAt } = endpoint
  const facts: ReadonlyArray<Fact> = [
    ["State", endpointPill(endpoint)],
    ["Sends", formatWords[format]],
    ["Added", formatDate(createdAt)],
    ["Last delivered", lastSuccessAt === null ? "never" : formatMinute(lastSuccessAt)],
    ["Last failed", lastFailureAt === null ? "never" : formatMinute(lastFailureAt)],
    [
      "Secret",
      format !== "json"
        ? "none: not signed"
        : stagedAt === null
        ? "one"
        : `two since ${formatMinute(stagedAt)}`
    ]
  ]
  const press = (verb: "enable" | "promote" | "reveal", words: string, seen: Fragment = false) =>
    html`<form method="post" action="${act(frame, endpoint, verb)}">${
      formIdField(formIds[verb])
    }${seen}<button>${words}</button></form>`
  return html`<section class="panel" aria-labelledby="health"><header><h2 id="health">Endpoint</h2></header>${
    secretsChanged && secretsChangedNote(endpoint)
  }${stateChanged && changedActNote(stateText(endpoint))}${factList(facts)}<div class="actions">${
    disabledReason !== null
      ? press("enable", "Enable", seenField(stateText(endpoint)))
      : html`<a class="button" href="${act(frame, endpoint, "disable")}">Disable…</a>`
  }${
    format === "json" &&
    html`${stagedAt !== null && press("promote", "Sign with the new secret only", seenField(secretsText(endpoint)))}${
      press("reveal", "Reveal secret")
    }<a class="button" href="${act(frame, endpoint, "rotate")}">Rotate secret…</a>`
  }<a class="button danger" href="${act(frame, endpoint, "remove")}">Remove…</a></div></section>`
}

const eventsPanel = (frame: Frame, { changed, endpoint, events, fault, formIds }: WebhookContent): Html =>
  html`<section class="panel" aria-labelledby="events"><header><h2 id="events">Events</h2></header>${
    changed && changedNote(endpoint.events.join(", "))
  }${refusedNote(fault === undefined ? {} : { events: fault })}<form class="fields" method="post" action="${
    act(frame, endpoint, "events")
  }">${formIdField(formIds.events)}${seenField(eventsText(endpoint))}${
    choiceField({ type: "checkbox", name: "event", label: "Send when", choices: eventChoices, chosen: events, fault })
  }<div class="actions"><button class="primary">Save events</button></div></form></section>`

const testPanel = (frame: Frame, { endpoint, formIds }: WebhookContent): Html =>
  html`<section class="panel" aria-labelledby="test"><header><h2 id="test">Test</h2></header><p class="small">${
    endpoint.format === "json"
      ? html`Sends a sample with <code>test: true</code> in its data, signed like every delivery, even while the endpoint is disabled.`
      : "Sends a sample that is marked as a test, even while the endpoint is disabled."
  }</p><form class="filters" method="post" action="${act(frame, endpoint, "test")}">${formIdField(formIds.test)}${
    selectField({
      name: "event",
      label: "Sample event",
      choices: eventNames.map((name) => [name, name]),
      chosen: endpoint.events[0] ?? eventNames[0]
    })
  }<button>Send a test</button></form></section>`

const stateLooks: { readonly [state in DeliveryState]: string } = {
  pending: "pill warn",
  delivered: "pill good",
  failed: "pill bad"
}

/** The state of a delivery, as a coloured pill. */
export const deliveryPill = (state: DeliveryState): Html => html`<span class="${stateLooks[state]}">${state}</span>`

const deliveryRow = ({ organization: { slug } }: Frame, endpoint: Endpoint, delivery: Delivery): Html => {
  const { attempts, createdAt, dueAt, event, id, last, state } = delivery
  return html`<tr><th scope="row"><a href="${
    inOrganization(slug, `${endpointPath(endpoint)}/deliveries/${id}`)
  }"><time datetime="${createdAt.toISOString()}">${formatMinute(createdAt)}</time></a></th><td>${event}</td><td>${
    deliveryPill(state)
  }${
    last?.message != null && html`<br><small>${visible(last.message)}</small>`
  }</td><td class="num">${attempts}</td><td class="wide">${state === "pending" ? formatMinute(dueAt) : "–"}</td></tr>`
}

const deliveriesPanel = (frame: Frame, content: WebhookContent): Html => {
  const { deliveries, endpoint, state } = content
  const { slug } = frame.organization
  const path = endpointPath(endpoint)
  const at = ({ q, ...query }: ListQuery & { readonly cursor?: string }) =>
    inOrganization(slug, path, { state, q: q || undefined, ...query })
  const head = sortHeads(deliveries.view, at)
  return html`<section class="panel" aria-labelledby="deliveries"><header><h2 id="deliveries">Deliveries</h2><a href="${
    inOrganization(slug, `${path}/deliveries.csv`, { state })
  }">Download CSV</a></header>${
    filterForm(
      inOrganization(slug, path),
      html`${searchField("Search deliveries", deliveries.view)}${
        selectField({
          name: "state",
          label: "State",
          all: "All states",
          choices: DeliveryState.literals.map((one) => [one, one]),
          chosen: state ?? null
        })
      }${deliveries.viewed !== null && sortField(deliveries.view)}`
    )
  }${
    deliveries.rows.length === 0
      ? emptyState(
        "No deliveries",
        deliveries.view.q !== ""
          ? "Search for another word, or remove the filter."
          : state === undefined
          ? "New deliveries will appear here."
          : "None with this state."
      )
      : dataTable(
        "deliveries",
        [
          head("when", { title: "When" }),
          head("event", { title: "Event" }, "ascending"),
          head("state", { title: "State" }, "ascending"),
          head("attempts", numeric("Attempts")),
          wideColumn("Next attempt")
        ],
        deliveries.rows.map((one) => deliveryRow(frame, endpoint, one))
      )
  }${cursorListPager("deliveries", deliveries, at)}${
    endpoint.disabledReason === null &&
    html`<form class="filters" method="get" action="${
      inOrganization(slug, `${path}/replay`)
    }"><label>Send deliveries again that failed since<input type="date" name="since" required></label><button>Continue…</button></form>`
  }</section>`
}

const verifyPanel =
  html`<section class="panel" aria-labelledby="verify"><header><h2 id="verify">Verify requests</h2></header><p class="small">Each receiver answers 204 if the signature is valid, otherwise 401. The secret is read from <code>SOV_SIGNING_SECRET</code>.</p>${
    snippetList(receivers)
  }</section>`

export const webhookPage = (frame: Frame, content: WebhookContent): Html => {
  const { endpoint, secrets } = content
  const { slug } = frame.organization
  return layout(frame, {
    title: new URL(endpoint.url).host,
    here: "settings",
    summary: html`<a href="${inOrganization(slug, "/settings/webhooks")}">Outbound webhooks</a> · <span class="break">${
      visible(endpoint.url)
    }</span>`,
    body: html`${secrets.map(secretNote)}${troubleNote(endpoint)}<div class="grid"><div class="grid two">${
      healthPanel(frame, content)
    }${testPanel(frame, content)}</div>${deliveriesPanel(frame, content)}<div class="grid two">${
      eventsPanel(frame, content)
    }${endpoint.format === "json" && verifyPanel}</div></div>`
  })
}
