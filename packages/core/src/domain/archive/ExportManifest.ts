/** What lies beside the rows of an export and describes them: how many there are, and what they are checked against. */
import { Result, Schema } from "effect"
import type { AnswerId, OrganizationId } from "../ids.ts"
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
  /** Left out where it is not given, and in manifests of before there were tags. */
  tag: Schema.optionalKey(NullableText)
} satisfies {
  readonly [Parameter in ArchiveParameter]: Schema.Top
}

export const ExportFormat = Schema.Literals(["ndjson", "csv", "parquet"])
export type ExportFormat = typeof ExportFormat.Type

/** Rows in the order of the file, newest first; hashes are those of whole files. */
export const ExportManifest = Schema.Struct({
  /**
   * The format: 2 where rows hold the sources that their leaves cover, which readers of format 1 would call changed.
   */
  sov_export: Schema.Literals([1, 2]),
  format: ExportFormat,
  gzip: Schema.Boolean,
  /** Null when the rows came from a server: its API does not say it, and gives no seals. */
  organization_id: NullableText,
  rows: Schema.Int,
  simulated_rows: Schema.Int,
  /** Rows that no seal covers: their scans had not ended. Null without seals. */
  unsealed_rows: Schema.NullOr(Schema.Int),
  first_id: NullableText,
  last_id: NullableText,
  ...filterMembers,
  sha256: Sha256Hex,
  /** The newest seal when the export began. */
  chain_head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Sha256Hex })),
  /** Null without seals: in CSV and Parquet, and over REST. */
  context_sha256: Schema.NullOr(Sha256Hex),
  csv_formula_guard: Schema.optionalKey(Schema.String),
  /** Faults that the export found in the archive, which was not as it had been sealed; left out where there were none. */
  archive_faults: Schema.optionalKey(Schema.Int)
})
export type ExportManifest = typeof ExportManifest.Type

/** The rows that were written so far, in the order of writing (newest first). */
export interface ExportedRows {
  readonly rows: number
  readonly simulatedRows: number
  readonly firstId: string | null
  readonly last: ArchivePosition | null
  /** Rows whose leaf is of version 2: it covers their sources, which the rows hold. */
  readonly withSources: number
}

export const noRowsExported: ExportedRows = {
  rows: 0,
  simulatedRows: 0,
  firstId: null,
  last: null,
  withSources: 0
}

/** What is written once `row`, as clients see it, is. */
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
  withSources: exported.withSources + (row.leaf_version === 2 ? 1 : 0)
})

/** The file of the rows, as it was written; `sha256` (hex) of its bytes. */
export interface RowsFile {
  readonly format: ExportFormat
  readonly gzip: boolean
  readonly sha256: string
}

/** What the rows are checked against: the context file, the leaves in it, and the newest seal when the export began. */
export interface ExportedSeals {
  readonly organizationId: OrganizationId
  readonly head: Anchor | null
  /** Null = CSV and Parquet, which have no context. */
  readonly context: { readonly sha256: string; readonly leaves: number } | null
}

/**
 * The manifest of an export. `seals` null = the rows came over REST, which gives none; `faults`: so many were found in
 * the archive.
 */
export const makeManifest = (
  { format, gzip, sha256 }: RowsFile,
  filters: ArchiveFilters,
  { firstId, last, rows, simulatedRows, withSources }: ExportedRows,
  seals: ExportedSeals | null,
  faults = 0
): ExportManifest => {
  const { from, keyword_id, platform, tag, to } = filtersToParameters(filters)
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
    ...format === "csv"
      ? { csv_formula_guard: "cells that begin with = + - @ (full-width too), tab, CR or LF have a leading apostrophe" }
      : {},
    organization_id: seals?.organizationId ?? null,
    unsealed_rows: context === null ? null : Math.max(0, rows - context.leaves),
    sha256,
    chain_head: seals?.head ?? null,
    context_sha256: context?.sha256 ?? null,
    ...faults === 0 ? {} : { archive_faults: faults }
  }
}

/** The manifest as its file has it. */
export const formatManifest = (manifest: ExportManifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`

const decodeManifest = Schema.decodeUnknownResult(Schema.fromJsonString(ExportManifest))

/** Reads the text of a manifest; null where it is none. */
export const parseManifest = (text: string): ExportManifest | null => Result.getOrNull(decodeManifest(text))

/** Whether the export holds the whole archive of its time. */
export const isWholeExport = (manifest: ExportManifest): boolean =>
  archiveParameters.every((parameter) => (manifest[parameter] ?? null) === null)

/** Whether rows can be checked one by one. */
export const isSealedExport = (manifest: ExportManifest): boolean => manifest.context_sha256 !== null

/** The name of the file with the manifest of the export `file`. */
export const manifestFile = (file: string): string => `${file}.manifest.json`

/** The name of the file with seals, scans, keywords and tracked sets as lines of JSON; beside NDJSON only. */
export const contextFile = (file: string): string => `${file}.context.ndjson`
