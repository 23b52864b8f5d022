/**
 * Proof that the archive is untouched.
 *
 * Leaf = sha256 of the RFC 8785 canonical JSON of the answer's public fields, as an export shows them; never of
 * measurements. When a scan ends, its leaves in id order form a Merkle tree (RFC 6962 hashing: 0x00 before a leaf, 0x01
 * before a node, so that a node never passes for a leaf), whose root is linked to the organization's previous seal.
 */
import { createHash } from "node:crypto"
import { canonicalJson } from "./canonicalJson.ts"
import type { AnswerId, ScanId } from "./ids.ts"

const sha256 = (...parts: ReadonlyArray<Uint8Array | string>): Uint8Array => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The fields that a leaf covers. */
export interface LeafInput {
  readonly id: AnswerId
  readonly scanId: ScanId
  readonly platform: string
  readonly keywordId: string
  readonly promptUsed: string
  readonly rawResponse: string
  readonly createdAt: Date
}

/** sha256 over the canonical JSON of `{id, scan_id, platform, keyword_id, prompt_used, raw_response, created_at}`. */
export const leafHash = (answer: LeafInput): Uint8Array =>
  sha256(canonicalJson({
    id: answer.id,
    scan_id: answer.scanId,
    platform: answer.platform,
    keyword_id: answer.keywordId,
    prompt_used: answer.promptUsed,
    raw_response: answer.rawResponse,
    created_at: answer.createdAt.toISOString()
  }))

/** Merkle root of leaf hashes in the given order (RFC 6962 §2.1); of no leaves: sha256 of nothing. */
export const merkleRoot = (leaves: ReadonlyArray<Uint8Array>): Uint8Array => {
  if (leaves.length === 0) return sha256()
  // An odd node at the end of a level moves up unchanged, which equals RFC 6962's split at the largest power of two.
  let level = leaves.map((leaf) => sha256(Uint8Array.of(0), leaf))
  while (level.length > 1) {
    const next: Array<Uint8Array> = []
    for (let i = 0; i < level.length; i += 2) {
      const right = level[i + 1]
      next.push(right === undefined ? level[i]! : sha256(Uint8Array.of(1), level[i]!, right))
    }
    level = next
  }
  return level[0]!
}

/** One answer under a seal. */
export interface Leaf {
  readonly id: AnswerId
  readonly hash: Uint8Array
}

/**
 * One seal. Seals of an organization form a chain: `sequence` 1, 2, 3 …, each over the hash before it. A scan has one
 * seal from the moment it ends; an answer that was in flight when its scan was cancelled gets a seal of its own. The
 * leaves are kept with the seal, so that a changed, missing or added answer can be named.
 */
export interface Seal {
  readonly sequence: number
  readonly scanId: ScanId
  /** In id order. */
  readonly leaves: ReadonlyArray<Leaf>
  readonly root: Uint8Array
  /** `hash` of the seal before it; null for the first. */
  readonly previous: Uint8Array | null
  readonly sealedAt: Date
  /** sha256 over the canonical JSON of `{scan_id, sequence, leaf_count, root, previous, sealed_at}`, hashes in hex. */
  readonly hash: Uint8Array
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** The next seal after `head`. */
export const makeSeal = (input: {
  readonly scanId: ScanId
  readonly leaves: ReadonlyArray<Leaf>
  readonly head: Pick<Seal, "sequence" | "hash"> | null
  readonly sealedAt: Date
}): Seal => {
  const leaves = [...input.leaves].sort((a, b) => (a.id < b.id ? -1 : 1))
  const root = merkleRoot(leaves.map((leaf) => leaf.hash))
  const sequence = (input.head?.sequence ?? 0) + 1
  const previous = input.head?.hash ?? null
  return {
    sequence,
    scanId: input.scanId,
    leaves,
    root,
    previous,
    sealedAt: input.sealedAt,
    hash: sha256(canonicalJson({
      scan_id: input.scanId,
      sequence,
      leaf_count: leaves.length,
      root: hex(root),
      previous: previous === null ? null : hex(previous),
      sealed_at: input.sealedAt.toISOString()
    }))
  }
}
