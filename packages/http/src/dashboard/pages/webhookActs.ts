/** Confirmation pages for actions on a webhook endpoint: each states the consequences and has one button. */
import type { AuditEntryId } from "@sov/core/common"
import type { Endpoint } from "@sov/core/webhooks"
import { formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { hiddenField } from "./fields.ts"
import { choiceField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { secretsChangedNote, stateText } from "./webhook.ts"
import { endpointPath } from "./webhooks.ts"

interface ActContent {
  readonly endpoint: Endpoint
  readonly formId: AuditEntryId
}

/** Options that all these pages share. */
const ofEndpoint = ({ endpoint, formId }: ActContent, verb: string) => ({
  here: "settings" as const,
  back: { path: endpointPath(endpoint), name: visible(endpoint.url) },
  action: `${endpointPath(endpoint)}/${verb}` as const,
  formId
})

/** Asks for confirmation before an endpoint is disabled. */
export const disableWebhookPage = (frame: Frame, content: ActContent): Html =>
  confirmPage(frame, {
    title: "Disable this endpoint?",
    ...ofEndpoint(content, "disable"),
    consequences: [
      "Nothing more is sent to it.",
      "Pending deliveries wait up to 30 days. New events are not delivered.",
      "You can enable it again at any time."
    ],
    fields: seenField(stateText(content.endpoint)),
    button: html`<button class="danger">Disable</button>`
  })

/** Asks for confirmation before an endpoint is removed. */
export const removeWebhookPage = (frame: Frame, content: ActContent): Html =>
  confirmPage(frame, {
    title: "Remove this endpoint?",
    ...ofEndpoint(content, "remove"),
    consequences: [
      "Nothing more is sent to it, and pending deliveries are dropped.",
      "Its secret and delivery log are removed. This cannot be undone."
    ],
    fields: seenField(stateText(content.endpoint)),
    button: html`<button class="danger">Remove</button>`
  })

export const rotations = [
  ["staged", "Use both for up to 24 hours: no request fails in the meantime"],
  ["immediate", "Replace it now: for a leaked secret"]
] as const

/** Asks for confirmation before a secret is rotated. */
export const rotateWebhookPage = (
  frame: Frame,
  content: ActContent & {
    readonly rotation: string
    readonly fault: string | undefined
    /** The state of the secrets, as returned by `readSecretsMark`. */
    readonly secretsMark: string
    /** Whether the secrets have changed since the form was opened. */
    readonly changed?: boolean
  }
): Html =>
  confirmPage(frame, {
    title: "Rotate the secret?",
    ...ofEndpoint(content, "rotate"),
    note: content.changed === true && secretsChangedNote(content.endpoint),
    consequences: [
      "A new secret is created and shown once.",
      ...content.endpoint.stagedAt === null
        ? []
        : ["The secret that is currently staged is dropped."]
    ],
    fields: html`${seenField(content.secretsMark)}${
      choiceField({
        type: "radio",
        name: "rotation",
        label: "The current secret",
        choices: rotations,
        chosen: [content.rotation],
        fault: content.fault
      })
    }`,
    button: html`<button class="primary">Rotate</button>`
  })

/** Asks for confirmation before failed deliveries are sent again. */
export const replayWebhookPage = (
  frame: Frame,
  content: ActContent & { readonly since: Date; readonly failed: number }
): Html =>
  confirmPage(frame, {
    title: "Send failed deliveries again?",
    ...ofEndpoint(content, "replay"),
    consequences: [
      `Failed since ${formatMinute(content.since)}, without tests: ${
        content.failed === 1 ? "1 delivery" : `${content.failed} deliveries`
      }.`,
      "Each is sent again with the same body and webhook-id, and retried on the normal schedule.",
      "The server sends them in the background; their state shows the progress."
    ],
    fields: hiddenField("since", content.since.toISOString()),
    button: html`<button class="primary">Send again</button>`
  })
