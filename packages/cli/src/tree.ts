/** The command tree: names, options and help. Each action imports its command when it runs. */
import { type Command, Option } from "commander"
import { findDirectoryConfig } from "./settings/directoryConfig.ts"
import { checkSecretFiles } from "./settings/secretFiles.ts"
import { SovCommand } from "./tree/SovCommand.ts"
import { version } from "./version.ts"

/** Options for which commands can show where the value comes from. */
const tracedOptions = ["dataDir", "databaseUrlFile", "config", "org", "url"]

/** Commands about sov itself, which work even if a file with a secret cannot be read. */
const withoutSecrets = ["help", "completion"]

/** A section of the help: its commands with their summaries, and the module with a function for each. */
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

/** The table of contents, which is all that `sov --help` needs. */
const sections: ReadonlyArray<Section> = [
  section("Get started:", {
    demo: "Try sov on simulated platforms",
    init: "Set up brand, competitors and keywords"
  }, () => import("./tree/start.ts")),
  section("Measure:", {
    scan: "Ask the platforms, archive the answers and measure them",
    score: "Show the current share of voice",
    measure: "Explain which names in a text count as mentions (- = stdin)",
    rescore: "Measure the archive again after changed names or rules",
    archive: "Read, export and verify archived answers",
    traffic: "Visits from AI assistants, counted in web server logs"
  }, () => import("./tree/scans.ts")),
  section("Measure:", { sources: "Sources: pages that answers cite" }, () => import("./tree/sources.ts")),
  section("Measure:", { actions: "What to do next, with the answers behind it" }, () => import("./tree/actions.ts")),
  section(
    "Measure:",
    { annotate: "Record an event on a day, to be shown in charts" },
    () => import("./tree/annotate.ts")
  ),
  section(
    "Measure:",
    { experiment: "Experiments: did a change raise your share? Sealed before it begins" },
    () => import("./tree/experiment.ts")
  ),
  section(
    "Measure:",
    { compare: "Compare answers captured in apps with those of APIs" },
    () => import("./tree/compare.ts")
  ),
  section("Measure:", { report: "Report: one file for others, with its own proof" }, () => import("./tree/report.ts")),
  section(
    "Measure:",
    { schedule: "Schedules: scan hourly, daily, weekly or by cron" },
    () => import("./tree/schedule.ts")
  ),
  section("Set up:", {
    brand: "Tracked brand",
    competitor: "Competitors",
    keyword: "Keywords: the questions to ask",
    topic: "Topics: which questions ask the same",
    view: "Views: markets and personas to ask from",
    platform: "Answer platforms"
  }, () => import("./tree/tracking.ts")),
  section(
    "Set up:",
    { card: "Business card: facts about you, with a trust score" },
    () => import("./tree/card.ts")
  ),
  section("Alerts and webhooks:", {
    alert: "Alert rules, e-mail recipients and raised alerts"
  }, () => import("./tree/alerts.ts")),
  section("Alerts and webhooks:", {
    digest: "Weekly digest by e-mail"
  }, () => import("./tree/digest.ts")),
  section("Access:", {
    org: "Organizations",
    plan: "Plan of the organization",
    quota: "Monthly quota of manual scans",
    key: "API keys",
    verify: "Verify a webhook signature (- = stdin)",
    sign: "Print the signature of a file (- = stdin)"
  }, () => import("./tree/access.ts")),
  section("Access:", { audit: "Audit log: who changed what, and when" }, () => import("./tree/audit.ts")),
  section("Access:", {
    member: "Members: who may sign in to the dashboard",
    share: "Links that show a report without a sign-in"
  }, () => import("./tree/people.ts")),
  section("Alerts and webhooks:", {
    webhook: "Webhook endpoints and deliveries"
  }, () => import("./tree/webhook.ts")),
  section("Serve:", {
    serve: "Serve the REST API and MCP over HTTP, with a worker",
    worker: "Run a worker: ask questions, send webhooks and e-mails",
    mcp: "Serve one MCP client on stdin and stdout"
  }, () => import("./tree/serve.ts")),
  section("Serve:", { dashboard: "Open the dashboard in a browser" }, () => import("./tree/dashboard.ts")),
  section("Operate:", {
    status: "Show database, organizations, running scans and workers",
    doctor: "Check the installation and show how to fix each problem",
    config: "Settings and their sources",
    db: "Database: migrations, backup and restore",
    completion: "Print a completion script for your shell"
  }, () => import("./tree/operate.ts")),
  section("Operate:", { help: "Help; also exit-codes, environment, --all" }, () => import("./tree/help.ts"))
]

