import { Effect } from "effect"
import { CliError, usageError } from "../CliError.ts"
import { describeError } from "../describeError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { Output } from "../output/Output.ts"
import { canPrompt, prompt } from "./prompt.ts"

/**
 * Asks for confirmation before something is removed; with `name`, people confirm by typing it. Succeeds with --yes;
 * without a terminal it fails and names --yes.
 */
export const confirm = (out: Output, question: string, name?: string): Effect.Effect<void, CliError> => {
  if (out.options.yes === true) return Effect.void
  if (!canPrompt(out.options)) {
    return Effect.fail(usageError(question, "there is no terminal to prompt on; --yes confirms"))
  }
  return Effect.tryPromise({
    try: (signal) =>
      prompt((ask) => ask(`${question} ${name === undefined ? "[y/N]" : `Type ${name} to confirm:`} `), signal),
    catch: describeError
  }).pipe(Effect.flatMap((answer) =>
    (name === undefined ? /^y(es)?$/i.test(answer.trim()) : answer.trim() === name)
      ? Effect.void
      : Effect.fail(new CliError("declined", exitCodes.unexpected, "nothing was changed"))
  ))
}
