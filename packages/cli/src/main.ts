/** Entry point of the sov command. */
import { runCommandLine } from "./commandLine.ts"

await runCommandLine()
