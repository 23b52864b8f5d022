/** The proof of one answer. It can be checked without the archive. */
import { Result, Schema } from "effect"
import { AnswerId, KeywordId, ScanId } from "../ids.ts"
import { parseShallow } from "../parseShallow.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { Asked } from "../platforms/surface.ts"
import { CapturedSource, SearchMode } from "../sources/Source.ts"
import { type Anchor, anchorFromSeal, type ArchiveProblem, makeChainChecker } from "./ArchiveProblem.ts"
import type { ArchiveRow } from "./ArchiveRow.ts"
import {
  hashLeaf,
  inclusionPath,
  type LeafInput,
  type Provenance,
  rootFromPath,
  type Seal,
  type SealHeader,
  toSealHeader
} from "./Seal.ts"
import { Hash, SealFacts, Time } from "./SealFacts.ts"

/** The fields of an answer that its leaf covers in version 1, as an export shows them. */
const SealedFields1 = Schema.Struct({
  id: AnswerId,
  scan_id: ScanId,
  platform: PlatformId,
  keyword_id: KeywordId,
  prompt_used: Schema.String,
  raw_response: Schema.String,
  created_at: Time
})

/** The additional fields that a leaf of version 2 covers. */
const ProvenanceFields = Schema.Struct({
  leaf_version: Schema.Literal(2),
  model: Schema.String,
  simulated: Schema.optionalKey(Schema.Literal(true)),
  search: Schema.NullOr(SearchMode),
  payload_sha256: Hash,
  source_version: Schema.Int,
  sources: Schema.Array(CapturedSource),
  queries: Schema.Array(Schema.String)
})

/** The additional fields that a leaf of version 3 covers. */
const ProvenanceFields3 = Schema.Struct({
  ...ProvenanceFields.fields,
  leaf_version: Schema.Literal(3),
  ...Asked.fields
})

/** The fields of an answer that its leaf covers, as an export shows them; from version 2 on with `leaf_version`. */
export const SealedFields = Schema.Union([
  Schema.Struct({ ...SealedFields1.fields, ...ProvenanceFields3.fields }),
  Schema.Struct({ ...SealedFields1.fields, ...ProvenanceFields.fields }),
  Schema.Struct({ ...SealedFields1.fields, leaf_version: Schema.optionalKey(Schema.Undefined) })
])

/** The names of all fields that a leaf of any version covers, and of the field with its version. */
export const sealedNames: ReadonlySet<string> = new Set([
  ...Object.keys(SealedFields1.fields),
  ...Object.keys(ProvenanceFields3.fields)
])

/** A seal of the chain without its leaves; hashes in lower-case hex. */
export const SealJson = Schema.Struct({
  sequence: Schema.Int,
  scan_id: ScanId,
  leaf_count: Schema.Int,
  root: Hash,
  previous: Schema.NullOr(Hash),
  sealed_at: Time,
  /** Present from version 3 on. */
  facts: Schema.optionalKey(SealFacts),
  hash: Hash
})
export type SealJson = typeof SealJson.Type

/**
 * A proof: the answer, the Merkle path from its leaf to the root of its seal, and the chain from that seal to the
 * newest.
 */
export const AnswerProof = Schema.Struct({
  /** The version of the leaf. */
  sov_proof: Schema.Literals([1, 2, 3]),
  organization_id: Schema.String,
  answer: SealedFields,
  leaf: Hash,
  path: Schema.Array(Schema.Struct({ side: Schema.Literals(["left", "right"]), hash: Hash })),
  chain: Schema.NonEmptyArray(SealJson)
})
export type AnswerProof = typeof AnswerProof.Type

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
const fromHex = (text: string): Uint8Array => Buffer.from(text, "hex")

/** A seal's header as JSON. */
export const sealToJson = (seal: SealHeader): SealJson => ({
  sequence: seal.sequence,
  scan_id: seal.scanId,
  leaf_count: seal.leafCount,
  root: toHex(seal.root),
  previous: seal.previous === null ? null : toHex(seal.previous),
  sealed_at: seal.sealedAt.toISOString(),
  ...seal.facts === undefined ? {} : { facts: seal.facts },
  hash: toHex(seal.hash)
})

/** Reads the output of `sealToJson`. */
export const sealFromJson = (json: SealJson): SealHeader => ({
  sequence: json.sequence,
  scanId: json.scan_id,
  leafCount: json.leaf_count,
  root: fromHex(json.root),
  previous: json.previous === null ? null : fromHex(json.previous),
  sealedAt: new Date(json.sealed_at),
  ...json.facts === undefined ? {} : { facts: json.facts },
  hash: fromHex(json.hash)
})

/** The additional fields of a leaf of version 2, as an export shows them. */
const provenanceToJson = (provenance: Provenance) => ({
  model: provenance.model,
  ...provenance.simulated ? { simulated: true as const } : {},
  search: provenance.search,
  payload_sha256: provenance.payloadSha256,
  source_version: provenance.sourceVersion,
  sources: provenance.sources.map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end })),
  queries: provenance.queries
})

