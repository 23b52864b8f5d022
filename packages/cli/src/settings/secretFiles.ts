/**
 * Reads secrets from files. `NAME_FILE` names the file that contains the value of `NAME`, as is usual for database
 * images. Each file in `CREDENTIALS_DIRECTORY` contains the value of the variable with its name, as systemd passes
 * `LoadCredential=NAME:FILE`; for an entire directory, `LoadCredential=sov:DIRECTORY`, the names begin with `sov_`.
 * Other processes cannot read these files, and crash reports do not contain them.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type CliError, usageError } from "../CliError.ts"
import { makeUnreadableError } from "../input/unreadable.ts"
import { environment } from "./environment.ts"

type Env = { [name: string]: string | undefined }

const ownSecrets = new Set(environment.filter(({ secret }) => secret === true).map(({ name }) => name))

/** Whether the name is a known secret; `SSL_CERT_FILE` and others are variables themselves. */
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
 * Sets the variables of `env` that are missing, from the files that it names, and returns the file of each. Throws a
 * CliError for a file that is unreadable or empty, because a server without its secret would behave differently.
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

/** Reads the files that this process's environment names; `checkSecretFiles` reports their faults later. */
export const loadSecretFiles = (): void => {
  try {
    for (const [name, file] of readSecretFiles(process.env)) origins.set(name, file)
  } catch (error) {
    fault ??= error as CliError
  }
}

/** Throws the fault of a file before a command runs. Help works without secrets. */
export const checkSecretFiles = (): void => {
  if (fault !== undefined) throw fault
}

/** The file that the value of a variable came from. */
export const secretFileOf = (name: string): string | undefined => origins.get(name)
