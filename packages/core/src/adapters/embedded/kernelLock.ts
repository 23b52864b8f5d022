/**
 * An exclusive lock between processes that ends with its process, even after kill -9: SQLite's `BEGIN EXCLUSIVE`, which
 * is an fcntl lock of the kernel. It needs a local disk, but no rule for stale locks, no pid and no boot id.
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import type { DatabaseSync } from "node:sqlite"
import { isMainThread } from "node:worker_threads"

const SQLITE_BUSY = 5

/**
 * The locks of this process. They are stored here because a garbage-collected database closes and silently drops its
 * lock.
 */
const heldDatabases = new Set<DatabaseSync>()

/**
 * A held lock. While it is held, nothing in this process may open the file by other means, not even to read or copy it:
 * POSIX drops a process's locks when it closes ANY descriptor of the file.
 */
export interface KernelLock {
  readonly file: string
  /** Whether taking the lock created the file. */
  readonly isNew: boolean
  /** False when the file was removed or replaced: the lock then protects nothing. Never opens the file. */
  readonly isHeld: () => boolean
  readonly release: () => void
}

const readInode = (file: string): string | undefined => {
  const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

const openLockDatabase = (file: string): DatabaseSync => {
  // Loaded with the first lock, because Node 22 prints a warning when it loads `node:sqlite`
  const sqlite = createRequire(import.meta.url)("node:sqlite") as typeof import("node:sqlite")
  const mask = isMainThread ? process.umask(0o177) : undefined
  try {
    return new sqlite.DatabaseSync(file, { timeout: 0 })
  } finally {
    if (mask !== undefined) process.umask(mask)
  }
}

/**
 * Takes the lock `file` (created if missing), or returns undefined at once if any process, even this one, holds it.
 * Throws the system's error if the file cannot be created or opened.
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
