/**
 * The configuration inside a data directory, such as the demo's. This file does not load Effect, because the command
 * tree uses it.
 */
import { statSync } from "node:fs"
import { join } from "node:path"

/** The global options (`GlobalOptions`) that decide which configuration applies. */
interface ConfigOptions {
  readonly dataDir: string
  readonly databaseUrlFile?: string
  readonly sources?: { readonly [option: string]: string | undefined }
}

/** The path of the configuration inside a data directory. */
export const directoryConfig = (dataDir: string): string => join(dataDir, "sov.config.json")

/** Whether only this user can have created `path`: no other user owns it or may write to it. */
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
 * The configuration in the data directory that the options choose. Null if there is no such file, if another user may
 * have put it there, or if the options name a server or a file.
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
