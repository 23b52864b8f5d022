/** sov verify, sov sign: verifies and signs the raw bytes of webhooks. Loads nothing but Node. */
import { signBody, verifySignature } from "@sov/core/webhook"
import { usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { readBytes, readSecret, type SecretOptions } from "../../input/signingSecret.ts"
import { Output } from "../../output/Output.ts"
import { reportErrors } from "../../output/reportErrors.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface SignatureOptions extends GlobalOptions, SecretOptions {}

export const verify = (options: SignatureOptions & { readonly signature: string }, file: string): Promise<void> =>
  reportErrors(options, new Output(options), (out) => {
    if (file === "-" && options.secretFile === "-") throw usageError("body and secret cannot both come from stdin")
    const valid = verifySignature(readBytes(file), options.signature, readSecret(options))
    out.result({ valid }, () => valid ? "The signature is valid." : "The signature is NOT valid.")
    process.exitCode = valid ? exitCodes.ok : exitCodes.checkFailed
  })

export const sign = (options: SignatureOptions, file: string): Promise<void> =>
  reportErrors(options, new Output(options), (out) => {
    if (file === "-" && options.secretFile === "-") throw usageError("body and secret cannot both come from stdin")
    const signature = signBody(readBytes(file), readSecret(options))
    out.result({ signature }, () => signature)
  })
