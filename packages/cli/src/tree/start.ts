/** Commands to get started: demo, init. */
import type { Command } from "commander"
import { addTrackingOptions, planOption, runs, type SovCommand } from "./SovCommand.ts"

// The demo has its own data directory, so that simulated and real answers are not mixed by default.
const demoHome = ".sov-demo"

export const demo = (command: SovCommand): void => {
  command.withExamples("sov demo", "sov demo --weeks 4 --json")
    .option("--seed <n>", "seed of the simulation", "42")
    .option("--weeks <n>", "weeks of history", "12")
    .action(async (_, command: Command) => {
      const chosen = command.getOptionValueSourceWithGlobals("dataDir") !== "default"
      return (await import("../commands/demo/demo.ts")).demo({
        ...command.optsWithGlobals(),
        ...chosen ? {} : { dataDir: demoHome }
      })
    })
}

export const init = (command: SovCommand): void => {
  addTrackingOptions(command.withExamples(
    "sov init",
    "sov init --from tracking.json --name \"Acme\" --plan pro --no-input",
    "sov init --brand Globex --competitor Acme --keyword \"best anvil?\""
  ))
    .option("--name <name>", "name of the organization (default: the brand's)")
    .addOption(planOption())
    .option("-y, --yes", "add another organization without a prompt")
    .action(runs(async () => (await import("../commands/init/init.ts")).init))
}
