/** Checks the files of an export against its manifest and its seals. */
import {
  type ArchiveProblem,
  contextFile,
  type ExportManifest,
  type ExportVerdict,
  isWholeExport,
  type NotedSeal,
  verifyExport
} from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import { Effect } from "effect"
import type { CliError } from "../../CliError.ts"
import { hashFile, openExportFiles } from "./exportFiles.ts"

export interface CheckListener {
  readonly onProblem: (problem: ArchiveProblem) => Effect.Effect<void>
  readonly onAnswers: (answers: number) => void
}

const fileProblem = (id: string, detail: string): ArchiveProblem => ({ what: "file", id, problem: "changed", detail })

/** Reports faults that the archive already had when it was exported: the file has them, too. */
const archiveProblems = (file: string, { archive_faults: faults = 0 }: ExportManifest): ReadonlyArray<ArchiveProblem> =>
  faults === 0
    ? []
    : [fileProblem(file, `the archive was not as sealed when it was exported: ${pluralized(faults, "fault")}`)]

/** Finds changes to rows without a seal. Such rows are proven only if the entire file is unchanged. */
const unsealedProblems = (
  { rows, unsealed }: ExportVerdict,
  manifest: ExportManifest,
  whole: boolean
): ReadonlyArray<ArchiveProblem> => {
  const expected = manifest.unsealed_rows ?? 0
  if (unsealed.rows > expected && expected === 0) {
    return unsealed.named.map(({ id, line }): ArchiveProblem => ({
      what: "answer",
      id,
      problem: "added",
      detail: `line ${line}: no seal holds it, and it was not exported`
    }))
  }
  if (unsealed.rows > expected) {
    const detail = `${
      pluralized(unsealed.rows, "row")
    } are under no seal, and ${expected} were: some were added or changed`
    return [fileProblem("rows", detail)]
  }
  if (whole && rows === manifest.rows) return []
  return unsealed.rows < expected
    ? [
      fileProblem(
        "rows",
        `${pluralized(unsealed.rows, "row")} are under no seal, and ${expected} were: some were removed`
      )
    ]
    : []
}

/**
 * Checks an NDJSON export against its seals and its manifest. If the hash of the file differs but every sealed row is
 * valid, the change is outside the seals and is reported for the file.
 */
export const checkExport = Effect.fnUntraced(function*(
  file: string,
  manifest: ExportManifest,
  noted: ReadonlyArray<NotedSeal>,
  { onAnswers, onProblem }: CheckListener
): Effect.fn.Return<ExportVerdict, CliError> {
  const { context, files, rows } = openExportFiles(file, manifest)
  const { chain_head: head } = manifest
  const wholeUpTo = isWholeExport(manifest) ? head?.sequence ?? 0 : 0
  const verdict = yield* verifyExport(files, { onAnswers, onProblem }, { noted, wholeUpTo })
  const whole = rows.sha256() === manifest.sha256
  const problems: Array<ArchiveProblem> = []
  if (!whole) problems.push(fileProblem(file, "its sha256 is not the one in the manifest"))
  if (context.sha256() !== manifest.context_sha256) {
    problems.push(fileProblem(contextFile(file), "its sha256 is not the one in the manifest"))
  }
  if (verdict.rows !== manifest.rows) {
    problems.push(fileProblem(file, `it has ${pluralized(verdict.rows, "row")}, the manifest says ${manifest.rows}`))
  }
  if (head?.sequence !== verdict.head?.sequence || head?.hash !== verdict.head?.hash) {
    problems.push(fileProblem(contextFile(file), "its newest seal is not the one in the manifest"))
  }
  problems.push(...unsealedProblems(verdict, manifest, whole), ...archiveProblems(file, manifest))
  yield* Effect.forEach(problems, onProblem, { discard: true })
  return verdict
})

/** Checks an export without seals, which can only be checked as a whole. */
export const checkUnsealedExport = Effect.fnUntraced(
  function*(file: string, manifest: ExportManifest, { onProblem }: CheckListener) {
    if ((yield* hashFile(file)) !== manifest.sha256) {
      yield* onProblem(fileProblem(file, "its sha256 is not the one in the manifest"))
    }
    yield* Effect.forEach(archiveProblems(file, manifest), onProblem, { discard: true })
  }
)
