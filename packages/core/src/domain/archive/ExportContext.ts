/**
 * The lines of an export's context file, one JSON object each: `{"tracked_set":…}`, `{"keyword":…}`, `{"scan":…}`,
 * `{"seal":…}`, in this order; seals by number. A scan is followed by its `{"failed_cells":…}`, which is absent if no
 * cell failed, in older exports, and in exports with filters. Leaves are `[id, hash]` in the order of the seal, with a
 * null id for answers that the export does not contain.
 */
import { Result, Schema } from "effect"
import { AnswerId, ScanId } from "../ids.ts"
import { parseShallow } from "../parseShallow.ts"
import { FailedCell } from "../scanning/Cell.ts"
import { Scan } from "../scanning/Scan.ts"
import { Keyword } from "../tracking/Keyword.ts"
import { TrackedSet } from "../tracking/TrackedSet.ts"
import { isArchivable } from "./Answer.ts"
import type { NamedLeaf } from "./ArchiveProblem.ts"
import { SealedFields, sealedNames, sealFromJson, SealJson, sealToJson } from "./Proof.ts"
import type { SealHeader } from "./Seal.ts"

/** A seal in an export; `leaves` is null if the export contains none of its answers. */
export interface ExportedSeal {
  readonly header: SealHeader
  readonly leaves: ReadonlyArray<NamedLeaf> | null
}

/** The cells of a scan that failed. */
const FailedCells = Schema.Struct({ scanId: ScanId, cells: Schema.Array(FailedCell) })
/** The failed cells of a scan in the form of the context file. */
export type FailedCells = typeof FailedCells.Type

/** The content of one line. */
export type ContextLine =
  | { readonly tracked_set: TrackedSet }
  | { readonly keyword: Keyword }
  | { readonly scan: Scan }
  | { readonly failed_cells: FailedCells }
  | { readonly seal: ExportedSeal }

const LeafJson = Schema.Tuple([Schema.NullOr(AnswerId), Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))])
const ExportedSealJson = Schema.Struct({ ...SealJson.fields, leaves: Schema.NullOr(Schema.Array(LeafJson)) })

const Line = Schema.Union([
  Schema.Struct({ tracked_set: Schema.toCodecJson(TrackedSet) }),
  Schema.Struct({ keyword: Schema.toCodecJson(Keyword) }),
  Schema.Struct({ scan: Schema.toCodecJson(Scan) }),
  Schema.Struct({ failed_cells: Schema.toCodecJson(FailedCells) }),
  Schema.Struct({ seal: ExportedSealJson })
])
const decodeLine = Schema.decodeUnknownResult(Line)
const encodeLine = Schema.encodeSync(Line)

/** Writes a line, without its line feed. */
export const formatContextLine = (line: ContextLine): string =>
  "seal" in line
    // Written without the schema, because leaves need no encoding and are numerous
    ? JSON.stringify({
      seal: {
        ...sealToJson(line.seal.header),
        leaves: line.seal.leaves?.map(({ hash, id }) => [id, Buffer.from(hash).toString("hex")]) ?? null
      }
    })
    : JSON.stringify(encodeLine(line))

const maxInt4 = 2_147_483_647

/** Whether the database can store the value; otherwise the value does not come from an export. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === "string") return isArchivable(value)
  if (typeof value === "number") return Math.abs(value) <= maxInt4
  if (value instanceof Date) return value.getUTCFullYear() > 0 && value.getUTCFullYear() < 10_000
  return typeof value !== "object" || value === null || Object.values(value).every(isStorable)
}

/** Parses a line of a context file; null for other text. */
export const readContextLine = (text: string): ContextLine | null => {
  const line = Result.getOrNull(decodeLine(parseShallow(text)))
  if (line === null) return null
  if (!("seal" in line)) return isStorable(line) ? line : null
  const { leaves, ...header } = line.seal
  if (!isStorable(header)) return null
  return {
    seal: {
      header: sealFromJson(header),
      leaves: leaves?.map(([id, hash]) => ({ id, hash: Buffer.from(hash, "hex") })) ?? null
    }
  }
}

/** The exported fields of an answer that no seal covers. */
const UnsealedFields = Schema.Struct({
  simulated: Schema.optionalKey(Schema.Literal(true)),
  sources_status: Schema.optionalKey(Schema.Literals(["sealed", "unknown", "unreadable"])),
  sources_cut: Schema.optionalKey(Schema.Int)
})
const decodeSealedFields = Schema.decodeUnknownResult(SealedFields)
const decodeUnsealedFields = Schema.decodeUnknownResult(UnsealedFields)

/** The fields of an exported row that are sealed or imported. */
export type ExportedRow = typeof SealedFields.Type & typeof UnsealedFields.Type

/**
 * Parses the sealed fields of a row of an NDJSON export; null for other text. The row must be exactly as an export
 * writes it, because another JSON parser may use the first of two members with the same name, or ignore case in names.
 */
export const readExportedRow = (text: string): ExportedRow | null => {
  const parsed = parseShallow(text) as { readonly sources?: unknown } | null | undefined
  if (parsed == null || JSON.stringify(parsed) !== text) return null
  const disguised = Object.keys(parsed).some((name) => !sealedNames.has(name) && sealedNames.has(name.toLowerCase()))
  if (disguised) return null
  const sealed = Result.getOrNull(decodeSealedFields(parsed))
  const unsealed = Result.getOrNull(decodeUnsealedFields(parsed))
  if (sealed === null || unsealed === null || !isStorable(sealed)) return null
  // An export writes no fields of a source except the sealed ones
  if (sealed.leaf_version !== undefined && JSON.stringify(sealed.sources) !== JSON.stringify(parsed.sources)) {
    return null
  }
  return { ...unsealed, ...sealed }
}
