import * as fs from "node:fs"
import * as path from "node:path"
import { clusterNames } from "./dataDirectory.ts"
import { EmbeddedError } from "./EmbeddedError.ts"
import { findErrorCode } from "./refusal.ts"

/** Whether a data directory holds a database. Throws an EmbeddedError if this user may not read it. */
export const hasDatabase = (dataDir: string): boolean => {
  try {
    fs.statSync(path.join(dataDir, clusterNames.ready, "PG_VERSION"))
    return true
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(findErrorCode(error) ?? "")) return false
    throw EmbeddedError.from(dataDir, error)
  }
}
