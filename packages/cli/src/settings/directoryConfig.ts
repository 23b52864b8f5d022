/**
 * The configuration that lies in a data directory, as that of the demo does. Without Effect: the tree of commands uses
 * it.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"

/** What of the global options (`GlobalOptions`) says which configuration holds. */
interface ConfigOptions {
  readonly dataDir: string
  readonly databaseUrlFile?: string
  readonly sources?: { readonly [option: string]: string | undefined }
}

/** Where a data directory holds its configuration, if it has one. */
export const directoryConfig = (dataDir: string): string => join(dataDir, "sov.config.json")

/**
 * The configuration of the data directory that the options choose; null where it has none, where they choose a server,
 * or where somebody named a file.
 */
export const findDirectoryConfig = (
  { databaseUrlFile, dataDir, sources = {} }: ConfigOptions,
  env: Readonly<Record<string, string | undefined>>
): string | null => {
  if (sources["config"] !== "default" || databaseUrlFile !== undefined || (env["SOV_DATABASE_URL"] ?? "") !== "") {
    return null
  }
  const file = directoryConfig(dataDir)
  return existsSync(file) ? file : null
}
