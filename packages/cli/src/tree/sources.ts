/** Commands that read the pages that answers cite. */
import { type Command, Option } from "commander"
import { leaf, overwriting, platforms, type SovCommand, unknown } from "./SovCommand.ts"

const scope = (command: SovCommand, scans: string): SovCommand =>
  command
    .option("--scans <n>", `newest comparable scans, 1–10 (default: ${scans})`)
    .addOption(new Option("--platform <id>", "only answers of this platform").choices(platforms))
    .option("--keyword <id|text>", "only answers to this keyword")

const withRare = (command: SovCommand): SovCommand =>
  command.option("--all", "include domains seen too rarely to count")

const commands = () => import("../commands/sources/sources.ts")

export const sources = (root: SovCommand): void => {
  withRare(scope(root.withExamples("sov sources", "sov sources pages --all", "sov sources gaps --json"), "1"))
    .allowExcessArguments()
    .action(async (_, command: Command) => {
      const [name, ...more] = command.args
      if (name !== undefined) unknown(command, name, ...more)
      return (await commands()).domains(command.optsWithGlobals())
    })
  withRare(scope(leaf(root, "domains", "Cited domains, with their share (the default)", "sov sources domains"), "1"))
    .action(async (_, command: Command) => (await commands()).domains(command.optsWithGlobals()))
  withRare(scope(leaf(root, "pages", "Cited pages", "sov sources pages --scans 4"), "1"))
    .action(async (_, command: Command) => (await commands()).pages(command.optsWithGlobals()))
  scope(
    leaf(
      root,
      "gaps",
      "Domains that are cited where a rival is named and you are not, beyond chance",
      "sov sources gaps",
      "sov sources gaps --all --json"
    ),
    "4"
  )
    .option("--all", "every domain that was tested")
    .action(async (_, command: Command) => (await commands()).gaps(command.optsWithGlobals()))
  scope(
    leaf(
      root,
      "queries",
      "What the platforms searched for",
      "sov sources queries --keyword \"best running shoes\""
    ),
    "1"
  )
    .option("--all", "all of them")
    .action(async (_, command: Command) => (await commands()).queries(command.optsWithGlobals()))
  leaf(
    root,
    "export",
    "Export sources as CSV",
    "sov sources export --out sources.csv",
    "sov sources export --scans 1 --out - | head"
  )
    .requiredOption("--out <file>", "file, or - for stdout")
    .option("--scans <n>", "only the newest ended scans")
    .option(...overwriting)
    .action(async (_, command: Command) =>
      (await import("../commands/sources/export.ts")).exportAll(command.optsWithGlobals())
    )
}
