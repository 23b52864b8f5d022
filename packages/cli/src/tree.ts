/** The command tree: names, options and help. Actions load their command when they run. */
import { Option } from "commander"
import { access } from "./tree/access.ts"
import { help } from "./tree/help.ts"
import { measure } from "./tree/measure.ts"
import { operate } from "./tree/operate.ts"
import { SovCommand } from "./tree/SovCommand.ts"
import { start } from "./tree/start.ts"
import { tracking } from "./tree/tracking.ts"
import { version } from "./version.ts"

/** Options whose origin commands show. */
const traced = ["dataDir", "databaseUrlFile", "config", "org"]

/**
 * The program, ready to parse `args`. Groups that `args` cannot mean stay empty, which makes start-up shorter; without
 * `args` the whole tree is made.
 */
export const makeProgram = (args?: ReadonlyArray<string>): SovCommand => {
  const wanted = (name: string) => args === undefined || [name, "help", "completion"].some((one) => args.includes(one))
  const program = new SovCommand("sov", wanted)
    .description("Share of voice in AI answers: ask, archive, measure.")
    .version(version(), "-V, --version")
    .exitOverride()
    .showHelpAfterError("(add --help for usage)")
    .configureHelp({ showGlobalOptions: false, subcommandTerm: (command) => command.name() })
    .helpCommand(false)
    .addOption(new Option("-o, --output <format>", "form of the result").choices(["table", "json", "ndjson", "csv"]))
    .option("--json", "same as --output json")
    .option("-q, --quiet", "the result only")
    .option("-v, --verbose", "logs on stderr")
    .addOption(
      new Option("--color <when>", "colours on stdout").choices(["auto", "always", "never"]).default("auto").hideHelp()
    )
    .addOption(new Option("--no-color", "no colours").hideHelp())
    .addOption(new Option("--no-input", "never ask; fail instead").hideHelp())
    .addOption(new Option("-y, --yes", "answer questions with yes").hideHelp())
    .addOption(new Option("--org <name>", "organization, where there are several").env("SOV_ORG"))
    .addOption(new Option("--data-dir <dir>", "home of the embedded database").env("SOV_DATA_DIR").default(".sov"))
    .addOption(new Option("--database-url-file <file>", "file with the URL of a Postgres server").hideHelp())
    .addOption(new Option("-c, --config <file>", "platform bindings").env("SOV_CONFIG").default("sov.config.json"))
    .hook("preAction", (_, action) => {
      const sources = traced.map((name) => [name, action.getOptionValueSourceWithGlobals(name)])
      program.setOptionValue("sources", Object.fromEntries(sources))
    })
  start(program)
  measure(program)
  tracking(program)
  access(program)
  operate(program)
  help(program)
  return program
}
