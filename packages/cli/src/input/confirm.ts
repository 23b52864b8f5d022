import { Effect } from "effect"
import { createInterface } from "node:readline/promises"
import { CliError, usageError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { Output } from "../output/Output.ts"

/** Asks before something is taken away. Passes with --yes; where nobody can answer it fails and names --yes. */
export const confirm = (out: Output, question: string): Effect.Effect<void, CliError> => {
  if (out.options.yes === true) return Effect.void
  if (out.options.input === false || !process.stdin.isTTY || !process.stderr.isTTY) {
    return Effect.fail(usageError(question, "nobody can be asked here; --yes confirms"))
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
