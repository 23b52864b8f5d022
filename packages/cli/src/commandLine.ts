/**
 * Runs one command, from its arguments to its exit code. This file does not load Effect: a command is imported only
 * when it is chosen.
 */
import { CommanderError } from "commander"
import { CliError } from "./CliError.ts"
import { exitCodes } from "./exitCodes.ts"
import { surviveClosedPipe } from "./output/closedPipe.ts"
import { dropEmptyVariables, loadEnvFile } from "./settings/envFile.ts"
import { loadSecretFiles } from "./settings/secretFiles.ts"
import { makeProgram } from "./tree.ts"

/** Runs the command that the process was started with. */
export const runCommandLine = async (): Promise<void> => {
  loadSecretFiles()
  loadEnvFile()
  dropEmptyVariables(process.env)
  loadSecretFiles() // those that .env names

  surviveClosedPipe()

  const program = await makeProgram(process.argv.slice(2))
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CliError) {
      const { Output } = await import("./output/Output.ts")
      new Output(program.opts()).error(error)
      process.exitCode = error.exitCode
    } else if (error instanceof CommanderError) {
      // Commander has already printed the message; help and version exit with 0.
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    } else throw error
  }
}
