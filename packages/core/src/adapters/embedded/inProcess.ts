/**
 * The embedded database inside this process, for tests and for programs that do not want a second process. It uses the
 * same lock as an owner process, so a directory is never open twice. Other processes cannot use the directory while it
 * is open.
 */
import * as path from "node:path"
import type { Duplex } from "node:stream"
import { makeBusyRefusal, prepareDataDirectory, toSystemRefusal, writeLockHolder } from "./dataDirectory.ts"
import { type KernelLock, tryKernelLock } from "./kernelLock.ts"
import { ownerFiles } from "./ownerProtocol.ts"
import { readOwnerSettings } from "./ownerSettings.ts"
import { SessionMultiplexer } from "./SessionMultiplexer.ts"
import { LOCK_CHECK_MS, waitForPreviousOwner } from "./waitForPreviousOwner.ts"

export interface InProcessDatabase {
  readonly connect: () => Duplex
  readonly close: () => Promise<void>
}

const takeLock = (dataDir: string): KernelLock => {
  const file = path.join(dataDir, ownerFiles.lock)
  let lock: KernelLock | undefined
  try {
    lock = tryKernelLock(file)
  } catch (error) {
    throw toSystemRefusal(dataDir, error) ?? error
  }
  if (lock === undefined) throw makeBusyRefusal(dataDir, dataDir)
  writeLockHolder(dataDir, "in-process")
  return lock
}

/** The database to open in this process. */
export interface InProcessTarget {
  /** The data directory; left out: the database is in memory and lost when the process ends. */
  readonly dataDir?: string
  /** The tar of the cluster that a new database starts from; left out: the empty cluster in the package. */
  readonly dump?: () => Promise<Buffer>
}

/** Opens the database of a data directory, or one in memory. Throws a `Refusal`. */
export const openInProcess = async (target: InProcessTarget = {}): Promise<InProcessDatabase> => {
  const { dump } = target
  const dataDir = target.dataDir === undefined ? undefined : prepareDataDirectory(target.dataDir)
  const lock = dataDir === undefined ? undefined : takeLock(dataDir)
  try {
    if (dataDir !== undefined && lock !== undefined) await waitForPreviousOwner(lock, dataDir)
    const { openPglite } = await import("./openPglite.ts")
    const failed: { report: (error: Error) => void } = { report: () => {} }
    const database = await openPglite({
      dataDir,
      onFatal: (error) => failed.report(error),
      ...dump === undefined ? {} : { dump }
    })
    const { idleInTransactionMs } = readOwnerSettings(dataDir)
    // A failed engine stops and writes nothing more, so the next engine may use the directory at once
    const hub = new SessionMultiplexer(database.engine, { idleInTransactionMs, onFatal: () => lock?.release() })
    failed.report = (error) => hub.fail(error)
    const watch = setInterval(() => {
      if (lock?.isHeld() === false) hub.fail(new Error(`The lock file in ${dataDir} was removed or replaced`))
    }, LOCK_CHECK_MS).unref()
    return {
      connect: () => hub.connect(),
      close: async () => {
        clearInterval(watch)
        if (lock === undefined || lock.isHeld()) await database.close()
        lock?.release()
      }
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}
