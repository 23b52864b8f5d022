/** The sov command. */
import { runCommandLine } from "./commandLine.ts"

await runCommandLine()
