/**
 * An exclusive lock between processes that ends with its process, whatever happens to it (also kill -9): SQLite's
 * `BEGIN EXCLUSIVE`, an fcntl lock of the kernel. No staleness rule, no pid, no boot id. Needs a local disk.
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import type { DatabaseSync } from "node:sqlite"
import { isMainThread } from "node:worker_threads"

const SQLITE_BUSY = 5

/**
 * Locks of this process. Kept here because a database that is garbage collected closes, and drops its lock silently.
 */
const heldDatabases = new Set<DatabaseSync>()

/**
 * A lock that is held. While it is held nobody in this process may open the file by other means, not even to read or
 * copy it: POSIX drops a process's locks when it closes ANY descriptor of the file.
 */
export interface KernelLock {
  readonly file: string
  /** The file was not there before. */
  readonly isNew: boolean
  /** False when the file was removed or replaced since: the lock then guards nothing any more. Never opens the file. */
  readonly isHeld: () => boolean
  readonly release: () => void
}

const readInode = (file: string): string | undefined => {
  const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

const openLockDatabase = (file: string): DatabaseSync => {
  // Loaded at the first lock: Node 22 prints a warning when it loads
  const sqlite = createRequire(import.meta.url)("node:sqlite") as typeof import("node:sqlite")
  const mask = isMainThread ? process.umask(0o177) : undefined
  try {
    return new sqlite.DatabaseSync(file, { timeout: 0 })
  } finally {
    if (mask !== undefined) process.umask(mask)
  }
}

/**
 * Takes the lock `file` (made when absent), or returns undefined at once when somebody has it, be it this very process.
 * Throws the system's error when the file cannot be made or opened.
 */
export const tryKernelLock = (file: string): KernelLock | undefined => {
  const isNew = readInode(file) === undefined
  const database = openLockDatabase(file)
  try {
    database.exec("BEGIN EXCLUSIVE")
  } catch (error) {
    database.close()
    const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0
    if ((code & 0xff) === SQLITE_BUSY) return undefined
    throw error
  }
  heldDatabases.add(database)
  const inode = readInode(file)
  return {
    file,
    isNew,
    isHeld: () => heldDatabases.has(database) && readInode(file) === inode,
    release: () => {
      if (heldDatabases.delete(database)) database.close()
    }
  }
}
