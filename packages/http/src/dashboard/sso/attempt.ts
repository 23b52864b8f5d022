/**
 * The state of a sign-in while the user is at the issuer, kept in a cookie. The cookie is encrypted and authenticated:
 * the browser can neither read nor change it, and every server with the same client secret can decrypt it.
 */
import { Duration, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import type { OpenIdSettings } from "./OpenIdSettings.ts"

/** A sign-in that has started and not yet returned from the issuer. */
export const Attempt = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  /** PKCE code verifier (RFC 7636), which is needed to redeem the code. */
  verifier: Schema.String,
  /** Start of the attempt, in milliseconds since 1970. */
  begunAt: Schema.Number
})
export type Attempt = typeof Attempt.Type

/** Maximum time from the start of an attempt to the user's return. */
export const maxAttemptAge = Duration.minutes(10)

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

const decodeAttempt = Schema.decodeUnknownSync(Schema.fromJsonString(Attempt))

/** Encrypts and decrypts attempts with a key derived from the client secret. */
export const makeAttemptSeal = ({ clientId, clientSecret, issuer }: OpenIdSettings) => {
  const purpose = "sov sign-in attempt"
  const salt = `${issuer}\n${clientId}`
  const key = new Uint8Array(hkdfSync("sha256", Redacted.value(clientSecret), salt, purpose, 32))

  /** Encrypts an attempt into the value of a cookie. */
  const seal = (attempt: Attempt): string => {
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    const text = Buffer.concat([sealing.update(JSON.stringify(attempt)), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), text]).toString("base64url")
  }

  /** Decrypts the attempt in a cookie; null if it has expired at `now`, was modified, or was not created here. */
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
