/** The command that compares surfaces. */
import { runs, type SovCommand } from "./SovCommand.ts"

export const compare = (root: SovCommand): void => {
  root.command("surfaces").description("Compare answers captured in apps with the newest scan of the APIs")
    .withExamples(
      "sov archive import --surface app captured.csv && sov compare surfaces",
      "sov compare surfaces --json"
    )
    .action(runs(async () => (await import("../commands/compare/surfaces.ts")).surfaces))
}
