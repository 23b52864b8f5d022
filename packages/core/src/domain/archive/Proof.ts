/** The proof of one answer, which can be checked without the archive. */
import { Result, Schema } from "effect"
import { AnswerId, KeywordId, ScanId } from "../ids.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { type Anchor, anchorOf, type ArchiveProblem, chainChecker } from "./ArchiveProblem.ts"
import type { ArchiveRow } from "./ArchiveRow.ts"
import { headerOf, inclusionPath, leafHash, type LeafInput, rootOfPath, type Seal, type SealHeader } from "./Seal.ts"

const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Time = Schema.String.check(Schema.makeFilter((text) => {
  const time = new Date(text)
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text
    ? true
    : "must be a time as an export shows it"
}))

/** The fields of an answer that its leaf covers, as an export shows them. */
export const SealedFields = Schema.Struct({
  id: AnswerId,
  scan_id: ScanId,
  platform: PlatformId,
  keyword_id: KeywordId,
  prompt_used: Schema.String,
  raw_response: Schema.String,
  created_at: Time
})

/** A seal of the chain without its leaves; hashes in lower-case hex. */
export const SealJson = Schema.Struct({
  sequence: Schema.Int,
  scan_id: ScanId,
  leaf_count: Schema.Int,
  root: Hash,
  previous: Schema.NullOr(Hash),
  sealed_at: Time,
  hash: Hash
})
export type SealJson = typeof SealJson.Type

/** A proof: the answer, the Merkle path from its leaf to the root of its seal, and the chain from that seal to the newest. */
export const AnswerProof = Schema.Struct({
  sov_proof: Schema.Literal(1),
  organization_id: Schema.String,
  answer: SealedFields,
  leaf: Hash,
  path: Schema.Array(Schema.Struct({ side: Schema.Literals(["left", "right"]), hash: Hash })),
  chain: Schema.NonEmptyArray(SealJson)
})
export type AnswerProof = typeof AnswerProof.Type

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
const bytes = (text: string): Uint8Array => Buffer.from(text, "hex")

/** A seal's header as JSON. */
export const sealJson = (seal: SealHeader): SealJson => ({
  sequence: seal.sequence,
  scan_id: seal.scanId,
  leaf_count: seal.leafCount,
  root: hex(seal.root),
  previous: seal.previous === null ? null : hex(seal.previous),
  sealed_at: seal.sealedAt.toISOString(),
  hash: hex(seal.hash)
})

/** Reads `sealJson`. */
export const sealFromJson = (json: SealJson): SealHeader => ({
  sequence: json.sequence,
  scanId: json.scan_id,
  leafCount: json.leaf_count,
  root: bytes(json.root),
  previous: json.previous === null ? null : bytes(json.previous),
  sealedAt: new Date(json.sealed_at),
  hash: bytes(json.hash)
})

/** The leaf's fields of a row in the form of an export. */
export const leafInputOf = (row: typeof SealedFields.Type): LeafInput => ({
  id: row.id,
  scanId: row.scan_id,
  platform: row.platform,
  keywordId: row.keyword_id,
  promptUsed: row.prompt_used,
  rawResponse: row.raw_response,
  createdAt: new Date(row.created_at)
})

/** The proof of an answer under `seal`, which is followed by `later` up to the newest seal. */
export const proofOf = (
  organizationId: string,
  row: ArchiveRow,
  seal: Seal,
  later: ReadonlyArray<SealHeader>
): AnswerProof => {
  const index = seal.leaves.findIndex(({ id }) => id === row.id)
  return {
    sov_proof: 1,
    organization_id: organizationId,
    answer: {
      id: row.id,
      scan_id: row.scanId,
      platform: row.platform,
      keyword_id: row.keywordId,
      prompt_used: row.promptUsed,
      raw_response: row.rawResponse,
      created_at: row.createdAt.toISOString()
    },
    leaf: hex(seal.leaves[index]!.hash),
    path: inclusionPath(seal.leaves.map((leaf) => leaf.hash), index).map(({ hash, side }) => ({
      side,
      hash: hex(hash)
    })),
    chain: [sealJson(headerOf(seal)), ...later.map(sealJson)]
  }
}

const readProof = Schema.decodeUnknownResult(Schema.fromJsonString(AnswerProof))

/**
 * Checks a proof by itself and, when given, against a seal recorded elsewhere. Calls `report` for each problem. Returns the
 * seal of the answer and the newest seal of the proof (`head`).
 */
export const checkProof = (
  proof: AnswerProof,
  anchor: Anchor | null,
  report: (problem: ArchiveProblem) => void
): { readonly seal: SealHeader; readonly head: Anchor } => {
  const answer = (detail: string) => report({ what: "answer", id: proof.answer.id, problem: "changed", detail })
  const seals = proof.chain.map(sealFromJson)
  const [seal] = seals as [SealHeader]
  const path = proof.path.map(({ hash, side }) => ({ side, hash: bytes(hash) }))
  if (hex(leafHash(leafInputOf(proof.answer))) !== proof.leaf) answer("it does not have the hash that was sealed")
  else if (hex(rootOfPath(bytes(proof.leaf), path)) !== hex(seal.root)) {
    answer(`its path does not lead to the root of seal ${seal.sequence}`)
  } else if (seal.scanId !== proof.answer.scan_id) answer("its seal is of another scan")
  const chain = chainChecker(report, anchor, seal.sequence)
  for (const header of seals) chain.next(header, null)
  chain.end()
  return { seal, head: anchorOf(seals.at(-1)!) }
}

const membersOf = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 0
    : Object.values(value).reduce<number>(
      (sum, member) => sum + membersOf(member),
      Array.isArray(value) ? 0 : Object.keys(value).length
    )

/** Whether an object has a member twice: another JSON parser might use the first one. */
const repeatsMembers = (text: string): boolean => {
  const named = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined)
  return named.length !== membersOf(JSON.parse(text))
}

/** Parses a proof; fails with one line that says what is wrong. */
export const proofFromText = (text: string): Result.Result<AnswerProof, string> => {
  const proof = Result.mapError(readProof(text), (error) => error.message.split("\n", 1)[0]!)
  return Result.isSuccess(proof) && repeatsMembers(text) ? Result.fail("a member stands there twice") : proof
}
