/**
 * What a browser keeps while its user is at the issuer. The cookie is sealed: the browser can neither read nor alter
 * it, and every server with the same client secret opens it.
 */
import { Duration, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import type { OpenIdSettings } from "./OpenIdSettings.ts"

/** A sign-in that was begun and has not come back from the issuer. */
export const Attempt = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  /** Code verifier of PKCE (RFC 7636): without it the code cannot be redeemed. */
  verifier: Schema.String,
  /** Milliseconds since 1970. */
  begunAt: Schema.Number
})
export type Attempt = typeof Attempt.Type

/** Longest time a user may take at the issuer. */
export const maxAttemptAge = Duration.minutes(10)

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

const decodeAttempt = Schema.decodeUnknownSync(Schema.fromJsonString(Attempt))

/** Seals and opens attempts with a key that follows from the client secret. */
export const makeAttemptSeal = ({ clientId, clientSecret, issuer }: OpenIdSettings) => {
  const purpose = "sov sign-in attempt"
  const salt = `${issuer}\n${clientId}`
  const key = new Uint8Array(hkdfSync("sha256", Redacted.value(clientSecret), salt, purpose, 32))

  /** The attempt as the value of a cookie. */
  const seal = (attempt: Attempt): string => {
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    const text = Buffer.concat([sealing.update(JSON.stringify(attempt)), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), text]).toString("base64url")
  }

  /** The attempt of a cookie; null for one that is too old at `now`, was altered, or is not ours. */
  const open = (cookie: string | undefined, now: number): Attempt | null => {
    const bytes = Buffer.from(cookie ?? "", "base64url")
    if (bytes.length <= nonceBytes + tagBytes) return null
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    try {
      const text = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()])
      const attempt = decodeAttempt(text.toString())
      return now - attempt.begunAt < Duration.toMillis(maxAttemptAge) ? attempt : null
    } catch {
      return null
    }
  }

  return { seal, open }
}
