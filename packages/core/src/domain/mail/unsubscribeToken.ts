/**
 * The token of an unsubscribe link. It identifies an organization and, by a proof that only this installation can make,
 * one of its recipients. It is created when the digest is sent, and contains no address. Anyone who knows the first
 * cursor key of the database can also create it.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { OrganizationId } from "../ids.ts"
import type { EmailAddress } from "./EmailAddress.ts"

const proofOf = (installationKey: Uint8Array, organizationId: OrganizationId, address: EmailAddress): Buffer => {
  const key = createHmac("sha256", installationKey).update("sov unsubscribe").digest()
  return createHmac("sha256", key).update(organizationId).update("\n").update(address).digest()
}

/**
 * Creates a token of 64 URL-safe characters: the organization's id and an HMAC-SHA256 with a key derived from the
 * installation's key.
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

/** The organization that a token names; null for other text. Does not check the proof. */
export const organizationOfToken = (token: string): OrganizationId | null => {
  if (!/^[\w-]{64}$/.test(token)) return null
  const hex = Buffer.from(token, "base64url").subarray(0, 16).toString("hex")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as OrganizationId
}

/** Whether a token belongs to this recipient. */
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
