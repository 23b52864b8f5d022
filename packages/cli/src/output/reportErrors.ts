import { describeError } from "../describeError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import type { Output } from "./Output.ts"

/** Runs a command. If it fails, prints its error (with --verbose also the stack) and sets the exit code. */
export const reportErrors = async (
  options: GlobalOptions,
  out: Output,
  work: (out: Output) => void | Promise<void>
): Promise<void> => {
  try {
    await work(out)
  } catch (failure) {
    const error = describeError(failure)
    // After Ctrl-C, the person knows why the command ends
    if (error.exitCode !== exitCodes.interrupted) out.error(error)
    if (options.verbose === true && failure instanceof Error) process.stderr.write(`${failure.stack}\n`)
    process.exitCode = error.exitCode
  }
}
