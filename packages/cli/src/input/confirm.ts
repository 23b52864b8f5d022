import { Effect } from "effect"
import { createInterface } from "node:readline/promises"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { Output } from "../output/Output.ts"

/** Prompts before something is removed. Passes with --yes; without a terminal it fails and names --yes. */
export const confirm = (out: Output, question: string): Effect.Effect<void, CliError> => {
  if (out.options.yes === true) return Effect.void
  if (out.options.input === false || !process.stdin.isTTY || !process.stderr.isTTY) {
    return Effect.fail(usageError(question, "there is no terminal to prompt on; --yes confirms"))
  }
  return Effect.promise(async (signal) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await reader.question(`${question} [y/N] `, { signal })
    } finally {
      reader.close()
    }
  }).pipe(Effect.flatMap((answer) =>
    /^y(es)?$/i.test(answer.trim())
      ? Effect.void
      : Effect.fail(new CliError("declined", exitCodes.unexpected, "nothing was changed"))
  ))
}
