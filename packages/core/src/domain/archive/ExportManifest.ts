/** The manifest of an export, which describes the rows and the data for checking them. */
import { Result, Schema } from "effect"
import type { AnswerId, OrganizationId } from "../ids.ts"
import { parseShallow } from "../parseShallow.ts"
import { type ArchiveFilters, type ArchiveParameter, archiveParameters, filtersToParameters } from "./ArchiveFilters.ts"
import type { Anchor } from "./ArchiveProblem.ts"
import type { ArchivePosition } from "./ArchiveRow.ts"

const Sha256Hex = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const NullableText = Schema.NullOr(Schema.String)

const filterMembers = {
  from: NullableText,
  to: NullableText,
  keyword_id: NullableText,
  platform: NullableText,
  /** Absent without this filter, and in manifests of versions that had no tags. */
  tag: Schema.optionalKey(NullableText),
  view: Schema.optionalKey(NullableText)
} satisfies {
  readonly [Parameter in ArchiveParameter]: Schema.Top
}

export const ExportFormat = Schema.Literals(["ndjson", "csv", "parquet"])
export type ExportFormat = typeof ExportFormat.Type

/** The manifest. Rows are in the order of the file, newest first; hashes cover whole files. */
export const ExportManifest = Schema.Struct({
  /**
   * The format version. Rows of format 2 contain the sources that their leaves cover; a reader of format 1 would report
   * these as changes.
   */
  sov_export: Schema.Literals([1, 2]),
  format: ExportFormat,
  gzip: Schema.Boolean,
  /** Null for rows from a server, whose API provides neither the id nor seals. */
  organization_id: NullableText,
  rows: Schema.Int,
  simulated_rows: Schema.Int,
  /** Number of rows that no seal covers, because their scans had not ended. Null in an export without seals. */
  unsealed_rows: Schema.NullOr(Schema.Int),
  first_id: NullableText,
  last_id: NullableText,
  ...filterMembers,
  sha256: Sha256Hex,
  /** The newest seal at the start of the export. */
  chain_head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Sha256Hex })),
  /** Null in an export without seals: in CSV and Parquet, and over REST. */
  context_sha256: Schema.NullOr(Sha256Hex),
  csv_formula_guard: Schema.optionalKey(Schema.String),
  /**
   * Number of differences between the archive and its seals that the export found; absent if it found no difference.
   */
  archive_faults: Schema.optionalKey(Schema.Int)
})
export type ExportManifest = typeof ExportManifest.Type

/** The rows written so far, in the order of writing (newest first). */
export interface ExportedRows {
  readonly rows: number
  readonly simulatedRows: number
  readonly firstId: string | null
  readonly last: ArchivePosition | null
  /** Number of rows with a leaf of version 2, which covers their sources. */
  readonly withSources: number
}

export const noRowsExported: ExportedRows = {
  rows: 0,
  simulatedRows: 0,
  firstId: null,
  last: null,
  withSources: 0
}

/** Adds a row, in the form that clients receive, to the written rows. */
export const countExportedRow = (
  exported: ExportedRows,
  row: {
    readonly id: string
    readonly created_at: string
    readonly simulated?: boolean
    readonly leaf_version?: number
  }
): ExportedRows => ({
  rows: exported.rows + 1,
  simulatedRows: exported.simulatedRows + (row.simulated === true ? 1 : 0),
  firstId: exported.firstId ?? row.id,
  last: { id: row.id as AnswerId, createdAt: new Date(row.created_at) },
  withSources: exported.withSources + ((row.leaf_version ?? 1) > 1 ? 1 : 0)
})

/** The written file with the rows; `sha256` is the hash of its bytes, in hex. */
export interface RowsFile {
  readonly format: ExportFormat
  readonly gzip: boolean
  readonly sha256: string
}

/** The data for checking the rows: the context file, its leaves, and the newest seal at the start of the export. */
export interface ExportedSeals {
  readonly organizationId: OrganizationId
  readonly head: Anchor | null
  /** Null for CSV and Parquet, which have no context file. */
  readonly context: { readonly sha256: string; readonly leaves: number } | null
}

/**
 * Creates the manifest of an export. `seals` is null for rows over REST, which provides no seals. `faults` is the
 * number of differences found in the archive.
 */
export const makeManifest = (
  { format, gzip, sha256 }: RowsFile,
  filters: ArchiveFilters,
  { firstId, last, rows, simulatedRows, withSources }: ExportedRows,
  seals: ExportedSeals | null,
  faults = 0
): ExportManifest => {
  const { from, keyword_id, platform, tag, to, view } = filtersToParameters(filters)
  const context = seals?.context ?? null
  return {
    sov_export: format === "ndjson" && withSources > 0 ? 2 : 1,
    format,
    gzip,
    rows,
    simulated_rows: simulatedRows,
    first_id: firstId,
    last_id: last?.id ?? null,
    from,
    to,
    keyword_id,
    platform,
    ...tag === null ? {} : { tag },
    ...view === null ? {} : { view },
    ...format === "csv"
      ? {
        csv_formula_guard:
          "cells that begin with = + - @ (full-width too), tab, CR or LF have a leading apostrophe; so do such signs " +
          "after a semicolon or tab within a cell"
      }
      : {},
    organization_id: seals?.organizationId ?? null,
    unsealed_rows: context === null ? null : Math.max(0, rows - context.leaves),
    sha256,
    chain_head: seals?.head ?? null,
    context_sha256: context?.sha256 ?? null,
    ...faults === 0 ? {} : { archive_faults: faults }
  }
}

/** The manifest as the text of its file. */
export const formatManifest = (manifest: ExportManifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`

const decodeManifest = Schema.decodeUnknownResult(ExportManifest)

/** Parses a manifest; null for other text. */
export const parseManifest = (text: string): ExportManifest | null =>
  Result.getOrNull(decodeManifest(parseShallow(text)))

/** Whether the export contains the whole archive of its time. */
export const isWholeExport = (manifest: ExportManifest): boolean =>
  archiveParameters.every((parameter) => (manifest[parameter] ?? null) === null)

/** Whether rows of the export can be checked one by one. */
export const isSealedExport = (manifest: ExportManifest): boolean => manifest.context_sha256 !== null

/** The name of the file with the manifest of the export `file`. */
export const manifestFile = (file: string): string => `${file}.manifest.json`

/**
 * The name of the context file, which contains seals, scans, keywords and tracked sets as lines of JSON; only for
 * NDJSON.
 */
export const contextFile = (file: string): string => `${file}.context.ndjson`
