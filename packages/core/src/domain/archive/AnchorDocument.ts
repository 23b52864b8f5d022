/**
 * The newest seal of a chain as a document for third parties, who can later detect a rewritten chain. A file of anchors
 * contains one document per line.
 */
import { Result, Schema } from "effect"
import { canonicalJson } from "../canonicalJson.ts"
import { OrganizationId } from "../ids.ts"
import { parseShallow } from "../parseShallow.ts"
import type { NotedSeal } from "./ArchiveProblem.ts"
import { type SealHeader } from "./Seal.ts"

const Time = Schema.String.check(Schema.makeFilter((text) => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
    ? true
    : "must be a time such as 2026-11-22T10:00:00.000Z"
}))

/**
 * The part that a time stamp covers: number and hash of an organization's newest seal, and the time at which it was
 * read.
 */
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

/**
 * Maximum size of an authority's response in bytes, so that it fits in base64 into the body of a webhook, which is
 * below 20 KB.
 */
export const maxTimeStampBytes = 14_000

const maxTsaLength = 500

/** The reason why an address cannot be a time-stamp authority, or null. */
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
  /** Address of the authority. */
  tsa: Schema.String.check(Schema.isMaxLength(maxTsaLength)),
  /** The authority's response, a DER-encoded TimeStampResp, in base64. */
  response: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/),
    Schema.isMaxLength(Math.ceil(maxTimeStampBytes / 3) * 4)
  )
})

/** The members of an anchor, which are also the data of event `archive.anchored`. */
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

/** The bytes that a time stamp covers: the canonical JSON (RFC 8785) of the document without `time_stamp`, in UTF-8. */
export const stampedBytes = (anchor: AnchorDocument): Uint8Array => {
  const { anchored_at, hash, organization_id, sealed_at, sequence, sov_anchor } = anchor
  const anchored = { anchored_at, hash, organization_id, sealed_at, sequence, sov_anchor }
  return new TextEncoder().encode(canonicalJson(anchored))
}

/** One line of a file of anchors; `anchor` fails with the reason if it is invalid. */
export interface AnchorLine {
  readonly line: number
  readonly anchor: Result.Result<AnchorDocument, string>
}

// Unknown members are errors, because a newer release may include them in the time stamp
const decodeAnchor = Schema.decodeUnknownResult(AnchorDocument, { onExcessProperty: "error" })

const parseAnchorDocument = (text: string): Result.Result<AnchorDocument, string> =>
  Result.mapError(
    decodeAnchor(parseShallow(text)),
    (error) => `no anchor that this release knows: ${error.message.split("\n", 1)[0]!}`
  )

/** Parses a file of anchors: one document per line, or a single document over several lines. */
export const parseAnchors = (text: string): ReadonlyArray<AnchorLine> => {
  const whole = parseAnchorDocument(text)
  if (Result.isSuccess(whole)) return [{ line: 1, anchor: whole }]
  return text.split("\n").flatMap((line, n) =>
    line.trim() === "" ? [] : [{ line: n + 1, anchor: parseAnchorDocument(line) }]
  )
}

/** The anchored seal that a chain is checked against, named by its time and line. */
export const toNotedSeal = ({ anchored_at, hash, sequence }: AnchorDocument, line: number): NotedSeal => ({
  sequence,
  hash,
  where: `the anchor of ${anchored_at} (line ${line})`
})
