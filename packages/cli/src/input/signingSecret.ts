/** Reads the input of commands that use a webhook secret. Loads nothing but Node. */
import { readFileSync } from "node:fs"
import { usageError } from "../CliError.ts"
import { makeUnreadableError } from "./unreadable.ts"

export interface SecretOptions {
  readonly secretFile?: string
}

/** Reads the bytes of a file, or of stdin (`-`). */
export const readBytes = (file: string): Buffer => {
  try {
    return readFileSync(file === "-" ? 0 : file)
  } catch (error) {
    throw makeUnreadableError(file, error)
  }
}

/**
 * Reads the secret from a file (without one trailing line break) or from SOV_SIGNING_SECRET, never from an argument.
 */
export const readSecret = (options: SecretOptions): Buffer => {
  const secret = options.secretFile !== undefined
    ? Buffer.from(readBytes(options.secretFile).toString("latin1").replace(/\r?\n$/, ""), "latin1")
    : Buffer.from(process.env["SOV_SIGNING_SECRET"] ?? "")
  if (secret.length === 0) {
    throw usageError(
      options.secretFile === undefined ? "no signing secret" : `${options.secretFile} is empty`,
      "give --secret-file FILE or set SOV_SIGNING_SECRET"
    )
  }
  return secret
}
