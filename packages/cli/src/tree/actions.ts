/** Commands for the recommended actions. */
import type { Command } from "commander"
import { addLeafCommand, runs, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/sources/actions.ts")
const id = "71a3fdc2f7b1"

export const actions = (root: SovCommand): void => {
  addLeafCommand(
    root,
    "list",
    "List up to ten actions, each with its evidence and expected effect",
    "sov actions list",
    "sov actions list --json"
  ).alias("ls")
    .action(runs(async () => (await loadCommands()).list))
  addLeafCommand(
    root,
    "done <id>",
    "Mark an action as done; it returns if later answers show it again",
    `sov actions done ${id}`
  ).action(async (given: string, _, command: Command) =>
    (await loadCommands()).mark(command.optsWithGlobals(), given, "done")
  )
  addLeafCommand(
    root,
    "dismiss <id>",
    "Dismiss an action that is not for you; it does not return",
    `sov actions dismiss ${id}`
  ).action(async (given: string, _, command: Command) =>
    (await loadCommands()).mark(command.optsWithGlobals(), given, "dismissed")
  )
  addLeafCommand(
    root,
    "later <id>",
    "Postpone an action; it returns after some days",
    `sov actions later ${id} --days 14`
  ).option("--days <n>", "days until it returns, 1-365", "30")
    .action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "later")
    )
  addLeafCommand(
    root,
    "undo <id>",
    "Remove the mark from an action, so that it is listed again",
    `sov actions undo ${id}`
  ).action(runs(async () => (await loadCommands()).undo))
}
