/** sov verify, sov sign: webhook signatures over raw bytes. Loads nothing but Node. */
import { signBody, verifySignature } from "@sov/core/webhook"
import { readFileSync } from "node:fs"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { Output } from "../Output.ts"

interface SignatureOptions extends GlobalOptions {
  readonly secretFile?: string
}

const readBytes = (file: string): Buffer => {
  try {
    return readFileSync(file === "-" ? 0 : file)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new CliError(
      code === "ENOENT" ? "not-found" : "unreadable",
      code === "ENOENT" ? exitCodes.notFound : exitCodes.usage,
      code === "ENOENT" ? `there is no file ${file}` : `cannot read ${file}: ${code}`
    )
  }
}

/** The secret, from a file (one trailing line break is dropped) or SOV_SIGNING_SECRET; never from an argument. */
const readSecret = (options: SignatureOptions): Buffer => {
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

const guarded = (options: GlobalOptions, work: (out: Output) => void): void => {
  const out = new Output(options)
  try {
    work(out)
  } catch (failure) {
    if (!(failure instanceof CliError)) throw failure
    out.error(failure)
    process.exitCode = failure.exitCode
  }
}

export const verify = (options: SignatureOptions & { readonly signature: string }, file: string): void =>
  guarded(options, (out) => {
    if (file === "-" && options.secretFile === "-") throw usageError("body and secret cannot both come from stdin")
    const valid = verifySignature(readBytes(file), options.signature, readSecret(options))
    out.result({ valid }, () => valid ? "The signature is valid." : "The signature is NOT valid.")
    process.exitCode = valid ? exitCodes.ok : exitCodes.checkFailed
  })

export const sign = (options: SignatureOptions, file: string): void =>
  guarded(options, (out) => {
    if (file === "-" && options.secretFile === "-") throw usageError("body and secret cannot both come from stdin")
    const signature = signBody(readBytes(file), readSecret(options))
    out.result({ signature }, () => signature)
  })
