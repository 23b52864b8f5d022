/** The sov command. Nothing here loads Effect: commands are imported when they are chosen. */
import { CommanderError } from "commander"
import { exitCodes } from "./exitCodes.ts"
import { surviveClosedPipe } from "./output/closedPipe.ts"
import { loadEnvFile } from "./settings/envFile.ts"
import { makeProgram } from "./tree.ts"

loadEnvFile()

surviveClosedPipe()

try {
  await (await makeProgram(process.argv.slice(2))).parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Commander has printed the message already; help and version end with 0.
  process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
}
