import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

/** The text of a file, `-` = stdin, of at most `longest` million characters. */
export const readText = (file: string, longest: number): Effect.Effect<string, CliError> =>
  Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: (error) => {
      const code = (error as NodeJS.ErrnoException).code
      return code === "ENOENT"
        ? new CliError("not-found", exitCodes.notFound, `there is no file ${file}`, "- reads from stdin")
        : usageError(`cannot read ${file}: ${code}`)
    }
  }).pipe(Effect.filterOrFail(
    (text) => text.length <= longest * 1_000_000,
    () => usageError(`${file} is longer than ${longest} million characters`)
  ))
