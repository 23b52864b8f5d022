/** WebhookSender posts to addresses that organizations name, but never into sov's own network. */
import { Context, type Effect } from "effect"
import type { AttemptFailure } from "../domain/webhooks/Delivery.ts"

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * How a post ended; `failure` is null after a complete response with a 2xx status. `retryAfterMs` is the pause that the
 * receiver asked for.
 */
export interface WebhookReply {
  readonly status: number | null
  readonly failure: AttemptFailure | null
  readonly message: string | null
  /** The beginning of the response, at most 1,024 characters, without credentials; null if nothing was received. */
  readonly response: string | null
  readonly retryAfterMs: number | null
}

export class WebhookSender extends Context.Service<WebhookSender, {
  /** Posts once, within 15 seconds and without following redirects. Never fails: the reply says how it ended. */
  readonly send: (request: WebhookRequest) => Effect.Effect<WebhookReply>
  /** Why posts to this URL can never succeed, in one line; null if only an attempt can tell. */
  readonly refusal: (url: string) => string | null
}>()("@sov/core/ports/WebhookSender") {}
