/** The command tree: names, options and help. Actions load their command when they run. */
import { Option } from "commander"
import { SovCommand } from "./tree/SovCommand.ts"
import { version } from "./version.ts"

/** Options whose origin commands show. */
const traced = ["dataDir", "databaseUrlFile", "config", "org", "url"]

/** A heading of the help: its commands with their summaries, and the module that has a function for each. */
interface Section {
  readonly heading: string
  readonly commands: { readonly [name: string]: string }
  readonly load: () => Promise<{ readonly [name: string]: (command: SovCommand) => void }>
}

const section = <Name extends string>(
  heading: string,
  commands: { readonly [N in Name]: string },
  load: () => Promise<{ readonly [N in Name]: (command: SovCommand) => void }>
): Section => ({ heading, commands, load })

/** The table of contents. What stands here is all that `sov --help` needs. */
const sections: ReadonlyArray<Section> = [
  section("Start here:", {
    demo: "See it work on simulated platforms",
    init: "Set up brand, competitors and keywords"
  }, () => import("./tree/start.ts")),
  section("Measure:", {
    scan: "Ask the platforms; archive and measure",
    score: "Show the current share of voice",
    measure: "Show what counts as a mention in a text, and why (- = stdin)",
    rescore: "Measure the archive again after names, competitors or rules changed",
    archive: "Read, export and verify the raw answers",
    traffic: "Visits that AI assistants send, from web server logs"
  }, () => import("./tree/scans.ts")),
  section("Measure:", { sources: "The pages that the answers rest on" }, () => import("./tree/sources.ts")),
  section(
    "Measure:",
    { schedule: "Scan by the clock: hourly, daily, weekly, or any cron expression" },
    () => import("./tree/schedule.ts")
  ),
  section("Set up:", {
    brand: "The brand that is tracked",
    competitor: "The brands it is compared with",
    keyword: "The questions that are asked",
    platform: "The answer platforms that are asked"
  }, () => import("./tree/tracking.ts")),
  section(
    "Set up:",
    { card: "The business card: facts about you, and their trust score" },
    () => import("./tree/card.ts")
  ),
  section("Be told:", {
    alert: "Alert rules, who gets the e-mails, what was raised"
  }, () => import("./tree/alerts.ts")),
  section("Access:", {
    org: "Organizations",
    plan: "The organization's plan",
    quota: "Manual scans of the month",
    key: "API keys",
    verify: "Verify a webhook signature (- = stdin)",
    sign: "Print the signature of a file (- = stdin)"
  }, () => import("./tree/access.ts")),
  section("Be told:", {
    webhook: "Addresses that are told of events"
  }, () => import("./tree/webhook.ts")),
  section("Serve:", {
    serve: "Answer the REST API and MCP clients, and ask the platforms for its scans",
    worker: "Ask the platforms for every running scan, beside other workers",
    mcp: "Answer one MCP client on standard input and output"
  }, () => import("./tree/serve.ts")),
  section("Operate:", {
    status: "Show what is there and what runs",
    doctor: "Check everything; say how to mend what is wrong",
    config: "Settings and where they come from",
    db: "The database",
    completion: "Print a completion script for your shell"
  }, () => import("./tree/operate.ts")),
  section("Operate:", { help: "Help; also exit-codes, environment, --all" }, () => import("./tree/help.ts"))
]

/**
 * The program, ready to parse `args`. Commands that `args` cannot mean have only their summary, and their module is not
 * loaded, so that help answers at once however many there are; without `args` the whole tree is made.
 */
export const makeProgram = async (args?: ReadonlyArray<string>): Promise<SovCommand> => {
  const wanted = (name: string) => args === undefined || [name, "help", "completion"].some((one) => args.includes(one))
  const program = new SovCommand("sov")
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
    .addOption(new Option("--no-input", "never ask; fail instead"))
    .addOption(new Option("-y, --yes", "answer questions with yes"))
    .addOption(new Option("--org <name>", "organization, where there are several").env("SOV_ORG"))
    .addOption(new Option("--data-dir <dir>", "home of the embedded database").env("SOV_DATA_DIR").default(".sov"))
    .addOption(new Option("--database-url-file <file>", "file with the URL of a Postgres server").hideHelp())
    .addOption(new Option("--url <url>", "sov server to ask instead (key: SOV_API_KEY)").env("SOV_URL"))
    .addOption(new Option("-c, --config <file>", "platform bindings").env("SOV_CONFIG").default("sov.config.json"))
    .hook("preAction", (_, action) => {
      const sources = traced.map((name) => [name, action.getOptionValueSourceWithGlobals(name)])
      program.setOptionValue("sources", Object.fromEntries(sources))
    })
  for (const { commands, heading, load } of sections) {
    program.commandsGroup(heading)
    for (const [name, summary] of Object.entries(commands)) {
      const command = program.command(name).description(summary)
      if (wanted(name)) (await load())[name]!(command)
    }
  }
  return program
}
