/**
 * The head of a chain as a document for somebody outside: whoever keeps it can tell later whether the chain was
 * rewritten. A file of anchors has one document a line.
 */
import { Result, Schema } from "effect"
import { canonicalJson } from "../canonicalJson.ts"
import { OrganizationId } from "../ids.ts"
import type { NotedSeal } from "./ArchiveProblem.ts"
import { type SealHeader } from "./Seal.ts"

const Time = Schema.String.check(Schema.makeFilter((text) => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
    ? true
    : "must be a time such as 2026-11-22T10:00:00.000Z"
}))

/** What a time stamp covers: the number and hash of the newest seal of an organization, and when that was read. */
const anchoredFields = {
  /** Version of this format. */
  sov_anchor: Schema.Literal(1),
  organization_id: OrganizationId,
  sequence: Schema.Int.check(Schema.isGreaterThan(0)),
  /** sha256 in lower-case hex, see `Seal.hash`. */
  hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
  sealed_at: Time,
  anchored_at: Time
}

/** Bytes of an authority's answer: in base64 it fits into the body of a webhook, which has less than 20 KB. */
export const maxTimeStampBytes = 14_000

const maxTsaLength = 500

/** Why an address cannot be asked for a time stamp; null when it can. */
export const describeTsaFault = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "is not an http:// or https:// address"
  }
  if (url.username !== "" || url.password !== "") return "holds a user name or password"
  return text.length > maxTsaLength ? `is longer than ${maxTsaLength} characters` : null
}

/** A time stamp of RFC 3161 over `stampedBytes`. */
const TimeStampFields = Schema.Struct({
  /** Address of the authority that was asked. */
  tsa: Schema.String.check(Schema.isMaxLength(maxTsaLength)),
  /** Its answer, a DER-encoded TimeStampResp, in base64. */
  response: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/),
    Schema.isMaxLength(Math.ceil(maxTimeStampBytes / 3) * 4)
  )
})

/** The members of an anchor, also as the data of event `archive.anchored`. */
export const anchorFields = { ...anchoredFields, time_stamp: Schema.optionalKey(TimeStampFields) }

/** One anchor. */
export const AnchorDocument = Schema.Struct(anchorFields)
export type AnchorDocument = typeof AnchorDocument.Type

/** The anchor of an organization's newest seal, read at `anchoredAt`. */
export const makeAnchor = (
  organizationId: OrganizationId,
  head: Pick<SealHeader, "sequence" | "hash" | "sealedAt">,
  anchoredAt: Date
): AnchorDocument => ({
  sov_anchor: 1,
  organization_id: organizationId,
  sequence: head.sequence,
  hash: Buffer.from(head.hash).toString("hex"),
  sealed_at: head.sealedAt.toISOString(),
  anchored_at: anchoredAt.toISOString()
})

/** What is time-stamped: the canonical JSON (RFC 8785) of the document without `time_stamp`, in UTF-8. */
export const stampedBytes = (anchor: AnchorDocument): Uint8Array => {
  const { anchored_at, hash, organization_id, sealed_at, sequence, sov_anchor } = anchor
  const anchored = { anchored_at, hash, organization_id, sealed_at, sequence, sov_anchor }
  return new TextEncoder().encode(canonicalJson(anchored))
}

/** One line of a file of anchors; `anchor` fails with what is wrong with it. */
export interface AnchorLine {
  readonly line: number
  readonly anchor: Result.Result<AnchorDocument, string>
}

// An unknown member could be meant to be covered by the time stamp: only a newer release would know
const decodeAnchor = Schema.decodeUnknownResult(Schema.fromJsonString(AnchorDocument), { onExcessProperty: "error" })

const parseAnchorDocument = (text: string): Result.Result<AnchorDocument, string> =>
  Result.mapError(
    decodeAnchor(text),
    (error) => `no anchor that this release knows: ${error.message.split("\n", 1)[0]!}`
  )

/** Parses a file of anchors: a document a line, or a single one over several lines. */
export const parseAnchors = (text: string): ReadonlyArray<AnchorLine> => {
  const whole = parseAnchorDocument(text)
  if (Result.isSuccess(whole)) return [{ line: 1, anchor: whole }]
  return text.split("\n").flatMap((line, n) =>
    line.trim() === "" ? [] : [{ line: n + 1, anchor: parseAnchorDocument(line) }]
  )
}

/** What a chain is checked against: the anchored seal, named by when it was anchored and by its line. */
export const toNotedSeal = ({ anchored_at, hash, sequence }: AnchorDocument, line: number): NotedSeal => ({
  sequence,
  hash,
  where: `the anchor of ${anchored_at} (line ${line})`
})
