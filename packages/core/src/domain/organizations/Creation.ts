/** The fingerprint of a request to create an organization, for idempotency. */
import { createHash } from "node:crypto"
import { canonicalJson, type CanonicalValue } from "../canonicalJson.ts"

/** The Idempotency-Key under which an organization was created, and the fingerprint of the request. */
export interface Creation {
  readonly key: string
  readonly fingerprint: Uint8Array
}

/** SHA-256 of the request, independent of the order of its members: a repeated request has the same fingerprint. */
export const creationFingerprint = (request: CanonicalValue): Uint8Array =>
  createHash("sha256").update(canonicalJson(request)).digest()
