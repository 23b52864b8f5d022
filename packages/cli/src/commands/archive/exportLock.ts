/** One process at a time writes an export to a file. */
import { Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { tryKernelLock } from "../../runtime.ts"

/** The lock of `path`; null where the file system has none. Undefined when another process holds it. */
const tryLock = (path: string): ReturnType<typeof tryKernelLock> | null => {
  while (true) {
    let lock: ReturnType<typeof tryKernelLock>
    try {
      lock = tryKernelLock(path)
    } catch {
      // Where the folder is missing or may not be written to, the first file that is opened there says so
      return null
    }
    // Its holder removed the file between our opening and locking it: the next export makes another
    if (lock?.isHeld() !== false) return lock
    lock.release()
  }
}

/**
 * Holds `file` for this export until the scope closes; a killed one holds nothing. Fails with `export-running` when
 * another process writes to it.
 */
export const claimExport = (file: string): Effect.Effect<unknown, CliError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const lock = tryLock(`${file}.part.lock`)
      return lock === undefined
        ? Effect.fail(
          new CliError(
            "export-running",
            exitCodes.conflict,
            `another export is being written to ${file}`,
            "wait for it to end, or choose another name"
          )
        )
        : Effect.succeed(lock)
    }),
    (lock) =>
      Effect.sync(() => {
        if (lock === null) return
        rmSync(lock.file, { force: true })
        lock.release()
      })
  )