/** The fields of an exported row that its leaf covers. */
export const leafInputFromRow = (row: typeof SealedFields.Type): LeafInput => ({
  id: row.id,
  scanId: row.scan_id,
  platform: row.platform,
  keywordId: row.keyword_id,
  promptUsed: row.prompt_used,
  rawResponse: row.raw_response,
  createdAt: new Date(row.created_at),
  provenance: row.leaf_version === undefined ? null : {
    model: row.model,
    simulated: row.simulated === true,
    search: row.search,
    payloadSha256: row.payload_sha256,
    sourceVersion: row.source_version,
    sources: row.sources,
    queries: row.queries,
    asked: row.leaf_version === 3 ? { surface: row.surface, view: row.view, market: row.market } : null
  }
})

/** The additional fields of a row that a leaf of version 2 or 3 covers; null for version 1. */
export const provenanceFromRow = (
  { asked, provenance, simulated }: Pick<ArchiveRow, "asked" | "provenance" | "simulated">
): Provenance | null =>
  provenance === undefined || provenance.leafVersion === 1
    ? null
    : {
      model: provenance.model,
      simulated,
      search: provenance.search,
      payloadSha256: provenance.payloadSha256 ?? "",
      sourceVersion: provenance.sourceVersion ?? 0,
      sources: provenance.sources,
      queries: provenance.queries,
      asked: provenance.leafVersion === 3 ? asked : null
    }

/** The fields of an answer that its leaf covers, as an export shows them; `row` includes its provenance. */
export const toSealedFields = (row: ArchiveRow): typeof SealedFields.Type => {
  const provenance = provenanceFromRow(row)
  const fields = {
    id: row.id,
    scan_id: row.scanId,
    platform: row.platform,
    keyword_id: row.keywordId,
    prompt_used: row.promptUsed,
    raw_response: row.rawResponse,
    created_at: row.createdAt.toISOString()
  }
  if (provenance === null) return fields
  const members = provenanceToJson(provenance)
  return provenance.asked == null
    ? { ...fields, leaf_version: 2, ...members }
    : { ...fields, leaf_version: 3, ...members, ...provenance.asked }
}

/** Creates the proof of an answer in `seal`; `later` are the seals after it, up to the newest. */
export const buildProof = (
  organizationId: string,
  row: ArchiveRow,
  seal: Seal,
  later: ReadonlyArray<SealHeader>
): AnswerProof => {
  const index = seal.leaves.findIndex(({ id }) => id === row.id)
  const answer = toSealedFields(row)
  return {
    sov_proof: answer.leaf_version ?? 1,
    organization_id: organizationId,
    answer,
    leaf: toHex(seal.leaves[index]!.hash),
    path: inclusionPath(seal.leaves.map((leaf) => leaf.hash), index).map(({ hash, side }) => ({
      side,
      hash: toHex(hash)
    })),
    chain: [sealToJson(toSealHeader(seal)), ...later.map(sealToJson)]
  }
}

const readProof = Schema.decodeUnknownResult(AnswerProof)

/**
 * Checks a proof alone and, if given, against a seal that is recorded elsewhere. Calls `report` for each problem.
 * Returns the seal of the answer and the newest seal of the proof (`head`).
 */
export const checkProof = (
  proof: AnswerProof,
  anchor: Anchor | null,
  report: (problem: ArchiveProblem) => void
): { readonly seal: SealHeader; readonly head: Anchor } => {
  const answer = (detail: string) => report({ what: "answer", id: proof.answer.id, problem: "changed", detail })
  const seals = proof.chain.map(sealFromJson)
  const [seal] = seals as [SealHeader]
  const path = proof.path.map(({ hash, side }) => ({ side, hash: fromHex(hash) }))
  if (toHex(hashLeaf(leafInputFromRow(proof.answer))) !== proof.leaf) {
    answer("it does not have the hash that was sealed")
  } else if (toHex(rootFromPath(fromHex(proof.leaf), path)) !== toHex(seal.root)) {
    answer(`its path does not lead to the root of seal ${seal.sequence}`)
  } else if (seal.scanId !== proof.answer.scan_id) answer("its seal is of another scan")
  const chain = makeChainChecker(report, anchor === null ? [] : [anchor], seal.sequence)
  for (const header of seals) chain.next(header, null)
  chain.end()
  return { seal, head: anchorFromSeal(seals.at(-1)!) }
}

const countMembers = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 0
    : Object.values(value).reduce<number>(
      (sum, member) => sum + countMembers(member),
      Array.isArray(value) ? 0 : Object.keys(value).length
    )

/** Whether an object has the same member twice, in which case another JSON parser may use the first one. */
const repeatsMembers = (text: string): boolean => {
  const named = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined)
  return named.length !== countMembers(JSON.parse(text))
}

/** Parses a proof; fails with the reason in one line. */
export const parseProof = (text: string): Result.Result<AnswerProof, string> => {
  const proof = Result.mapError(readProof(parseShallow(text)), (error) => error.message.split("\n", 1)[0]!)
  return Result.isSuccess(proof) && repeatsMembers(text) ? Result.fail("a member stands there twice") : proof
}
