/**
 * What an unsubscribe link names: an organization, and one of its recipients by a proof that only this installation can
 * make. It is made when the digest is sent, and it names nobody to its reader. An owner of the database's first
 * cursor key can make it, too.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { OrganizationId } from "../ids.ts"
import type { EmailAddress } from "./EmailAddress.ts"

const proofOf = (installationKey: Uint8Array, organizationId: OrganizationId, address: EmailAddress): Buffer => {
  const key = createHmac("sha256", installationKey).update("sov unsubscribe").digest()
  return createHmac("sha256", key).update(organizationId).update("\n").update(address).digest()
}

/**
 * 64 characters that a URL takes: the organization's id and HMAC-SHA256 with a key that follows from the
 * installation's.
 */
export const makeUnsubscribeToken = (
  installationKey: Uint8Array,
  organizationId: OrganizationId,
  address: EmailAddress
): string =>
  Buffer.concat([
    Buffer.from(organizationId.replaceAll("-", ""), "hex"),
    proofOf(installationKey, organizationId, address)
  ]).toString("base64url")

/** The organization that a token names; null for other text. Nothing is proved by it. */
export const organizationOfToken = (token: string): OrganizationId | null => {
  if (!/^[\w-]{64}$/.test(token)) return null
  const hex = Buffer.from(token, "base64url").subarray(0, 16).toString("hex")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as OrganizationId
}

/** Whether a token is that of this recipient. */
export const isTokenOf = (
  token: string,
  installationKey: Uint8Array,
  organizationId: OrganizationId,
  address: EmailAddress
): boolean => {
  const given = Buffer.from(token, "base64url").subarray(16)
  const proof = proofOf(installationKey, organizationId, address)
  return given.length === proof.length && timingSafeEqual(given, proof)
}
