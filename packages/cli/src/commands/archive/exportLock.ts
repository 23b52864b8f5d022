/** A lock that lets only one process at a time write an export to a file. */
import { Effect, type Scope } from "effect"
import { rmSync } from "node:fs"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { tryKernelLock } from "../../runtime.ts"

/** Locks `path`. Null if the file system has no locks, undefined if another process has the lock. */
const tryLock = (path: string): ReturnType<typeof tryKernelLock> | null => {
  while (true) {
    let lock: ReturnType<typeof tryKernelLock>
    try {
      lock = tryKernelLock(path)
    } catch {
      // A missing or read-only folder is reported when the first file in it is opened
      return null
    }
    // The previous holder removed the file after we opened it and before we locked it, so we try again with a new file
    if (lock?.isHeld() !== false) return lock
    lock.release()
  }
}

/**
 * Locks `file` for this export until the scope closes; if the process is killed, the lock is released. Fails with
 * `export-running` if another process writes to it.
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
