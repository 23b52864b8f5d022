/** Writes and reads a backup file. Its lines are in a series of gzip members, which any gunzip reads as one. */
import { Effect, Stream } from "effect"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { linesOf } from "../../input/lineFile.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"
import type { PartFile } from "../../output/partFile.ts"

const compress = promisify(gzip)

/** Approximate length of a gzip member, in characters before compression. */
const gzipMemberLength = 1_048_576
/** Maximum length of a line in bytes; answers and payloads are limited to a fraction of this. */
const maxLineBytes = 268_435_456

/** Appends text to the file; `flush` writes the rest. */
export const makeGzipWriter = (file: PartFile) => {
  let pending = ""
  const flush: Effect.Effect<void, CliError> = Effect.suspend(() => {
    if (pending === "") return Effect.void
    const text = pending
    pending = ""
    // The fastest level: the next level makes the file a tenth smaller but takes several times as long
    return Effect.promise(() => compress(text, { level: 1 })).pipe(Effect.flatMap(file.write))
  })
  return {
    write: (text: string) => {
      pending += text
      return pending.length < gzipMemberLength ? Effect.void : flush
    },
    flush
  }
}

const makeDamagedError = (file: string, what: string): CliError =>
  new CliError(
    "backup-damaged",
    exitCodes.checkFailed,
    `${file}: the backup is damaged: ${what}`,
    "nothing was restored; take another copy of the file"
  )

const readError = (file: string) => (error: unknown): CliError => {
  if (error instanceof CliError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "Z_DATA_ERROR" && message.includes("header")) {
    return new CliError("no-backup", exitCodes.usage, `${file} is no backup of sov`, "sov db backup FILE makes one")
  }
  if (code === "Z_BUF_ERROR") return makeDamagedError(file, "it is cut short")
  if (code?.startsWith("Z_") === true) return makeDamagedError(file, "it cannot be unpacked, so it was changed")
  return makeUnreadableError(file, error)
}

/** The lines of the file, read on demand. */
export const readBackupLines = (file: string): Stream.Stream<string, CliError> =>
  Stream.fromAsyncIterable(
    linesOf(file, { gzip: true, maxLineBytes, mustEnd: true, fault: (what) => makeDamagedError(file, what) }),
    readError(file)
  ).pipe(Stream.map(({ text }) => text))
