/** A request to create an organization: its fingerprint for idempotency. */
import { createHash } from "node:crypto"
import { canonicalJson, type CanonicalValue } from "../canonicalJson.ts"

/** What an organization was created for: a client's Idempotency-Key, and the fingerprint of what was asked for. */
export interface Creation {
  readonly key: string
  readonly fingerprint: Uint8Array
}

/** sha256 of the request, whatever the order of its members: a repeated request has the same. */
export const creationFingerprint = (request: CanonicalValue): Uint8Array =>
  createHash("sha256").update(canonicalJson(request)).digest()