/** Fails for an option that only the group of the command has: the parser accepts it, and the command ignores it. */
const refuseOptionsOfGroups = (action: Command): void => {
  const own = action.options.map((option) => option.attributeName())
  for (let group = action.parent; group?.parent != null; group = group.parent) {
    const ignored = group.options.find((option) =>
      !own.includes(option.attributeName()) && group!.getOptionValueSource(option.attributeName()) === "cli"
    )
    if (ignored !== undefined) action.error(`error: unknown option '${ignored.long}'`)
  }
}

/**
 * Creates the program, ready to parse `args`. A command that `args` do not name gets only its summary and its module is
 * not loaded, so that help stays fast with many commands. Without `args`, the complete tree is built.
 */
export const makeProgram = async (args?: ReadonlyArray<string>): Promise<SovCommand> => {
  const isWanted = (name: string) =>
    args === undefined || [name, "help", "completion"].some((one) => args.includes(one))
  const program = new SovCommand("sov")
    .description("Share of voice in AI answers: ask, archive, measure.")
    .version(version(), "-V, --version")
    .exitOverride()
    .showHelpAfterError("(add --help for usage)")
    .configureHelp({ showGlobalOptions: false, subcommandTerm: (command) => command.name() })
    .helpCommand(false)
    .addOption(new Option("-o, --output <format>", "format of the result").choices(["table", "json", "ndjson", "csv"]))
    .option("--json", "same as --output json")
    .option("-q, --quiet", "print the result only")
    .option("-v, --verbose", "print logs on stderr")
    .addOption(
      new Option("--color <when>", "when to use colours on stdout").choices(["auto", "always", "never"]).default("auto")
        .hideHelp()
    )
    .addOption(new Option("--no-color", "no colours").hideHelp())
    .addOption(new Option("--no-input", "never prompt; fail instead"))
    .addOption(new Option("-y, --yes", "answer yes to every prompt"))
    .addOption(new Option("--org <name>", "organization to use, when there are several").env("SOV_ORG"))
    .addOption(
      new Option("--data-dir <dir>", "data directory of the embedded database").env("SOV_DATA_DIR").default(".sov")
    )
    .addOption(new Option("--database-url-file <file>", "file with the URL of a Postgres server").hideHelp())
    .addOption(new Option("--url <url>", "sov server to use instead of a database (key: SOV_API_KEY)").env("SOV_URL"))
    .addOption(
      new Option("-c, --config <file>", "configuration file of the platforms").env("SOV_CONFIG").default(
        "sov.config.json"
      )
    )
    .hook("preAction", (_, action) => {
      refuseOptionsOfGroups(action)
      if (!withoutSecrets.includes(action.name())) checkSecretFiles()
      const sources = tracedOptions.map((name) => [name, action.getOptionValueSourceWithGlobals(name)])
      program.setOptionValue("sources", Object.fromEntries(sources))
      const config = findDirectoryConfig(action.optsWithGlobals(), process.env)
      if (config !== null) program.setOptionValueWithSource("config", config, "default")
    })
  for (const { commands, heading, load } of sections) {
    program.commandsGroup(heading)
    for (const [name, summary] of Object.entries(commands)) {
      const command = program.command(name).description(summary)
      if (isWanted(name)) (await load())[name]!(command)
    }
  }
  return program
}
