/** Commands for annotations, which note events of a day. */
import type { Command } from "commander"
import { failUnknownCommand, runs, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/annotate/annotate.ts")

export const annotate = (root: SovCommand): void => {
  root.withExamples("sov annotate 2026-11-20 \"New pricing page\"")
    .argument("[day]", "day in UTC, such as 2026-11-20")
    .argument("[text]", "what happened, in quotation marks")
    .action(async (day: string | undefined, text: string | undefined, _, command: Command) => {
      if (day === undefined) return root.help()
      if (text === undefined && !/^\d/.test(day)) failUnknownCommand(command, day)
      if (text === undefined) return command.error("error: missing required argument 'text'")
      return (await loadCommands()).add(command.optsWithGlobals(), day, text)
    })
  root.command("list").description("List the annotations by day").withExamples("sov annotate list --json").alias("ls")
    .action(runs(async () => (await loadCommands()).list))
  root.command("remove <id>").description("Remove an annotation")
    .withExamples("sov annotate remove 01a1fdc2-f7b1-73c0-9311-cd01e31ffc66")
    .action(runs(async () => (await loadCommands()).remove))
}
