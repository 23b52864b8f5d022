/** Reads the lines of an export and of its context file, and checks that both files match the manifest. */
import { contextFile, type ExportFiles, type ExportManifest } from "@sov/core/archive"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { linesOf } from "../../input/lineFile.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"

/** Maximum length of a line in bytes; the length of an answer is limited to a fraction of this. */
const maxLineBytes = 268_435_456

const makeDamagedError = (file: string, what: string): CliError =>
  new CliError("export-damaged", exitCodes.checkFailed, `${file}: ${what}`, "take another copy of the file")

const readError = (file: string) => (error: unknown): CliError => {
  if (error instanceof CliError) return error
  const { code = "error" } = error as NodeJS.ErrnoException
  if (code === "Z_BUF_ERROR") return makeDamagedError(file, "it is cut short")
  if (code.startsWith("Z_")) return makeDamagedError(file, "it cannot be unpacked, so it was changed")
  return makeUnreadableError(file, error)
}

/** SHA-256 of a file, in hex; available once the file has been read to its end. */
export interface Hashed {
  readonly sha256: () => string
}

const readLines = (file: string, gzip: boolean) => {
  let digest = ""
  const stream = Stream.suspend(() => {
    const hash = createHash("sha256")
    const read = linesOf(file, {
      gzip,
      maxLineBytes,
      mustEnd: false,
      fault: (what) => makeDamagedError(file, what),
      onBytes: (bytes) => hash.update(bytes)
    })
    return Stream.fromAsyncIterable(read, readError(file)).pipe(
      Stream.onEnd(Effect.sync(() => {
        digest = hash.digest("hex")
      }))
    )
  })
  return { stream, sha256: () => digest }
}

const readLineAt = (file: string, at: number): Effect.Effect<string, CliError> =>
  Effect.tryPromise({
    try: async () => {
      const handle = await open(file, "r")
      try {
        const stream = handle.createReadStream({ start: at, autoClose: false })
        const parts: Array<Buffer> = []
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          const end = chunk.indexOf(0x0a)
          parts.push(end === -1 ? chunk : chunk.subarray(0, end))
          if (end !== -1) break
        }
        return Buffer.concat(parts).toString("utf8")
      } finally {
        await handle.close()
      }
    },
    catch: readError(file)
  })

/** The lines of an NDJSON export and of its context file, with the hashes of both files after reading. */
export const openExportFiles = (file: string, manifest: ExportManifest) => {
  const rows = readLines(file, manifest.gzip)
  const beside = contextFile(file)
  if (!existsSync(beside)) {
    throw new CliError(
      "no-context",
      exitCodes.notFound,
      `there is no ${beside}`,
      "keep it beside the export: it holds the seals, without which nothing can be checked"
    )
  }
  const context = readLines(beside, false)
  const files: ExportFiles<CliError> = {
    rows: Stream.map(rows.stream, ({ text }) => text),
    context: context.stream,
    contextAt: (at) => readLineAt(beside, at)
  }
  return { files, rows: rows satisfies Hashed, context: context satisfies Hashed }
}

/** Reads files again that were already checked. Fails at the end if their bytes have changed since. */
export const openCheckedFiles = (file: string, manifest: ExportManifest): ExportFiles<CliError> => {
  const { context, files, rows } = openExportFiles(file, manifest)
  const failIfChanged = (path: string, { sha256 }: Hashed, expected: string | null) =>
    Stream.suspend(() =>
      sha256() === expected
        ? Stream.empty
        : Stream.fail(
          new CliError("export-damaged", exitCodes.checkFailed, `${path} was changed while it was read`, "try again")
        )
    )
  return {
    ...files,
    rows: Stream.concat(files.rows, failIfChanged(file, rows, manifest.sha256)),
    context: Stream.concat(files.context, failIfChanged(contextFile(file), context, manifest.context_sha256))
  }
}

/** SHA-256 of a file, in hex. */
export const hashFile = (file: string): Effect.Effect<string, CliError> =>
  Effect.tryPromise({
    try: async () => {
      const hash = createHash("sha256")
      const handle = await open(file, "r")
      for await (const chunk of handle.createReadStream() as AsyncIterable<Buffer>) hash.update(chunk)
      return hash.digest("hex")
    },
    catch: readError(file)
  })
