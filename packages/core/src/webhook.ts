/**
 * Webhook signatures, for receivers of sov's webhooks. Has no dependencies and does not need Effect. Every delivery
 * carries two signatures:
 *
 * - `X-Service-Signature`: lower-case hexadecimal HMAC-SHA256 of the raw request body; the key is the webhook secret
 * exactly as shown. It cannot tell a replayed request from a new one.
 * - Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`): base64 HMAC-SHA256 of
 * `ID.TIMESTAMP.BODY`; the key is the bytes encoded after `whsec_`.
 *
 * Verifiers never throw: they return false for anything that is not valid.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"

/** A webhook secret; a string is used in its UTF-8 form. */
export type WebhookSecret = string | Uint8Array

/**
 * The keys derived from a secret, for callers that sign or verify often: deriving them takes longer than using them.
 */
export interface WebhookKeys {
  /** The key for `X-Service-Signature`. */
  readonly body: KeyObject
  /** The key for `webhook-signature`. */
  readonly standard: KeyObject
}

type Body = Uint8Array | string
type Secret = WebhookSecret | WebhookKeys
type Secrets = Secret | ReadonlyArray<Secret>

const all = (secrets: Secrets | undefined): ReadonlyArray<Secret> =>
  secrets === undefined ? [] : Array.isArray(secrets) ? secrets : [secrets as Secret]

/**
 * The key of a Standard Webhooks signature: the bytes encoded after `whsec_`. It is created from text, because Node
 * takes several times as long to create a key from bytes.
 */
const makeStandardKey = (secret: WebhookSecret): KeyObject => {
  const text = typeof secret === "string" ? secret : Buffer.from(secret).toString()
  return createSecretKey(text.replace(/^whsec_/, ""), "base64")
}

const makeBodyKey = (secret: WebhookSecret): KeyObject =>
  typeof secret === "string" ? createSecretKey(secret, "utf8") : createSecretKey(secret)

/** Derives the keys of a secret. */
export const makeWebhookKeys = (secret: WebhookSecret): WebhookKeys => ({
  body: makeBodyKey(secret),
  standard: makeStandardKey(secret)
})

const isSecret = (secret: Secret): secret is WebhookSecret => typeof secret === "string" || secret instanceof Uint8Array

const bodyKey = (secret: Secret): KeyObject => isSecret(secret) ? makeBodyKey(secret) : secret.body
const standardKey = (secret: Secret): KeyObject => isSecret(secret) ? makeStandardKey(secret) : secret.standard

/**
 * Whether one of `given` equals one of `expected`; all of them have the same length. Always compares all pairs, so that
 * the time reveals nothing.
 */
const anyEqual = (given: ReadonlyArray<Buffer>, expected: ReadonlyArray<Buffer>): boolean =>
  given.flatMap((one) => expected.map((other) => timingSafeEqual(one, other))).includes(true)

/** The value of `X-Service-Signature` for a body. The key is the UTF-8 form of the whole secret string. */
export const signBody = (body: Body, secret: Secret): string =>
  createHmac("sha256", bodyKey(secret)).update(body).digest("hex")

/**
 * Whether `signature` is the body's signature under one of the secrets; compares in constant time. Only 64 lower-case
 * hex digits can be valid.
 */
export const verifySignature = (
  body: Body,
  signature: string | null | undefined,
  secrets: Secrets | undefined
): boolean =>
  typeof signature === "string"
  && /^[0-9a-f]{64}$/.test(signature)
  && anyEqual([Buffer.from(signature, "hex")], all(secrets).map((one) => Buffer.from(signBody(body, one), "hex")))

const standardDigest = (id: string, timestamp: string, body: Body, secret: Secret): Buffer =>
  createHmac("sha256", standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest()

/** The value of `webhook-signature`, with one signature per secret. `timestamp` is in seconds since 1970. */
export const signStandardWebhook = (
  message: { readonly id: string; readonly timestamp: number; readonly body: Body },
  secrets: Secrets
): string =>
  all(secrets)
    .map((one) => `v1,${standardDigest(message.id, String(message.timestamp), message.body, one).toString("base64")}`)
    .join(" ")

/** The headers of a request as Fetch or Node provides them; names are matched in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

const header = (headers: WebhookHeaders | undefined, name: string): string | null => {
  if (!headers) return null
  if (typeof headers["get"] === "function") return headers.get(name)
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
  return found.length === 1 && typeof found[0] === "string" ? found[0] : null
}

/** How a verifier checks the time. */
export interface StandardWebhookOptions {
  /** Maximum difference between the timestamp and now, in either direction; default 300. */
  readonly toleranceSeconds?: number
  /** The current time in milliseconds since 1970; default: the system's clock. */
  readonly now?: number
}

/**
 * Whether the Standard Webhooks headers sign this body with one of the secrets, at a time near now. Compares in
 * constant time and never throws. Returns false if no secret is given. A receiver that also remembers the `webhook-id`
 * of each handled message is safe from replays and duplicate deliveries.
 */
export const verifyStandardWebhook = (
  body: Body,
  headers: WebhookHeaders | undefined,
  secrets: Secrets | undefined,
  { now = Date.now(), toleranceSeconds = 300 }: StandardWebhookOptions = {}
): boolean => {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"]
    .map((name) => header(headers, name))
  if (!id || !/^\d{1,12}$/.test(timestamp ?? "") || !signatures) return false
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > toleranceSeconds) return false
  const given = signatures.split(" ").slice(0, 16).flatMap((part) =>
    /^v1,[A-Za-z0-9+/]{43}=$/.test(part) ? [Buffer.from(part.slice(3), "base64")] : []
  )
  return anyEqual(given, all(secrets).map((one) => standardDigest(id, timestamp!, body, one)))
}
