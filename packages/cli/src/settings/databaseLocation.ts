/** Decides where a command runs, and why: one rule for all commands, which `-v`, `status` and `db status` show. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { makeUnreadableError } from "../input/unreadable.ts"
import { isFromEnvFile } from "./envFile.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import { secretFileOf } from "./secretFiles.ts"

/** The origin of a value; `from` names the flag, variable or file, and is null for a default. */
export interface Origin {
  readonly source: "flag" | "env" | ".env" | "file" | "default"
  readonly from: string | null
}

/** Options for which there is an environment variable. */
const variableOfOption = {
  dataDir: ["--data-dir", "SOV_DATA_DIR"],
  databaseUrlFile: ["--database-url-file", null],
  config: ["--config", "SOV_CONFIG"],
  org: ["--org", "SOV_ORG"],
  url: ["--url", "SOV_URL"]
} as const

/** The origin of a variable that is set. */
export const originOfVariable = (name: string): Origin => {
  const file = secretFileOf(name)
  return file === undefined
    ? { source: isFromEnvFile(name) ? ".env" : "env", from: name }
    : { source: "file", from: file }
}

/** The origin of an option's value. */
export const originOf = (options: GlobalOptions, option: keyof typeof variableOfOption): Origin => {
  const [flag, variable] = variableOfOption[option]
  const source = options.sources?.[option]
  if (source === "cli") return { source: "flag", from: flag }
  return source === "env" && variable !== null ? originOfVariable(variable) : { source: "default", from: null }
}

const readUrl = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim()
  } catch (error) {
    throw makeUnreadableError(file, error, "--database-url-file names the file that holds the URL")
  }
}

/** The URL of the server, if one is chosen. */
export const databaseUrl = (options: GlobalOptions): string | undefined => {
  const url = options.databaseUrlFile !== undefined
    ? readUrl(options.databaseUrlFile)
    : process.env["SOV_DATABASE_URL"]
  return url === "" ? undefined : url
}

/** A URL that is safe to show: without user, password and parameters. */
export const redactUrl = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "?" : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

/** The home of the data in a form that is safe to show, and why it was chosen. */
export interface DatabaseLocation extends Origin {
  readonly kind: "embedded" | "server"
  /** The data directory, or the server's address without user and password. */
  readonly location: string
}

/** The home that the options choose; `embedded` always chooses the data directory. */
export const locateDatabase = (options: GlobalOptions, embedded = false): DatabaseLocation => {
  const url = embedded ? undefined : databaseUrl(options)
  if (url === undefined) {
    return { kind: "embedded", location: resolve(options.dataDir), ...originOf(options, "dataDir") }
  }
  const origin = options.databaseUrlFile === undefined
    ? originOfVariable("SOV_DATABASE_URL")
    : originOf(options, "databaseUrlFile")
  return { kind: "server", location: redactUrl(url), ...origin }
}

/** The origin in parentheses: `(--data-dir)`, `(SOV_DATABASE_URL of .env)`, `(default)`. */
export const originText = ({ from, source }: Origin): string =>
  `(${from === null ? source : source === ".env" ? `${from} of .env` : from})`

/** The location on one line: "embedded database in /x/.sov (default)". */
export const locationText = (place: DatabaseLocation): string =>
  `${place.kind === "embedded" ? "embedded database in" : "Postgres server"} ${place.location} ${originText(place)}`
