import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

/** Why a given file cannot be read; `hint` is the next step. A file that is not there is not found (3). */
export const makeUnreadableError = (file: string, error: unknown, hint?: string): CliError => {
  const { code = "error" } = error as NodeJS.ErrnoException
  return code === "ENOENT"
    ? new CliError("not-found", exitCodes.notFound, `there is no file ${file}`, hint)
    : usageError(`cannot read ${file}: ${code === "EISDIR" ? "it is a folder" : code}`, hint)
}
