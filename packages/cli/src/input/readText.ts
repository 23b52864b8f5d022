import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { type CliError, usageError } from "../CliError.ts"
import { unreadable } from "./unreadable.ts"

/** The text of a file, `-` = stdin, of at most `longest` million characters. */
export const readText = (file: string, longest: number): Effect.Effect<string, CliError> =>
  Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: (error) => unreadable(file, error, "- reads from stdin")
  }).pipe(Effect.filterOrFail(
    (text) => text.length <= longest * 1_000_000,
    () => usageError(`${file} is longer than ${longest} million characters`)
  ))
