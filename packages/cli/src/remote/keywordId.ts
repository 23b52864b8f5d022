import { Effect } from "effect"
import { type CliError, usageError } from "../CliError.ts"

/** Checks that a keyword is given by id, because REST has no list in which its text could be looked up. */
export const keywordId = (given: string): Effect.Effect<string, CliError> =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(given) ? Effect.succeed(given) : Effect.fail(usageError(
    `over REST --keyword takes an id, not ${JSON.stringify(given)}`,
    "`sov keyword list` where the server's database is shows the ids"
  ))
