/** What lies beside an export: the manifest that describes it, and the names of the other files. */
import { type ArchiveFilters, type ArchiveParameter, archiveParameters, filtersToParameters } from "@sov/core"
import { Effect, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { basename } from "node:path"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import type { Output } from "../../output/Output.ts"
import type { PartFile } from "../../output/partFile.ts"
import type { ExportOptions, Written } from "./exportRows.ts"

export const manifestFile = (file: string): string => `${file}.manifest.json`
/** Seals, scans, keywords and tracked sets as lines of JSON; beside NDJSON only. */
export const contextFile = (file: string): string => `${file}.context.ndjson`

const Sha256Hex = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const NullableText = Schema.NullOr(Schema.String)

const filterMembers = {
  from: NullableText,
  to: NullableText,
  keyword_id: NullableText,
  platform: NullableText
} satisfies {
  readonly [Parameter in ArchiveParameter]: typeof NullableText
}

/** Rows in the order of the file, newest first; hashes are those of whole files. */
const Manifest = Schema.Struct({
  /** The format: 2 where rows hold the sources that their leaves cover, which readers of format 1 would call changed. */
  sov_export: Schema.Literals([1, 2]),
  format: Schema.Literals(["ndjson", "csv"]),
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
  /** Null without seals: in CSV, and over REST. */
  context_sha256: Schema.NullOr(Sha256Hex),
  csv_formula_guard: Schema.optionalKey(Schema.String)
})
export type Manifest = typeof Manifest.Type

const decodeManifest = Schema.decodeUnknownResult(Schema.fromJsonString(Manifest))

/** Whether the export holds the whole archive of its time. */
export const isWhole = (manifest: Manifest): boolean =>
  archiveParameters.every((parameter) => manifest[parameter] === null)

/** Whether rows can be checked one by one. */
export const isSealed = (manifest: Manifest): boolean => manifest.context_sha256 !== null

/** What was asked for, and the rows that came. */
export const describeRows = (
  { format, gzip = false }: ExportOptions,
  filters: ArchiveFilters,
  { firstId, last, rows, simulatedRows, withSources }: Written
) => {
  const { from, keyword_id, platform, to } = filtersToParameters(filters)
  return {
    sov_export: format === "ndjson" && withSources > 0 ? 2 as const : 1 as const,
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
    ...format === "csv"
      ? { csv_formula_guard: "cells that begin with = + - @ (full-width too), tab, CR or LF have a leading apostrophe" }
      : {}
  }
}

/** Gives an export its names; `finish` ends the files that `description` describes. */
export const finishExport = <E, R>(
  file: string,
  description: PartFile,
  finish: Effect.Effect<Manifest, E, R>
) =>
  Effect.uninterruptible(Effect.gen(function*() {
    // A manifest of the file that is being replaced must not describe the new one, not even for a moment.
    yield* Effect.promise(() => rm(manifestFile(file), { force: true }))
    const manifest = yield* finish
    yield* description.write(`${JSON.stringify(manifest, undefined, 2)}\n`)
    yield* description.finish
    return manifest
  }))

export const noteExported = (out: Output, file: string, manifest: Manifest): void =>
  out.result(
    { file, ...manifest },
    () =>
      `${manifest.rows} answers${
        manifest.simulated_rows > 0 ? ` (${manifest.simulated_rows} SIMULATED)` : ""
      } in ${file}\nsha256 ${manifest.sha256}`
  )

/** Reads the manifest beside `file`; throws a CliError. */
export const readManifest = (file: string): Manifest => {
  const path = manifestFile(file)
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw new CliError(
      "no-manifest",
      exitCodes.notFound,
      `cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? "error"}`,
      `keep it beside ${basename(file)}: sov archive export wrote both`
    )
  }
  return Result.getOrThrowWith(decodeManifest(text), () =>
    new CliError(
      "manifest-damaged",
      exitCodes.checkFailed,
      `${path} is no manifest of an export`,
      "sov archive export writes one; take the one that was written with the file"
    ))
}
