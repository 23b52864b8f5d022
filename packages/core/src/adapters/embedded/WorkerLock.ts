/**
 * The lock of the one process that runs the background tasks of a data directory: `worker.lock`, a kernel lock like
 * that of the database. Nothing else in this process may open the file.
 */
import * as path from "node:path"
import { prepareDataDirectory } from "./dataDirectory.ts"
import { EmbeddedError } from "./EmbeddedError.ts"
import { type KernelLock, tryKernelLock } from "./kernelLock.ts"

/** Shared by all users within this process; released when the last one leaves. */
export class WorkerLock {
  readonly #given: string
  #dataDir: string | undefined
  #lock: KernelLock | undefined
  #users = 0

  constructor(dataDir: string) {
    this.#given = dataDir
  }

  /**
   * Joins the users of the lock; false when another process has it. Throws an EmbeddedError that names the directory.
   */
  tryJoin(): boolean {
    try {
      // Prepared only once, so that a directory that is deleted later is not created again
      this.#dataDir ??= prepareDataDirectory(this.#given)
      this.#lock ??= tryKernelLock(path.join(this.#dataDir, "worker.lock"))
    } catch (error) {
      throw EmbeddedError.from(this.#dataDir ?? this.#given, error)
    }
    this.#users++
    if (this.isHeld()) return true
    this.leave()
    return false
  }

  /**
   * Whether this `tryJoin` created the lock file. If it did, another process may still hold a lock on a deleted file.
   */
  get isNew(): boolean {
    return this.#lock?.isNew === true
  }

  /** Whether this process has the lock. Also false when the file was removed or replaced. */
  isHeld(): boolean {
    return this.#lock?.isHeld() === true
  }

  leave(): void {
    if (--this.#users > 0) return
    this.#lock?.release()
    this.#lock = undefined
  }
}
