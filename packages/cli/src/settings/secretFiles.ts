/**
 * Secrets that lie in files: `NAME_FILE` names the file with the value of `NAME`, as images of databases take their
 * passwords, and each file in `CREDENTIALS_DIRECTORY` is the value of the variable that it is named after, which is how
 * systemd passes `LoadCredential=NAME:FILE`; of a whole directory, `LoadCredential=sov:DIRECTORY`, it begins each name
 * with `sov_`. Files are not seen by other processes, and no crash report has them.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type CliError, usageError } from "../CliError.ts"
import { makeUnreadableError } from "../input/unreadable.ts"
import { environment } from "./environment.ts"

type Env = { [name: string]: string | undefined }

const ownSecrets = new Set(environment.filter(({ secret }) => secret === true).map(({ name }) => name))

/** Not every name that ends so: `SSL_CERT_FILE` and others are variables of their own. */
const isSecret = (name: string): boolean => ownSecrets.has(name) || name.endsWith("_API_KEY")

const credentialName = /^(?:sov_)?([A-Z][A-Z0-9_]*)$/

const listCredentials = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
  } catch (error) {
    throw makeUnreadableError(directory, error, "CREDENTIALS_DIRECTORY names the directory of credentials")
  }
}

const readSecret = (file: string, name: string, given: string): string => {
  let value: string
  try {
    value = readFileSync(file, "utf8").trim()
  } catch (error) {
    throw makeUnreadableError(file, error, `${given} names the file that holds ${name}`)
  }
  if (value === "") throw usageError(`${file} is empty`, `${given} names the file that holds ${name}`)
  return value
}

/**
 * Fills the variables of `env` that are not set from the files that it names, and returns which file each came from.
 * Throws a CliError for a file that cannot be read or is empty: a server without its secret would do something else.
 */
export const readSecretFiles = (env: Env): ReadonlyMap<string, string> => {
  const filled = new Map<string, string>()
  const fill = (name: string, file: string, given: string): void => {
    if (env[name] !== undefined) return
    env[name] = readSecret(file, name, given)
    filled.set(name, file)
  }
  for (const [variable, file] of Object.entries(env)) {
    const name = variable.replace(/_FILE$/, "")
    if (name !== variable && isSecret(name) && file !== undefined && file !== "") fill(name, file, variable)
  }
  const directory = env["CREDENTIALS_DIRECTORY"] ?? ""
  if (directory === "") return filled
  for (const file of listCredentials(directory)) {
    const name = credentialName.exec(file)?.[1]
    if (name !== undefined) fill(name, join(directory, file), "CREDENTIALS_DIRECTORY")
  }
  return filled
}

let fault: CliError | undefined
const origins = new Map<string, string>()

/** Reads the files that this process's environment names; what is wrong with them is told by `checkSecretFiles`. */
export const loadSecretFiles = (): void => {
  try {
    for (const [name, file] of readSecretFiles(process.env)) origins.set(name, file)
  } catch (error) {
    fault ??= error as CliError
  }
}

/** Throws what was wrong with a file, before a command runs: help needs no secrets. */
export const checkSecretFiles = (): void => {
  if (fault !== undefined) throw fault
}

/** The file that a variable's value came from. */
export const secretFileOf = (name: string): string | undefined => origins.get(name)
