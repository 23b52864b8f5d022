import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { type CliError, usageError } from "../CliError.ts"
import { makeUnreadableError } from "./unreadable.ts"

/** Reads a text file (`-` is stdin) of at most `maxMillion` million characters. */
export const readText = (file: string, maxMillion: number): Effect.Effect<string, CliError> =>
  Effect.try({
    try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
    catch: (error) => makeUnreadableError(file, error, "- reads from stdin")
  }).pipe(Effect.filterOrFail(
    (text) => text.length <= maxMillion * 1_000_000,
    () => usageError(`${file} is longer than ${maxMillion} million characters`)
  ))
