/**
 * Proof that the archive has not been changed.
 *
 * A leaf is the sha256 of the RFC 8785 canonical JSON of the answer's public fields, as exports show them, without
 * measurements. Version 2 adds the provenance, version 3 the market, surface and view; an archive may contain leaves of
 * all versions. At the end of a scan, its leaves in id order form a Merkle tree (RFC 6962 hashing: 0x00 before a leaf,
 * 0x01 before a node, so that a node cannot be mistaken for a leaf). The seal contains the root and the hash of the
 * organization's previous seal.
 */
import { hash } from "node:crypto"
import { canonicalJson } from "../canonicalJson.ts"
import type { AnswerId, ScanId } from "../ids.ts"
import { type Asked, orderMarket } from "../platforms/surface.ts"
import type { CapturedSource, SearchMode } from "../sources/Source.ts"
import type { SealFacts } from "./SealFacts.ts"

const sha256 = (data: Uint8Array | string): Uint8Array => hash("sha256", data, "buffer")

/** The fields that leaves of versions 2 and 3 cover in addition to those of version 1. */
export interface Provenance {
  readonly model: string
  readonly simulated: boolean
  /** Null if the platform did not report it. */
  readonly search: SearchMode | null
  /** sha256 of the provider's payload, in lower-case hex. */
  readonly payloadSha256: string
  readonly sourceVersion: number
  /** The captured sources; a leaf does not cover their derived locations. */
  readonly sources: ReadonlyArray<CapturedSource>
  readonly queries: ReadonlyArray<string>
  /** Null or absent for a leaf of version 2. */
  readonly asked?: Asked | null
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
  /** Null or absent for a leaf of version 1. */
  readonly provenance?: Provenance | null
}

/** The time as an export shows it. An invalid time (Postgres can store `infinity`) must not stop a check. */
const formatSealedTime = (time: Date): string => Number.isNaN(time.getTime()) ? "none" : time.toISOString()

/**
 * sha256 of the canonical JSON of `{id, scan_id, platform, keyword_id, prompt_used, raw_response, created_at}`, in
 * version 2 with `{leaf: 2, model, simulated, search, payload_sha256, source_version, sources, queries}`, in version 3
 * also with `{leaf: 3, market, surface, view}`. `simulated` is absent if it is false, as in an export.
 */
export const hashLeaf = (answer: LeafInput): Uint8Array =>
  answer.provenance == null ? hashLeafV1(answer) : hashLeafV2(answer, answer.provenance)

// The members are written in the order of RFC 8785, so that hashing needs no sorting
const hashLeafV2 = (answer: LeafInput, { asked, ...provenance }: Provenance): Uint8Array =>
  sha256(JSON.stringify({
    created_at: formatSealedTime(answer.createdAt),
    id: answer.id,
    keyword_id: answer.keywordId,
    leaf: asked == null ? 2 : 3,
    market: asked == null || asked.market === null ? asked?.market : orderMarket(asked.market),
    model: provenance.model,
    payload_sha256: provenance.payloadSha256,
    platform: answer.platform,
    prompt_used: answer.promptUsed,
    queries: provenance.queries,
    raw_response: answer.rawResponse,
    scan_id: answer.scanId,
    search: provenance.search,
    simulated: provenance.simulated ? true : undefined,
    source_version: provenance.sourceVersion,
    sources: provenance.sources.map(({ end, kind, start, title, url }) => ({ end, kind, start, title, url })),
    surface: asked?.surface,
    view: asked?.view
  }))

const hashLeafV1 = (answer: LeafInput): Uint8Array =>
  sha256(JSON.stringify({
    created_at: formatSealedTime(answer.createdAt),
    id: answer.id,
    keyword_id: answer.keywordId,
    platform: answer.platform,
    prompt_used: answer.promptUsed,
    raw_response: answer.rawResponse,
    scan_id: answer.scanId
  }))

/** Joins a prefix and hashes in one buffer. The buffers come from a pool, because a root needs two per leaf. */
const prefixed = (prefix: number, ...hashes: ReadonlyArray<Uint8Array>): Uint8Array => {
  const piece = Buffer.allocUnsafe(hashes.reduce((length, hash) => length + hash.length, 1))
  piece[0] = prefix
  let at = 1
  for (const hash of hashes) {
    piece.set(hash, at)
    at += hash.length
  }
  return piece
}

const hashLeafNode = (leaf: Uint8Array): Uint8Array => sha256(prefixed(0, leaf))
const hashInnerNode = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(prefixed(1, left, right))

/**
 * Hashes the next level of the tree: an odd node at the end moves up unchanged, which equals RFC 6962's split at the
 * power of two.
 */
