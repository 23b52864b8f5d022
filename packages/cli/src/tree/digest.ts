/** Commands for the weekly digest. */
import type { Command } from "commander"
import { addLeafCommand, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/digest/digest.ts")

export const digest = (digest: SovCommand): void => {
  addLeafCommand(
    digest,
    "show",
    "Show whether digests are on, when the next is due, and its recipients",
    "sov digest show"
  )
    .action(async (_, command: Command) => (await loadCommands()).show(command.optsWithGlobals()))
  addLeafCommand(
    digest,
    "on",
    "Mail a digest to the alert recipients on Mondays at 08:00, in the organization's time zone",
    "sov digest on"
  )
    .action(async (_, command: Command) => (await loadCommands()).on(command.optsWithGlobals()))
  addLeafCommand(digest, "off", "Stop mailing digests", "sov digest off")
    .action(async (_, command: Command) => (await loadCommands()).off(command.optsWithGlobals()))
  addLeafCommand(
    digest,
    "preview",
    "Print the digest of the last seven days; sends nothing",
    "sov digest preview",
    "sov digest preview --json"
  )
    .action(async (_, command: Command) => (await loadCommands()).preview(command.optsWithGlobals()))
}
