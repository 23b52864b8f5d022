/**
 * The record that remains of a deleted organization, signed by the installation. With it, an auditor who noted one of
 * the organization's seals can tell deletion from loss. It contains no name and none of the stored data.
 */
import { Schema } from "effect"
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { canonicalJson } from "../canonicalJson.ts"
import { OrganizationId } from "../ids.ts"

/** How long a request to delete can be cancelled, in milliseconds. The database refuses to delete before that. */
export const deletionGraceMs = 7 * 86_400_000

const Time = Schema.String

/** The document, as `sov org deletions --json` prints it. Times are ISO 8601, UTC. */
export const Tombstone = Schema.Struct({
  sov_tombstone: Schema.Literal(1),
  organization_id: OrganizationId,
  /** The newest seal; null if the organization had no seal. */
  head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Schema.String })),
  /** The number of rows of each table that were deleted. */
  rows: Schema.Record(Schema.String, Schema.Int),
  /** When the deletion was requested; null if the organization was deleted at once, without a request. */
  requested_at: Schema.NullOr(Time),
  requested_by: Schema.NullOr(Schema.String),
  deleted_at: Time,
  deleted_by: Schema.String,
  /** Ed25519, 32 bytes in hex. It is the same for all tombstones of an installation. */
  public_key: Schema.String,
  /** Signature over the canonical JSON (RFC 8785) of the other members, in hex. */
  signature: Schema.String
})
export type Tombstone = typeof Tombstone.Type

type Unsigned = Omit<Tombstone, "public_key" | "signature">

/** The DER prefix of a private key, before its 32 bytes. */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex")
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex")

const signedBytes = (document: Omit<Tombstone, "signature">): Uint8Array => Buffer.from(canonicalJson(document), "utf8")

/** Signs a tombstone with the installation's key; `seed` is its 32 bytes. */
export const signTombstone = (unsigned: Unsigned, seed: Uint8Array): Tombstone => {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" })
  const encoded = createPublicKey(key).export({ format: "der", type: "spki" })
  const document = { ...unsigned, public_key: encoded.subarray(publicPrefix.length).toString("hex") }
  return { ...document, signature: sign(null, signedBytes(document), key).toString("hex") }
}

/** Whether the signature over the other members was made with `public_key`. */
export const isTombstoneSigned = ({ signature, ...document }: Tombstone): boolean => {
  if (!/^[0-9a-f]{64}$/.test(document.public_key)) return false
  const encoded = Buffer.concat([publicPrefix, Buffer.from(document.public_key, "hex")])
  const key = createPublicKey({ key: encoded, format: "der", type: "spki" })
  return verify(null, signedBytes(document), key, Buffer.from(signature, "hex"))
}
