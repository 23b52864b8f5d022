/** Commands for the recommended actions. */
import type { Command } from "commander"
import { runs, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/sources/actions.ts")
const id = "71a3fdc2f7b1"

export const actions = (root: SovCommand): void => {
  root.command("list").description("List up to ten actions, each with its evidence and expected effect")
    .withExamples("sov actions list", "sov actions list --json").alias("ls")
    .action(runs(async () => (await loadCommands()).list))
  root.command("done <id>").description("Mark an action as done; it is listed again if later answers still call for it")
    .withExamples(`sov actions done ${id}`).action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "done")
    )
  root.command("dismiss <id>").description("Dismiss an action, so that it is not listed again")
    .withExamples(`sov actions dismiss ${id}`).action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "dismissed")
    )
  root.command("later <id>").description("Postpone an action; it is listed again after some days")
    .withExamples(`sov actions later ${id} --days 14`).option(
      "--days <n>",
      "days until the action is listed again, 1-365",
      "30"
    )
    .action(async (given: string, _, command: Command) =>
      (await loadCommands()).mark(command.optsWithGlobals(), given, "later")
    )
  root.command("undo <id>").description("Bring back an action that was done, postponed or dismissed")
    .withExamples(`sov actions undo ${id}`).action(runs(async () => (await loadCommands()).undo))
}
