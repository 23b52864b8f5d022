/** Which database a command uses. */
import { hasDatabase, type Home } from "@sov/core/postgres"
import { Redacted } from "effect"
import { resolve } from "node:path"
import { databaseUrl, locateDatabase, locationText } from "../settings/databaseLocation.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"

/** The database that the options choose: a server if there is a URL, otherwise the data directory. */
export const resolveHome = (options: GlobalOptions): Home => {
  const url = databaseUrl(options)
  return url === undefined ? { dataDir: resolve(options.dataDir) } : { url: Redacted.make(url) }
}

/** With --verbose, prints the location of the database to stderr, and where that setting comes from. */
export const logLocation = (options: GlobalOptions, embedded = false): void => {
  if (options.verbose === true) process.stderr.write(`home: ${locationText(locateDatabase(options, embedded))}\n`)
}

/** Whether the database exists. A server is assumed to have one. */
export const databaseExists = (where: Home): boolean => "url" in where || hasDatabase(where.dataDir)
