/** The command that compares surfaces. */
import { addLeafCommand, runs, type SovCommand } from "./SovCommand.ts"

export const compare = (root: SovCommand): void => {
  addLeafCommand(
    root,
    "surfaces",
    "Compare answers captured in apps with the newest scan of the APIs",
    "sov archive import --surface app captured.csv && sov compare surfaces",
    "sov compare surfaces --json"
  )
    .action(runs(async () => (await import("../commands/compare/surfaces.ts")).surfaces))
}
