/** sov archive import: imports an export. */
import { type ExportManifest, importArchive, isSealedExport, isWholeExport } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import { planRescore, rescore } from "@sov/core/measuring"
import { Effect } from "effect"
import { closeSync, openSync, readSync } from "node:fs"
import { resolve } from "node:path"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { Output } from "../../output/Output.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { checkExport } from "./checkExport.ts"
import { openCheckedFiles } from "./exportFiles.ts"
import { readManifest } from "./exportManifest.ts"
import { flatHeap } from "./flatHeap.ts"

const formatNames = { csv: "CSV", parquet: "Parquet" }

const findImportFault = (file: string, manifest: ExportManifest): CliError | null =>
  manifest.format !== "ndjson"
    ? usageError(`${file} is ${formatNames[manifest.format]}, which is not lossless`, "import the NDJSON export")
    : !isSealedExport(manifest)
    ? usageError(
      `${file} came over REST, without the seals and scans`,
      "import an export that was made on the database"
    )
    : isWholeExport(manifest)
    ? null
    : usageError(`${file} holds only a part of the archive`, "import an export that was made without filters")

/** Number of bytes that contain the names of the columns or members of a file. */
const headBytes = 65_536

/** Whether the first line has the names of answers captured in an app; false for a file that cannot be read. */
const looksCaptured = (file: string): boolean => {
  let fd: number | undefined
  try {
    fd = openSync(file, "r")
    const head = Buffer.alloc(headBytes)
    const [line = ""] = head.toString("utf8", 0, readSync(fd, head, 0, headBytes, 0)).trimStart().split("\n", 1)
    return /\bcaptured_at\b/i.test(line)
  } catch {
    return false
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Reads the manifest beside `file`; throws a CliError. */
export const readImportManifest = (file: string): ExportManifest => {
  try {
    return readManifest(file)
  } catch (error) {
    throw (error as CliError).code === "no-manifest" && looksCaptured(file)
      ? usageError(`${file} holds answers captured in an app, not an export of the archive`, "add --surface app")
      : error
  }
}

/** Reads and checks the entire export before a database is opened or created. */
const checkBeforeImport = Effect.fnUntraced(function*(out: Output, file: string, manifest: ExportManifest) {
  const progress = makeRowProgress(out, "Checking", manifest.rows, "answers")
  let first = ""
  let faults = 0
  yield* checkExport(file, manifest, [], {
    onAnswers: progress.add,
    onProblem: ({ detail, id, problem, what }) =>
      Effect.sync(() => {
        if (faults++ === 0) first = `${what} ${id} ${problem}: ${detail}`
      })
  }).pipe(Effect.ensuring(Effect.sync(progress.clear)))
  if (faults > 0) {
    return yield* Effect.fail(
      new CliError(
        "export-damaged",
        exitCodes.checkFailed,
        `${file} is not as it was exported: ${first}`,
        "nothing was imported; sov archive verify --file names all that is wrong"
      )
    )
  }
})

/** A summary of an import, for people. */
export const importText = (
  done: { readonly answers: number; readonly scans: number; readonly seals: number; readonly resealed: number },
  organization: string
): string =>
  `Imported ${pluralized(done.answers, "answer")} of ${pluralized(done.scans, "scan")} under ${
    pluralized(done.seals, "seal")
  } into ${organization}` +
  (done.resealed === 0
    ? ""
    : `\n${pluralized(done.resealed, "scan")} had not ended when exported: cancelled, and sealed as far as it came`)

/** Runs `sov archive import FILE`. */
export const importFile = (options: GlobalOptions, given: string) => {
  flatHeap()
  const file = resolve(given)
  let manifest: ExportManifest | undefined
  const before = Effect.gen(function*() {
    const found = yield* Effect.try({ try: () => readImportManifest(file), catch: (error) => error as CliError })
    const unfit = findImportFault(file, found)
    if (unfit !== null) return yield* Effect.fail(unfit)
    yield* checkBeforeImport(new Output(options), file, found)
    manifest = found
  })
  return runForOrganization(options, { before }, function*({ out }, organization) {
    const progress = makeRowProgress(out, "Importing", manifest!.rows, "answers")
    const done = yield* importArchive(organization, openCheckedFiles(file, manifest!), progress.add).pipe(
      Effect.ensuring(Effect.sync(progress.clear))
    )
    const plan = done.answers === 0 ? null : yield* planRescore(organization.id, {})
    if (plan !== null) {
      const measuring = makeRowProgress(out, "Measuring", plan.answers - plan.measured, "answers")
      yield* rescore(organization.id, plan, measuring.add).pipe(
        Effect.ensuring(Effect.sync(measuring.clear)),
        Effect.onError(() => Effect.sync(() => out.note("All is imported, and not all measured: sov rescore goes on")))
      )
    }
    out.result(
      { file, organization_id: organization.id, ...done },
      () => importText(done, organization.name)
    )
  })
}
