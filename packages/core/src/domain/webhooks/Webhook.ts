/** Endpoints: the addresses that an organization's events are posted to, and the secrets that sign what is posted. */
import { Duration, Schema } from "effect"
import { createHash } from "node:crypto"
import { EndpointId } from "../ids.ts"
import { EventName } from "./Event.ts"
import { webhookFormats } from "./webhookFormats.ts"

export { webhookFormats }

/**
 * Why an endpoint gets nothing: `operator` somebody said so · `gone` it answered 410 · `failing` it failed for days.
 */
export const DisabledReason = Schema.Literals(["operator", "gone", "failing"])
export type DisabledReason = typeof DisabledReason.Type

/**
 * What is posted: `json` the event as docs/webhooks.md has it, signed · `slack`, `discord`, `teams` a message in that
 * service's own format, unsigned, since these take no note of signatures.
 */
export const WebhookFormat = Schema.Literals(webhookFormats).annotate({
  identifier: "WebhookFormat",
  message: `must be one of ${webhookFormats.join(", ")}`
})
export type WebhookFormat = typeof WebhookFormat.Type

/** A format that a chat shows. */
export type ChatFormat = Exclude<WebhookFormat, "json">

/** An endpoint without its secrets. */
export const Endpoint = Schema.Struct({
  id: EndpointId,
  url: Schema.String,
  format: WebhookFormat,
  events: Schema.Array(EventName),
  /** Null while it is enabled. */
  disabledReason: Schema.NullOr(DisabledReason),
  disabledAt: Schema.NullOr(Schema.Date),
  /** When its next secret was staged; null if absent. */
  stagedAt: Schema.NullOr(Schema.Date),
  /** The first failed try since one succeeded; null when the last one did. */
  failingSince: Schema.NullOr(Schema.Date),
  lastFailureAt: Schema.NullOr(Schema.Date),
  lastSuccessAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})
export type Endpoint = typeof Endpoint.Type

/** An endpoint's secrets as they are stored, see `encrypt`. `next` is staged and signs beside the current one. */
export interface EncryptedSecrets {
  readonly current: string
  readonly next: string | null
}

/**
 * A mark of an endpoint's secrets, by which an editor finds out that somebody else has changed them: another one
 * whenever a secret was made, staged or promoted, or is stored in another form. A hash of what is encrypted, it tells
 * nothing of them.
 */
export const secretsMark = ({ current, next }: EncryptedSecrets): string =>
  createHash("sha256").update(JSON.stringify([current, next])).digest("hex")

/** Longest address of an endpoint, in UTF-16 code units. */
export const maxWebhookUrlLength = 2_000

/** Most endpoints of one organization. */
export const maxEndpoints = 100

/** A staged secret takes over by itself after this long. */
export const promoteStagedAfter = Duration.hours(24)

/** A secret from 32 random bytes: `whsec_` and their base64, as Standard Webhooks writes it. */
export const formatWebhookSecret = (random: Uint8Array): string => `whsec_${Buffer.from(random).toString("base64")}`

/** The host of an endpoint's URL, for texts that outlive it: its path or query may be a secret. */
export const hostOf = ({ url }: Pick<Endpoint, "url">): string => new URL(url).host
