/**
 * Webhook signatures: lower-case hexadecimal HMAC-SHA256 of the raw request body, keyed with the webhook secret exactly
 * as shown (service.md §6). No dependencies; needs no Effect.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

/** The value of `X-Service-Signature` for a body. The key is the UTF-8 form of the whole secret string. */
export const signBody = (body: Uint8Array | string, secret: string | Uint8Array): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** Whether `signature` is the body's signature; compares in constant time. Anything but 64 lower-case hex digits is not. */
export const verifySignature = (
  body: Uint8Array | string,
  signature: string,
  secret: string | Uint8Array
): boolean =>
  /^[0-9a-f]{64}$/.test(signature)
  && timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(signBody(body, secret), "hex"))
