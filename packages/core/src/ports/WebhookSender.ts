/** WebhookSender posts to addresses that organizations name: never into the network that sov itself stands in. */
import { Context, type Effect } from "effect"
import type { AttemptFailure } from "../domain/webhooks/Delivery.ts"

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** How a post ended; `failure` null = a whole answer with a 2xx status. `retryAfterMs` as the receiver asked. */
export interface WebhookReply {
  readonly status: number | null
  readonly failure: AttemptFailure | null
  readonly message: string | null
  /** The beginning of the answer, at most 1,024 characters, credentials removed; null when nothing came. */
  readonly response: string | null
  readonly retryAfterMs: number | null
}

export class WebhookSender extends Context.Service<WebhookSender, {
  /** Posts once, within 15 seconds, and follows no redirect. Never fails: how it ended is the answer. */
  readonly send: (request: WebhookRequest) => Effect.Effect<WebhookReply>
  /** Why nothing can ever be posted to this URL, in one line; null when that is not known before it is tried. */
  readonly refusal: (url: string) => string | null
}>()("@sov/core/ports/WebhookSender") {}
