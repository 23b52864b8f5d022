/** The command that compares surfaces. */
import type { Command } from "commander"
import { addLeafCommand, type SovCommand } from "./SovCommand.ts"

export const compare = (root: SovCommand): void => {
  addLeafCommand(
    root,
    "surfaces",
    "Show how far answers captured in apps agree with the newest scan of APIs",
    "sov archive import --surface app captured.csv && sov compare surfaces",
    "sov compare surfaces --json"
  )
    .action(async (_, command: Command) =>
      (await import("../commands/compare/surfaces.ts")).surfaces(command.optsWithGlobals())
    )
}
