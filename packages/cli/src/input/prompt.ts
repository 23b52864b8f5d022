import { createInterface } from "node:readline/promises"
import { CliError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

/** Whether a person can answer prompts. */
export const canPrompt = (options: { readonly input?: boolean }): boolean =>
  options.input !== false && process.stdin.isTTY && process.stderr.isTTY

/**
 * Asks questions on the terminal, one after the other; `dialogue` receives the function that asks one question. Ctrl-C
 * or Ctrl-D fails with the exit code of an interruption and prints no error.
 */
export const prompt = async <A>(
  dialogue: (question: (text: string) => Promise<string>) => Promise<A>,
  signal?: AbortSignal
): Promise<A> => {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const stopped = new Promise<never>((_, reject) => {
    reader.once("close", () => {
      process.stderr.write("\n")
      reject(new CliError("interrupted", exitCodes.interrupted, "nothing was changed"))
    })
  })
  stopped.catch(() => {})
  const options = signal === undefined ? {} : { signal }
  try {
    return await dialogue((text) => {
      const answer = reader.question(text, options)
      answer.catch(() => {})
      return Promise.race([answer, stopped])
    })
  } finally {
    reader.removeAllListeners("close")
    reader.close()
  }
}
