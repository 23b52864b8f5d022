/** Commands about the pages that answers cite. */
import { Option } from "commander"
import { overwriteOption, platforms, runs, runsWithoutSubcommand, type SovCommand } from "./SovCommand.ts"

const addScopeOptions = (command: SovCommand, scans: string): SovCommand =>
  command
    .option("--scans <n>", `newest comparable scans, 1–10 (default: ${scans})`)
    .addOption(new Option("--platform <id>", "only answers of this platform").choices(platforms))
    .option("--keyword <id|text>", "only answers to this keyword")
    .option("--tag <tag>", "only answers to keywords that have this tag now")

const addAllOption = (command: SovCommand): SovCommand =>
  command.option("--all", "include domains seen too rarely to count")

const loadSourceCommands = () => import("../commands/sources/sources.ts")

export const sources = (root: SovCommand): void => {
  addAllOption(
    addScopeOptions(root.withExamples("sov sources", "sov sources pages --all", "sov sources gaps --json"), "1")
  )
    .allowExcessArguments()
    .action(runsWithoutSubcommand(async () => (await loadSourceCommands()).domains))
  addAllOption(
    addScopeOptions(
      root.command("domains").description("List cited domains with their share (the default)")
        .withExamples("sov sources domains"),
      "1"
    )
  )
    .action(runs(async () => (await loadSourceCommands()).domains))
  addAllOption(
    addScopeOptions(
      root.command("pages").description("List cited pages").withExamples("sov sources pages --scans 4"),
      "1"
    )
  )
    .action(runs(async () => (await loadSourceCommands()).pages))
  addScopeOptions(
    root.command("gaps")
      .description(
        "List domains that are cited, more often than by chance, where a competitor is named and you are not"
      )
      .withExamples("sov sources gaps", "sov sources gaps --all --json"),
    "4"
  )
    .option("--all", "include every tested domain")
    .action(runs(async () => (await loadSourceCommands()).gaps))
  addScopeOptions(
    root.command("funnel")
      .description("How far your own pages get: retrieved, cited, named, named first, by platform and tag")
      .withExamples("sov sources funnel", "sov sources funnel --tag pricing --json"),
    "4"
  ).action(runs(async () => (await import("../commands/sources/funnel.ts")).funnel))
  addScopeOptions(
    root.command("queries").description("List the searches that the platforms made")
      .withExamples("sov sources queries --keyword \"best running shoes\""),
    "1"
  )
    .option("--all", "include every search")
    .action(runs(async () => (await loadSourceCommands()).queries))
  root.command("export").description("Export sources as CSV")
    .withExamples("sov sources export --out sources.csv", "sov sources export --scans 1 --out - | head")
    .requiredOption("--out <file>", "file to write, or - for stdout")
    .option("--scans <n>", "only the newest ended scans")
    .option(...overwriteOption)
    .action(runs(async () => (await import("../commands/sources/export.ts")).exportAll))
}