const hashLevelAbove = (level: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const next: Array<Uint8Array> = []
  for (let i = 0; i < level.length; i += 2) {
    const right = level[i + 1]
    next.push(right === undefined ? level[i]! : hashInnerNode(level[i]!, right))
  }
  return next
}

/** Merkle root of leaf hashes in the given order (RFC 6962 §2.1); without leaves, the sha256 of zero bytes. */
export const merkleRoot = (leaves: ReadonlyArray<Uint8Array>): Uint8Array => {
  if (leaves.length === 0) return sha256("")
  let level: ReadonlyArray<Uint8Array> = leaves.map(hashLeafNode)
  while (level.length > 1) level = hashLevelAbove(level)
  return level[0]!
}

/** One step of a Merkle path: the hash and side of the sibling. */
export interface ProofStep {
  readonly side: "left" | "right"
  readonly hash: Uint8Array
}

/** The Merkle path that proves that leaf `index` is one of these leaves (RFC 6962 §2.1.1), from the leaf up. */
export const inclusionPath = (leaves: ReadonlyArray<Uint8Array>, index: number): ReadonlyArray<ProofStep> => {
  const path: Array<ProofStep> = []
  let at = index
  for (
    let level: ReadonlyArray<Uint8Array> = leaves.map(hashLeafNode);
    level.length > 1;
    level = hashLevelAbove(level)
  ) {
    const beside = level[at ^ 1]
    if (beside !== undefined) path.push({ side: at % 2 === 0 ? "right" : "left", hash: beside })
    at >>= 1
  }
  return path
}

/** Computes the root from a leaf hash and its Merkle path. */
export const rootFromPath = (leaf: Uint8Array, path: ReadonlyArray<ProofStep>): Uint8Array =>
  path.reduce(
    (node, { hash, side }) => side === "left" ? hashInnerNode(hash, node) : hashInnerNode(node, hash),
    hashLeafNode(leaf)
  )

/** One answer under a seal. */
export interface Leaf {
  readonly id: AnswerId
  readonly hash: Uint8Array
}

/**
 * One seal. Seals of an organization form a chain: `sequence` 1, 2, 3 …, and each covers the hash of the seal before
 * it. A scan gets its seal when it ends; an answer that was in flight when its scan was cancelled gets its own seal.
 * The leaves are stored with the seal, so that a check can name a changed, missing or added answer.
 */
export interface Seal {
  readonly sequence: number
  readonly scanId: ScanId
  /** The leaves in id order. */
  readonly leaves: ReadonlyArray<Leaf>
  readonly root: Uint8Array
  /** `hash` of the seal before it; null for the first. */
  readonly previous: Uint8Array | null
  readonly sealedAt: Date
  /** Present from version 3 on. */
  readonly facts?: SealFacts
  /**
   * sha256 over the canonical JSON of `{scan_id, sequence, leaf_count, root, previous, sealed_at}`, hashes in hex, from
   * version 3 on with `facts`.
   */
  readonly hash: Uint8Array
}

/** A seal without its leaves, which is enough to check the chain. */
export interface SealHeader extends Omit<Seal, "leaves"> {
  readonly leafCount: number
}

/** The seal without its leaves. */
export const toSealHeader = ({ leaves, ...seal }: Seal): SealHeader => ({ ...seal, leafCount: leaves.length })

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** The hash of a seal: sha256 over the canonical JSON of its header (see `Seal.hash`). */
export const hashSeal = (header: Omit<SealHeader, "hash">): Uint8Array =>
  sha256(canonicalJson({
    scan_id: header.scanId,
    sequence: header.sequence,
    leaf_count: header.leafCount,
    root: toHex(header.root),
    previous: header.previous === null ? null : toHex(header.previous),
    sealed_at: formatSealedTime(header.sealedAt),
    ...header.facts === undefined ? {} : { facts: header.facts }
  }))

/** Creates the seal after `head` (null: the first seal) over these leaves, in any order. */
export const makeSeal = (input: {
  readonly scanId: ScanId
  readonly leaves: ReadonlyArray<Leaf>
  readonly head: Pick<Seal, "sequence" | "hash"> | null
  readonly sealedAt: Date
  readonly facts?: SealFacts
}): Seal => {
  const leaves = [...input.leaves].sort((a, b) => (a.id < b.id ? -1 : 1))
  const header = {
    sequence: (input.head?.sequence ?? 0) + 1,
    scanId: input.scanId,
    leafCount: leaves.length,
    root: merkleRoot(leaves.map((leaf) => leaf.hash)),
    previous: input.head?.hash ?? null,
    sealedAt: input.sealedAt,
    ...input.facts === undefined ? {} : { facts: input.facts }
  }
  const { leafCount: _, ...fields } = header
  return { ...fields, leaves, hash: hashSeal(header) }
}
