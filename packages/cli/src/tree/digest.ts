/** Commands for the weekly digest. */
import { runs, type SovCommand } from "./SovCommand.ts"

const loadCommands = () => import("../commands/digest/digest.ts")

export const digest = (digest: SovCommand): void => {
  digest.command("show").description("Show whether digests are on, when the next is due, and its recipients")
    .withExamples("sov digest show")
    .action(runs(async () => (await loadCommands()).show))
  digest.command("on")
    .description("Mail a digest to the alert recipients on Mondays at 08:00, in the organization's time zone")
    .withExamples("sov digest on")
    .action(runs(async () => (await loadCommands()).on))
  digest.command("off").description("Stop mailing digests").withExamples("sov digest off")
    .action(runs(async () => (await loadCommands()).off))
  digest.command("preview").description("Print the digest of the last seven days; sends nothing")
    .withExamples("sov digest preview", "sov digest preview --json")
    .action(runs(async () => (await loadCommands()).preview))
}
