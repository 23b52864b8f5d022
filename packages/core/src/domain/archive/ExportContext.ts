/**
 * The lines of an export's context file, one JSON object each: `{"tracked_set":…}`, `{"keyword":…}`, `{"scan":…}`,
 * `{"seal":…}`, in this order; seals by number. Behind a scan stand its `{"failed_cells":…}`, none where nothing failed, in
 * exports of before they were kept, and in a part of an archive. Leaves stand as `[id, hash]` in the order of the seal,
 * with null for the id of an answer that the export does not hold.
 */
import { Result, Schema } from "effect"
import { AnswerId, ScanId } from "../ids.ts"
import { FailedCell } from "../scanning/Cell.ts"
import { Scan } from "../scanning/Scan.ts"
import { Keyword } from "../tracking/Keyword.ts"
import { TrackedSet } from "../tracking/TrackedSet.ts"
import { isArchivable } from "./Answer.ts"
import type { NamedLeaf } from "./ArchiveProblem.ts"
import { SealedFields, sealedNames, sealFromJson, SealJson, sealJson } from "./Proof.ts"
import type { SealHeader } from "./Seal.ts"

/** A seal in an export; `leaves` null when the export holds none of its answers. */
export interface ExportedSeal {
  readonly header: SealHeader
  readonly leaves: ReadonlyArray<NamedLeaf> | null
}

/** Questions of a scan that got no answer. */
const FailedCells = Schema.Struct({ scanId: ScanId, cells: Schema.Array(FailedCell) })
export type FailedCells = typeof FailedCells.Type

/** What one line says. */
export type ContextLine =
  | { readonly tracked_set: TrackedSet }
  | { readonly keyword: Keyword }
  | { readonly scan: Scan }
  | { readonly failed_cells: FailedCells }
  | { readonly seal: ExportedSeal }

const LeafJson = Schema.Tuple([Schema.NullOr(AnswerId), Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))])
const ExportedSealJson = Schema.Struct({ ...SealJson.fields, leaves: Schema.NullOr(Schema.Array(LeafJson)) })

const Line = Schema.fromJsonString(Schema.Union([
  Schema.Struct({ tracked_set: Schema.toCodecJson(TrackedSet) }),
  Schema.Struct({ keyword: Schema.toCodecJson(Keyword) }),
  Schema.Struct({ scan: Schema.toCodecJson(Scan) }),
  Schema.Struct({ failed_cells: Schema.toCodecJson(FailedCells) }),
  Schema.Struct({ seal: ExportedSealJson })
]))
const decodeLine = Schema.decodeUnknownResult(Line)
const encodeLine = Schema.encodeSync(Line)

/** Writes a line, without its line feed. */
export const contextLine = (line: ContextLine): string =>
  "seal" in line
    // Not by the schema: there is nothing to encode, and an archive has very many leaves
    ? JSON.stringify({
      seal: {
        ...sealJson(line.seal.header),
        leaves: line.seal.leaves?.map(({ hash, id }) => [id, Buffer.from(hash).toString("hex")]) ?? null
      }
    })
    : encodeLine(line)

const largestInteger = 2_147_483_647

/** Whether the database can hold it: what it cannot was not exported from it. */
const storable = (value: unknown): boolean => {
  if (typeof value === "string") return isArchivable(value)
  if (typeof value === "number") return Math.abs(value) <= largestInteger
  if (value instanceof Date) return value.getUTCFullYear() > 0 && value.getUTCFullYear() < 10_000
  return typeof value !== "object" || value === null || Object.values(value).every(storable)
}

/** Reads a line; null when it is none. */
export const readContextLine = (text: string): ContextLine | null => {
  const line = Result.getOrNull(decodeLine(text))
  if (line === null) return null
  if (!("seal" in line)) return storable(line) ? line : null
  const { leaves, ...header } = line.seal
  if (!storable(header)) return null
  return {
    seal: {
      header: sealFromJson(header),
      leaves: leaves?.map(([id, hash]) => ({ id, hash: Buffer.from(hash, "hex") })) ?? null
    }
  }
}

/** What an export holds of an answer and no seal covers. */
const UnsealedFields = Schema.Struct({
  simulated: Schema.optionalKey(Schema.Literal(true)),
  sources_status: Schema.optionalKey(Schema.Literals(["sealed", "unknown"])),
  sources_cut: Schema.optionalKey(Schema.Int)
})
const decodeSealed = Schema.decodeUnknownResult(SealedFields)
const decodeUnsealed = Schema.decodeUnknownResult(UnsealedFields)

/** A row of an export, as far as it is sealed or brought back. */
export type ExportedRow = typeof SealedFields.Type & typeof UnsealedFields.Type

/**
 * Reads a row of an NDJSON export, as far as it is sealed; null when it is none. It has to be written as an export writes
 * it: another reader might take the first of two members of one name, or one whose name differs by capitals.
 */
export const readExportedRow = (text: string): ExportedRow | null => {
  let parsed: { readonly sources?: unknown }
  try {
    parsed = JSON.parse(text) as typeof parsed
  } catch {
    return null
  }
  if (JSON.stringify(parsed) !== text) return null
  const disguised = Object.keys(parsed).some((name) => !sealedNames.has(name) && sealedNames.has(name.toLowerCase()))
  if (disguised) return null
  const sealed = Result.getOrNull(decodeSealed(parsed))
  const unsealed = Result.getOrNull(decodeUnsealed(parsed))
  if (sealed === null || unsealed === null || !storable(sealed)) return null
  // Nor may a source say more than is sealed of it
  if (sealed.leaf_version === 2 && JSON.stringify(sealed.sources) !== JSON.stringify(parsed.sources)) return null
  return { ...unsealed, ...sealed }
}
