/**
 * The progress of an export to a file. It is saved beside the file from time to time, so that an interrupted export can
 * be resumed.
 */
import { Effect, Result, Schema } from "effect"
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { hashFile } from "./exportFiles.ts"

const Journal = Schema.Struct({
  sov_export_part: Schema.Literal(1),
  /** The requested organization, format and filters. Only an export with the same request can resume this one. */
  asked: Schema.String,
  chain_head: Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Schema.String })),
  rows: Schema.Int,
  simulated_rows: Schema.Int,
  rows_with_sources: Schema.optionalKey(Schema.Int),
  /** Number of faults found in the archive up to this point. */
  faults: Schema.optionalKey(Schema.Int),
  first_id: Schema.String,
  last_id: Schema.String,
  last_created_at: Schema.String,
  /** The state that the format's encoder needs to resume. */
  state: Schema.optionalKey(Schema.String),
  bytes: Schema.Int,
  sha256: Schema.String
})
export type Journal = typeof Journal.Type

const decodeJournal = Schema.decodeUnknownResult(Schema.fromJsonString(Journal))
const journalFile = (file: string): string => `${file}.part.json`

const readJournal = (file: string, asked: string): Effect.Effect<Journal | null, CliError> =>
  Effect.suspend(() => {
    let text: string
    try {
      text = readFileSync(journalFile(file), "utf8")
    } catch {
      return Effect.succeed(null)
    }
    const journal = Result.getOrNull(decodeJournal(text))
    if (journal !== null && journal.asked === asked) return Effect.succeed(journal)
    return Effect.fail(
      new CliError(
        "other-export",
        exitCodes.conflict,
        journal === null
          ? `${journalFile(file)} does not say how far the stopped export was`
          : `the stopped export of ${file} was asked for something else`,
        "give the same options as then, or leave out --resume to start again"
      )
    )
  })

/**
 * The journal of an interrupted export to `file`; null if there is nothing to resume. An export that was killed after
 * its rows got their final name, but before its manifest was written, is also resumed: its rows become a part file
 * again.
 */
export const findStoppedExport = Effect.fnUntraced(function*(file: string, asked: string) {
  const journal = yield* readJournal(file, asked)
  if (journal === null || existsSync(`${file}.part`)) return journal
  if (!existsSync(file) || statSync(file).size !== journal.bytes) return null
  if ((yield* hashFile(file)) !== journal.sha256) return null
  renameSync(file, `${file}.part`)
  return journal
})

/** Replaces the journal in one step: after a crash the file contains either the old or the new journal. */
export const writeJournal = (file: string, journal: Journal): void => {
  writeFileSync(`${journalFile(file)}.new`, JSON.stringify(journal), { mode: 0o600 })
  renameSync(`${journalFile(file)}.new`, journalFile(file))
}

export const removeJournal = (file: string): void => {
  rmSync(`${journalFile(file)}.new`, { force: true })
  rmSync(journalFile(file), { force: true })
}
