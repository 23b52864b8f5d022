/** Commands that begin: demo, init. */
import type { Command } from "commander"
import { collect, planOption, type SovCommand } from "./SovCommand.ts"

// The demo has a home of its own: made-up answers never go where real ones belong by default.
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
  command.withExamples(
    "sov init",
    "sov init --from tracking.json --name \"Acme\" --plan pro --no-input",
    "sov init --brand Globex --competitor Acme --keyword \"best anvil?\""
  )
    .option("--from <file>", "JSON file with brand, competitors and keywords (- = stdin)")
    .option("--name <name>", "name of the organization (default: the brand's)")
    .addOption(planOption())
    .option("--brand <name>", "brand to track")
    .option("--alias <name>", "another name of the brand (repeatable)", collect)
    .option("--domain <host>", "a domain of the brand (repeatable)", collect)
    .option("--competitor <name>", "a competitor (repeatable)", collect)
    .option("--keyword <text>", "a question that buyers ask (repeatable)", collect)
    .option("-y, --yes", "add an organization beside those that are there")
    .action(async (_, command: Command) => (await import("../commands/init/init.ts")).init(command.optsWithGlobals()))
}
