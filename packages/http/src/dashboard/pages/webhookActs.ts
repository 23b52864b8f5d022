/** Before something is done to a webhook endpoint: what will happen, and one button. */
import type { AuditEntryId } from "@sov/core/common"
import type { Endpoint } from "@sov/core/webhooks"
import { formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { choiceField, formIdField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"
import { secretsChangedNote, stateText } from "./webhook.ts"
import { endpointPath } from "./webhooks.ts"

interface ActContent {
  readonly endpoint: Endpoint
  readonly formId: AuditEntryId
}

const actPage = (
  frame: Frame,
  { endpoint, formId }: ActContent,
  { button, fields, note, points, title, verb }: {
    readonly title: string
    readonly verb: string
    readonly points: ReadonlyArray<Fragment>
    readonly fields?: Fragment
    readonly note?: Fragment
    readonly button: Html
  }
): Html =>
  layout(frame, {
    title,
    here: "settings",
    summary: html`<a href="${inOrganization(frame.organization.slug, endpointPath(endpoint))}">${
      visible(endpoint.url)
    }</a>`,
    body:
      html`<section class="panel" aria-labelledby="what"><header><h2 id="what">What will happen</h2></header>${note}<ul class="bullets">${
        points.map((point) => html`<li>${point}</li>`)
      }</ul><form class="fields" method="post" action="${
        inOrganization(frame.organization.slug, `${endpointPath(endpoint)}/${verb}`)
      }">${formIdField(formId)}${fields}<div class="actions">${button}<a class="button" href="${
        inOrganization(frame.organization.slug, endpointPath(endpoint))
      }">Cancel</a></div></form></section>`
  })

/** Before an endpoint is disabled. */
export const disableWebhookPage = (frame: Frame, content: ActContent): Html =>
  actPage(frame, content, {
    title: "Disable this endpoint?",
    verb: "disable",
    points: [
      "Nothing is sent to it from now on.",
      "Deliveries that are pending, and those of new events to come, wait or are left out: what is pending waits for up to 30 days; events that happen meanwhile make no delivery.",
      "It can be enabled again at any time."
    ],
    fields: seenField(stateText(content.endpoint)),
    button: html`<button class="danger">Disable</button>`
  })

/** Before an endpoint is removed. */
export const removeWebhookPage = (frame: Frame, content: ActContent): Html =>
  actPage(frame, content, {
    title: "Remove this endpoint?",
    verb: "remove",
    points: [
      "Nothing is sent to it any more, and what is pending is dropped.",
      "Its secret and the log of its deliveries are removed. This cannot be undone."
    ],
    fields: seenField(stateText(content.endpoint)),
    button: html`<button class="danger">Remove</button>`
  })

export const rotations = [
  ["staged", "Both sign for up to 24 hours: no request fails meanwhile"],
  ["immediate", "The old one ends now: for a secret that leaked"]
] as const

/** Before a secret is rotated. */
export const rotateWebhookPage = (
  frame: Frame,
  content: ActContent & {
    readonly rotation: string
    readonly fault: string | undefined
    /** What `readSecretsMark` says of the secrets. */
    readonly secretsMark: string
    /** They are others than when the form was opened. */
    readonly changed?: boolean
  }
): Html =>
  actPage(frame, content, {
    title: "Rotate the secret?",
    verb: "rotate",
    note: content.changed === true && secretsChangedNote(content.endpoint),
    points: [
      "A new secret is made, and shown.",
      ...content.endpoint.stagedAt === null
        ? []
        : ["A secret that was staged before and does not sign alone yet is dropped."]
    ],
    fields: html`${seenField(content.secretsMark)}${
      choiceField({
        type: "radio",
        name: "rotation",
        label: "The present secret",
        choices: rotations,
        chosen: [content.rotation],
        fault: content.fault
      })
    }`,
    button: html`<button class="primary">Rotate</button>`
  })

/** Before deliveries that failed are sent again. */
export const replayWebhookPage = (
  frame: Frame,
  content: ActContent & { readonly since: Date; readonly failed: number }
): Html =>
  actPage(frame, content, {
    title: "Send failed deliveries again?",
    verb: "replay",
    points: [
      `Failed for good since ${formatMinute(content.since)}, tests left out: ${
        content.failed === 1 ? "1 delivery" : `${content.failed} deliveries`
      }.`,
      "Each is sent again with the same bytes and the same webhook-id, and is retried on the usual schedule.",
      "The server sends them; their states show how far it is."
    ],
    fields: hiddenField("since", content.since.toISOString()),
    button: html`<button class="primary">Send them again</button>`
  })
