/** Endpoints: the addresses that receive an organization's events, and the secrets that sign the posts. */
import { Duration, Schema } from "effect"
import { createHash } from "node:crypto"
import { EndpointId } from "../ids.ts"
import { EventName } from "./Event.ts"
import { webhookFormats } from "./webhookFormats.ts"

export { webhookFormats }

/**
 * Why an endpoint is disabled. `operator`: somebody disabled it · `gone`: it answered 410 · `failing`: it failed for
 * days.
 */
export const DisabledReason = Schema.Literals(["operator", "gone", "failing"])
export type DisabledReason = typeof DisabledReason.Type

/**
 * The format of posts. `json`: the event as in docs/webhooks.md, signed · `slack`, `discord`, `teams`: a message in
 * that service's own format, unsigned, because these services ignore signatures.
 */
export const WebhookFormat = Schema.Literals(webhookFormats).annotate({
  identifier: "WebhookFormat",
  message: `must be one of ${webhookFormats.join(", ")}`
})
export type WebhookFormat = typeof WebhookFormat.Type

/** A format for chat services. */
export type ChatFormat = Exclude<WebhookFormat, "json">

/** An endpoint without its secrets. */
export const Endpoint = Schema.Struct({
  id: EndpointId,
  url: Schema.String,
  format: WebhookFormat,
  events: Schema.Array(EventName),
  /** Null while the endpoint is enabled. */
  disabledReason: Schema.NullOr(DisabledReason),
  disabledAt: Schema.NullOr(Schema.Date),
  /** When the next secret was staged; null if there is no staged secret. */
  stagedAt: Schema.NullOr(Schema.Date),
  /** When the first attempt after the last success failed; null if the last attempt succeeded. */
  failingSince: Schema.NullOr(Schema.Date),
  lastFailureAt: Schema.NullOr(Schema.Date),
  lastSuccessAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date
})
export type Endpoint = typeof Endpoint.Type

/** An endpoint's secrets in stored form, see `encrypt`. `next` is staged and signs in addition to the current one. */
export interface EncryptedSecrets {
  readonly current: string
  readonly next: string | null
}

/**
 * A mark that changes whenever an endpoint's secrets are created, staged, promoted or stored in another form, so that
 * an editor notices changes by other people. It is a hash of the encrypted secrets and reveals nothing about them.
 */
export const secretsMark = ({ current, next }: EncryptedSecrets): string =>
  createHash("sha256").update(JSON.stringify([current, next])).digest("hex")

/** Maximum length of an endpoint's address, in UTF-16 code units. */
export const maxWebhookUrlLength = 2_000

/** Maximum number of endpoints of one organization. */
export const maxEndpoints = 100

/** After this time, a staged secret automatically replaces the current one. */
export const promoteStagedAfter = Duration.hours(24)

/** Formats 32 random bytes as a secret: `whsec_` and their base64, as in Standard Webhooks. */
export const formatWebhookSecret = (random: Uint8Array): string => `whsec_${Buffer.from(random).toString("base64")}`

/**
 * The host of an endpoint's URL, for texts that are kept longer than the endpoint. The path or query may be a secret,
 * so only the host is used.
 */
export const hostOf = ({ url }: Pick<Endpoint, "url">): string => new URL(url).host
