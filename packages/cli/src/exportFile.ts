/** Files that are either whole or not there: written under `.part`, forced to disk, then renamed. */
import { Effect, type Scope } from "effect"
import { createHash } from "node:crypto"
import { existsSync, statSync } from "node:fs"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { CliError, usageError } from "./CliError.ts"
import { exitCodes } from "./exitCodes.ts"

const reasons: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the name is too long"
}

const fileError = (file: string) => (error: unknown): CliError => {
  const { code = "error" } = error as NodeJS.ErrnoException
  return code === "ENOSPC" || code === "EDQUOT"
    ? new CliError(
      "disk-full",
      exitCodes.unexpected,
      `cannot write ${file}: no space is left`,
      "free some space, then repeat"
    )
    : usageError(
      `cannot write ${file}: ${reasons[code] ?? code}`,
      "name a file in a folder you may write to"
    )
}

const attempt = <A>(file: string, work: () => Promise<A>): Effect.Effect<A, CliError> =>
  Effect.tryPromise({ try: work, catch: fileError(file) })

/** Refuses a folder, and an existing file unless `overwrite`. */
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

/** Where rows go. */
export interface Sink {
  readonly write: (data: string | Uint8Array) => Effect.Effect<void, CliError>
}

/** A file in the making. */
export interface PartFile extends Sink {
  /** Forces it to disk and gives it its name; returns the sha256 (hex) of its bytes. */
  readonly finish: Effect.Effect<string, CliError>
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Begins `file` as `file.part`. Unless it is finished, closing the scope removes the part file. `secret` files are for
 * the user's eyes only (0600).
 */
export const partFile = (
  file: string,
  options: { readonly secret?: boolean } = {}
): Effect.Effect<PartFile, CliError, Scope.Scope> =>
  Effect.gen(function*() {
    const part = `${file}.part`
    let handle: FileHandle | undefined
    yield* Effect.acquireRelease(
      attempt(part, async () => {
        // A file that lies there from a killed run would keep its mode
        if (options.secret === true) await rm(part, { force: true })
        handle = await open(part, "w", options.secret === true ? 0o600 : 0o666)
      }),
      () =>
        Effect.promise(async () => {
          if (handle === undefined) return
          await handle.close().catch(() => undefined)
          await rm(part, { force: true })
        })
    )
    const hash = createHash("sha256")
    return {
      write: (data) =>
        attempt(part, async () => {
          const bytes = Buffer.from(data)
          hash.update(bytes)
          await handle!.writeFile(bytes)
        }),
      finish: Effect.uninterruptible(attempt(file, async () => {
        await handle!.sync()
        await handle!.close()
        await rename(part, file)
        handle = undefined
        await syncFolder(dirname(file))
        return hash.digest("hex")
      }))
    } satisfies PartFile
  })
