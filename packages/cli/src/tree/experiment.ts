/** Commands for experiments. */
import { collect, runs, type SovCommand, yesOption } from "./SovCommand.ts"

const loadCommands = () => import("../commands/experiment/experiment.ts")

export const experiment = (root: SovCommand): void => {
  root.command("start").description("Choose the topics to change at random, and seal the plan before the change")
    .withExamples(
      "sov experiment start --name \"Guides\" --change \"a guide for each treated topic\" --from 2026-12-01 --until 2026-12-31"
    )
    .requiredOption("--name <name>", "name of the experiment")
    .requiredOption("--change <text>", "what you will change for the treated questions, in one sentence")
    .requiredOption("--from <day>", "day of the change in UTC; earlier scans are the comparison")
    .requiredOption("--until <day>", "last day; the result is shown from the day after it on")
    .option("--keyword <id|text>", "only this keyword (repeatable; default: all active ones)", collect)
    .option("--tag <tag>", "only keywords with this tag (repeatable)", collect)
    .option("--scans <n>", "number of scans after the change that count, 1-20", "4")
    .option("--tsa <url>", "time-stamp authority (RFC 3161) that stamps the sealed plan")
    .action(runs(async () => (await loadCommands()).start))
  root.command("list").description("List the experiments, newest first")
    .withExamples("sov experiment list --json").alias("ls")
    .action(runs(async () => (await loadCommands()).list))
  root.command("show <experiment>")
    .description("Show the plan and progress of an experiment and, once it has ended, its result")
    .withExamples("sov experiment show \"Guides\"")
    .action(runs(async () => (await loadCommands()).show))
  root.command("end <experiment>")
    .description("End an experiment early; the reason is sealed, and there is no result")
    .withExamples("sov experiment end \"Guides\" --reason \"the page was withdrawn\" --yes")
    .option(...yesOption)
    .requiredOption("--reason <text>", "reason why the experiment ends early")
    .action(runs(async () => (await loadCommands()).end))
}
