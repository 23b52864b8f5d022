/**
 * The configuration that lies in a data directory, as that of the demo does. Without Effect: the tree of commands uses
 * it.
 */
import { statSync } from "node:fs"
import { join } from "node:path"

/** What of the global options (`GlobalOptions`) says which configuration holds. */
interface ConfigOptions {
  readonly dataDir: string
  readonly databaseUrlFile?: string
  readonly sources?: { readonly [option: string]: string | undefined }
}

/** Where a data directory holds its configuration, if it has one. */
export const directoryConfig = (dataDir: string): string => join(dataDir, "sov.config.json")

/** Whether this user alone can have put `path` there: others neither own it nor may write to it. */
const isPrivate = (path: string): boolean => {
  try {
    const { mode, uid } = statSync(path)
    const me = process.getuid?.()
    return me === undefined || (uid === me && (mode & 0o022) === 0)
  } catch {
    return false // absent, or this user may not look
  }
}

/**
 * The configuration of the data directory that the options choose; null where it has none, where another user may have
 * put it there, where they choose a server, or where somebody named a file.
 */
export const findDirectoryConfig = (
  { databaseUrlFile, dataDir, sources = {} }: ConfigOptions,
  env: Readonly<Record<string, string | undefined>>
): string | null => {
  if (sources["config"] !== "default" || databaseUrlFile !== undefined || (env["SOV_DATABASE_URL"] ?? "") !== "") {
    return null
  }
  const file = directoryConfig(dataDir)
  return [dataDir, file].every(isPrivate) ? file : null
}
