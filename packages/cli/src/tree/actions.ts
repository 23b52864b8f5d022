/** Commands that say what to do next. */
import type { Command } from "commander"
import { addLeafCommand, type SovCommand } from "./SovCommand.ts"

export const actions = (root: SovCommand): void => {
  addLeafCommand(
    root,
    "list",
    "List at most ten actions, each with its evidence and its effect to expect",
    "sov actions list",
    "sov actions list --json"
  ).alias("ls")
    .action(async (_, command: Command) =>
      (await import("../commands/sources/actions.ts")).list(command.optsWithGlobals())
    )
}
