/** Commands for the recommended actions. */
import type { Command } from "commander"
import { runs, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/sources/actions.ts")
const id = "71a3fdc2f7b1"

export const actions = (root: SovCommand): void => {
  root.command("list").description("List up to ten actions, each with its evidence and expected effect")
    .withExamples("sov actions list", "sov actions list --json").alias("ls")
    .action(runs(async () => (await loadCommands()).list))
  root.command("done <id>").description("Mark an action as done; it returns if later answers show it again")
    .withExamples(`sov actions done ${id}`).action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "done")
    )
  root.command("dismiss <id>").description("Dismiss an action that is not for you; it does not return")
    .withExamples(`sov actions dismiss ${id}`).action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "dismissed")
    )
  root.command("later <id>").description("Postpone an action; it returns after some days")
    .withExamples(`sov actions later ${id} --days 14`).option("--days <n>", "days until it returns, 1-365", "30")
    .action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "later")
    )
  root.command("undo <id>").description("Remove the mark from an action, so that it is listed again")
    .withExamples(`sov actions undo ${id}`).action(runs(async () => (await loadCommands()).undo))
}
