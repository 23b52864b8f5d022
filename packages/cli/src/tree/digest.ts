/** Commands for the weekly digest. */
import { addLeafCommand, runs, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/digest/digest.ts")

export const digest = (digest: SovCommand): void => {
  addLeafCommand(
    digest,
    "show",
    "Show whether digests are on, when the next is due, and its recipients",
    "sov digest show"
  )
    .action(runs(async () => (await loadCommands()).show))
  addLeafCommand(
    digest,
    "on",
    "Mail a digest to the alert recipients on Mondays at 08:00, in the organization's time zone",
    "sov digest on"
  )
    .action(runs(async () => (await loadCommands()).on))
  addLeafCommand(digest, "off", "Stop mailing digests", "sov digest off")
    .action(runs(async () => (await loadCommands()).off))
  addLeafCommand(
    digest,
    "preview",
    "Print the digest of the last seven days; sends nothing",
    "sov digest preview",
    "sov digest preview --json"
  )
    .action(runs(async () => (await loadCommands()).preview))
}
