/** Files that are either complete or absent: written under `.part`, synced to disk, then renamed. */
import { Effect, type Scope } from "effect"
import { createHash, type Hash } from "node:crypto"
import { createReadStream, existsSync, statSync } from "node:fs"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

const reasons: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the name is too long"
}

const fileError = (file: string) => (error: unknown): CliError => {
  if (error instanceof CliError) return error
  const { code = "error" } = error as NodeJS.ErrnoException
  return code === "ENOSPC" || code === "EDQUOT"
    ? new CliError(
      "disk-full",
      exitCodes.unexpected,
      `cannot write ${file}: no space is left`,
      "free some space, then repeat"
    )
    : usageError(
      `cannot write ${file}: ${
        code === "ENOENT" && existsSync(dirname(file)) ? "it no longer exists" : reasons[code] ?? code
      }`,
      "name a file in a folder you may write to"
    )
}

const tryFileWork = <A>(file: string, work: () => Promise<A>): Effect.Effect<A, CliError> =>
  Effect.tryPromise({ try: work, catch: fileError(file) })

/** Fails if `file` is a directory, or if it exists and `overwrite` is false. */
export const checkTarget = (file: string, overwrite: boolean): Effect.Effect<void, CliError> =>
  Effect.suspend(() => {
    if (!existsSync(file)) return Effect.void
    if (statSync(file).isDirectory()) return Effect.fail(fileError(file)({ code: "EISDIR" }))
    return overwrite ? Effect.void : Effect.fail(
      new CliError(
        "file-exists",
        exitCodes.conflict,
        `${file} exists already`,
        "--yes overwrites it, or choose another name"
      )
    )
  })

/** The destination of rows. */
export interface Sink {
  readonly write: (data: string | Uint8Array) => Effect.Effect<void, CliError>
}

/** How much of an unfinished file has been written. */
export interface WrittenPrefix {
  readonly bytes: number
  /** SHA-256 of these bytes, in hex. */
  readonly sha256: string
}

/** An unfinished file. */
export interface PartFile extends Sink {
  readonly reached: () => WrittenPrefix
  /** Syncs the file to disk and renames it to its final name; returns the SHA-256 (hex) of its bytes. */
  readonly finish: Effect.Effect<string, CliError>
}

interface PartOptions {
  /** Whether others may read the file, as far as the umask permits. Otherwise only the user may read it (0600). */
  readonly shared?: boolean
  /** Continues the part file of an interrupted run from this point. */
  readonly from?: WrittenPrefix | null
  /** Called when the scope closes before the file is finished; true keeps it for the next run. */
  readonly keep?: () => boolean
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const makePartDamagedError = (part: string) =>
  new CliError(
    "part-damaged",
    exitCodes.checkFailed,
    `cannot go on with ${part}: it is not what the stopped export wrote`,
    "leave out --resume to start again"
  )

/** Opens the part file of an interrupted run, up to the point where it is known to be complete. */
const reopenPart = async (part: string, { bytes, sha256 }: WrittenPrefix, hash: Hash): Promise<FileHandle> => {
  if (bytes > 0) { for await (const chunk of createReadStream(part, { end: bytes - 1 })) hash.update(chunk as Buffer) }
  if (hash.copy().digest("hex") !== sha256) throw makePartDamagedError(part)
  const handle = await open(part, "r+")
  await handle.truncate(bytes)
  return handle
}

/**
 * Starts `file` as `file.part`, or continues an existing part file. Closing the scope removes the part file unless it
 * is finished or kept.
 */
export const createPartFile = (
  file: string,
  options: PartOptions = {}
): Effect.Effect<PartFile, CliError, Scope.Scope> =>
  Effect.gen(function*() {
    const part = `${file}.part`
    const { from = null, shared = false } = options
    const hash = createHash("sha256")
    let bytes = from?.bytes ?? 0
    let handle: FileHandle | undefined
    yield* Effect.acquireRelease(
      tryFileWork(part, async () => {
        // A file that a killed run left would keep its mode
        if (from === null) await rm(part, { force: true })
        handle = from === null ? await open(part, "wx", shared ? 0o666 : 0o600) : await reopenPart(part, from, hash)
      }),
      () =>
        Effect.promise(async () => {
          if (handle === undefined) return
          await handle.close().catch(() => undefined)
          if (options.keep?.() !== true) await rm(part, { force: true })
        })
    )
    return {
      write: (data) =>
        tryFileWork(part, async () => {
          const piece = Buffer.from(data)
          hash.update(piece)
          for (let at = 0; at < piece.length;) {
            at += (await handle!.write(piece, at, piece.length - at, bytes + at)).bytesWritten
          }
          bytes += piece.length
        }),
      reached: () => ({ bytes, sha256: hash.copy().digest("hex") }),
      finish: Effect.uninterruptible(tryFileWork(file, async () => {
        await handle!.sync()
        await handle!.close()
        await rename(part, file)
        handle = undefined
        await syncFolder(dirname(file))
        return hash.digest("hex")
      }))
    } satisfies PartFile
  })
