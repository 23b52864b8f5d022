import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

/** The error for a file that cannot be read; `hint` is the next step. A missing file has exit code 3 (not found). */
export const makeUnreadableError = (file: string, error: unknown, hint?: string): CliError => {
  const { code = "error" } = error as NodeJS.ErrnoException
  return code === "ENOENT"
    ? new CliError("not-found", exitCodes.notFound, `there is no file ${file}`, hint)
    : usageError(`cannot read ${file}: ${code === "EISDIR" ? "it is a folder" : code}`, hint)
}
