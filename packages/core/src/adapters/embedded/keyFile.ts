/** The file in a data directory that holds the key for its secrets. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { ownerFiles } from "./ownerProtocol.ts"
import { syncFile } from "./syncFile.ts"

/** The text of the key file; undefined if absent. */
export const readKeyFile = (dataDir: string): string | undefined => {
  try {
    return fs.readFileSync(path.join(dataDir, ownerFiles.keys), "utf8").trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/**
 * The text of the key file. A missing file is created with a new key (0600). It is created only once, however many
 * processes start at the same time, and synced to disk before it is used.
 */
export const readOrCreateKeyFile = (dataDir: string): string => {
  const found = readKeyFile(dataDir)
  if (found !== undefined) return found
  const file = path.join(dataDir, ownerFiles.keys)
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, `local:${randomBytes(32).toString("base64")}\n`, { mode: 0o600 })
  try {
    syncFile(draft)
    fs.linkSync(draft, file)
    syncFile(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return readKeyFile(dataDir)!
}
