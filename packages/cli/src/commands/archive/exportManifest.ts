/** The manifest of an export: written together with its files, and read before them. */
import {
  type ArchiveProblem,
  type ExportManifest,
  formatManifest,
  manifestFile,
  parseManifest
} from "@sov/core/archive"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { basename } from "node:path"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import type { Output } from "../../output/Output.ts"
import type { PartFile } from "../../output/partFile.ts"
import { describeProblem } from "./describeProblem.ts"

/**
 * Gives the files of an export their final names: first the files that `finish` completes, last the manifest
 * (`description`).
 */
export const finishExport = <E, R>(
  file: string,
  description: PartFile,
  finish: Effect.Effect<ExportManifest, E, R>
) =>
  Effect.uninterruptible(Effect.gen(function*() {
    // The old manifest must not describe the new file, not even for a moment
    yield* Effect.promise(() => rm(manifestFile(file), { force: true }))
    const manifest = yield* finish
    yield* description.write(formatManifest(manifest))
    yield* description.finish
    return manifest
  }))

/** Prints a summary of the export; `problems` are the faults found in the archive. */
export const noteExported = (
  out: Output,
  file: string,
  manifest: ExportManifest,
  problems: ReadonlyArray<ArchiveProblem> = []
): void =>
  out.result(
    { file, ...manifest, ...problems.length === 0 ? {} : { problems } },
    () =>
      [
        ...problems.map((problem) => `${out.style("red", "✗")} ${describeProblem(problem)}`),
        `${manifest.rows} answers${
          manifest.simulated_rows > 0 ? ` (${manifest.simulated_rows} SIMULATED)` : ""
        } in ${file}\nsha256 ${manifest.sha256}`
      ].join("\n")
  )

/** Reads the manifest beside `file`; throws a CliError. */
export const readManifest = (file: string): ExportManifest => {
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
  const manifest = parseManifest(text)
  if (manifest !== null) return manifest
  throw new CliError(
    "manifest-damaged",
    exitCodes.checkFailed,
    `${path} is no manifest of an export`,
    "sov archive export writes one; take the one that was written with the file"
  )
}
