/** The command tree: names, options and help. Actions load their command when they run. */
import { Command, CommanderError, Option } from "commander"
import { readFileSync } from "node:fs"
import { exitCodeMeanings, exitCodes } from "./exitCodes.ts"
import { matchOptions } from "./tree/matchOptions.ts"

const collect = (value: string, sofar: ReadonlyArray<string> = []): ReadonlyArray<string> => [...sofar, value]

const version = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string })
    .version

const examples = (...lines: ReadonlyArray<string>): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`

/** A command whose subcommands do the work: alone it prints its help on stdout and ends with 0. */
class Group extends Command {
  override createCommand(name?: string): Command {
    return new Group(name)
  }

  override help(): never {
    this.outputHelp()
    throw new CommanderError(exitCodes.ok, "commander.help", "(outputHelp)")
  }
}

/** Whether the command line can mean this command: only then are its subcommands made, so that help answers sooner. */
const named = (name: string): boolean => process.argv.includes(name) || process.argv.includes("help")

/** Adds a group of subcommands. */
const group = (program: Command, name: string, summary: string, fill: (group: Command) => void): void => {
  const added = program.command(name).description(summary)
  if (named(name)) fill(added)
}

const leaf = (parent: Command, usage: string, summary: string, ...lines: ReadonlyArray<string>): Command =>
  parent.command(usage).description(summary).addHelpText("after", examples(...lines))

const plans = ["free", "starter", "pro", "business", "enterprise"]
const planOption = () => new Option("--plan <plan>", "plan of the organization").choices(plans).default("pro")

// The demo has a home of its own: made-up answers never go where real ones belong by default.
const demoHome = ".sov-demo"

const start = (program: Command): void => {
  program.commandsGroup("Start here:")
  leaf(
    program,
    "demo",
    "See it work on simulated platforms",
    "sov demo",
    "sov demo --weeks 4 --json"
  )
    .option("--seed <n>", "seed of the simulation", "42")
    .option("--weeks <n>", "weeks of history", "12")
    .action(async (_, command: Command) => {
      const chosen = command.getOptionValueSourceWithGlobals("dataDir") !== "default"
      const { demo } = await import("./commands/demo.ts")
      return demo({ ...command.optsWithGlobals(), ...chosen ? {} : { dataDir: demoHome } })
    })
  leaf(
    program,
    "init",
    "Set up brand, competitors and keywords",
    "sov init",
    "sov init --from tracking.json --name \"Acme\" --plan pro --no-input",
    "sov init --brand Acme --competitor Globex --keyword \"best anvil?\""
  )
    .option("--from <file>", "JSON file with brand, competitors and keywords (- = stdin)")
    .option("--name <name>", "name of the organization (default: the brand's)")
    .addOption(planOption())
    .option("--brand <name>", "brand to track")
    .option("--alias <name>", "another name of the brand (repeatable)", collect)
    .option("--domain <host>", "a domain of the brand (repeatable)", collect)
    .option("--competitor <name>", "a competitor (repeatable)", collect)
    .option("--keyword <text>", "a question that buyers ask (repeatable)", collect)
    .action(async (_, command: Command) => (await import("./commands/init.ts")).init(command.optsWithGlobals()))
}

const askingOptions = (command: Command): Command =>
  command
    .option("--platform <id>", "only this platform (repeatable)", collect)
    .option("--keyword <id|text>", "only this keyword (repeatable)", collect)
    .option("--samples <n>", "ask each question n times, 1–5 (default: the configuration's, else 1)")
    .option("--dry-run", "say what would be asked; ask nothing")

const scan = (program: Command): void => {
  const root = askingOptions(
    program.command("scan").description("Ask the platforms; archive and measure")
  )
    .addHelpText(
      "after",
      examples("sov scan", "sov scan --dry-run", "sov scan --platform assistant_a --samples 3 --json")
    )
    .allowExcessArguments()
    .action(async (_, command: Command) => {
      const [unknown] = command.args
      if (unknown !== undefined) command.error(`error: unknown command '${unknown}'`, { exitCode: exitCodes.usage })
      return (await import("./commands/scan.ts")).run(command.optsWithGlobals())
    })
  if (!named("scan")) return
  askingOptions(root.command("run", { hidden: true }))
    .action(async (_, command: Command) => (await import("./commands/scan.ts")).run(command.optsWithGlobals()))
  leaf(root, "list", "List scans, newest first", "sov scan list --limit 5", "sov scan list --status running --json")
    .alias("ls")
    .option("--limit <n>", "1–50", "10")
    .addOption(new Option("--status <status>").choices(["running", "completed", "failed", "cancelled"]))
    .action(async (_, command: Command) => (await import("./commands/scan.ts")).list(command.optsWithGlobals()))
  leaf(root, "show <id>", "Show one scan: scores and failures (latest = the newest)", "sov scan show latest --failed")
    .option("--failed", "list the questions that got no answer")
    .action(async (id: string, _, command: Command) =>
      (await import("./commands/scan.ts")).show(command.optsWithGlobals(), id)
    )
  leaf(root, "resume <id>", "Go on with an unfinished scan; repeats no answer, uses no quota", "sov scan resume latest")
    .action(async (id: string, _, command: Command) =>
      (await import("./commands/scan.ts")).resume(command.optsWithGlobals(), id)
    )
  leaf(root, "cancel <id>", "End a running scan; what is archived stays", "sov scan cancel latest --yes")
    .action(async (id: string, _, command: Command) =>
      (await import("./commands/scan.ts")).cancel(command.optsWithGlobals(), id)
    )
}

const filters = (command: Command): Command =>
  command
    .option("--keyword <id|text>", "only answers to this keyword")
    .option("--platform <id>", "only answers of this platform")
    .option("--from <date>", "from this day or time on (2026-03-01, or RFC 3339)")
    .option("--to <date>", "up to this time, or to the end of this UTC day")

const archive = (program: Command): void => {
  group(program, "archive", "Read and export the raw answers", (root) => {
    filters(
      leaf(
        root,
        "list",
        "Page through the answers, newest first",
        "sov archive list --limit 5",
        "sov archive list --platform assistant_a --json"
      )
    )
      .alias("ls")
      .option("--limit <n>", "1–100", "50")
      .option("--cursor <cursor>", "next page: the next_cursor of the page before")
      .option("--all", "all pages")
      .action(async (_, command: Command) => (await import("./commands/archive.ts")).list(command.optsWithGlobals()))
    leaf(
      root,
      "show <id>",
      "Show one answer with the mentions marked",
      "sov archive show ID",
      "sov archive show ID --raw > answer.txt"
    )
      .option("--raw", "nothing but the answer, exactly as archived")
      .action(async (id: string, _, command: Command) =>
        (await import("./commands/archive.ts")).show(command.optsWithGlobals(), id)
      )
    filters(
      leaf(
        root,
        "export",
        "Write the archive to a file or stdout",
        "sov archive export --format ndjson --out archive.ndjson",
        "sov archive export --format csv --out - | head"
      )
    )
      .addOption(new Option("--format <format>", "ndjson is lossless").choices(["ndjson", "csv"]).default("ndjson"))
      .requiredOption("--out <file>", "file, or - for stdout")
      .action(async (_, command: Command) =>
        (await import("./commands/archive.ts")).exportAll(command.optsWithGlobals())
      )
    leaf(root, "stats", "Answers, bytes and dates per platform", "sov archive stats")
      .action(async (_, command: Command) => (await import("./commands/archive.ts")).stats(command.optsWithGlobals()))
  })
}

const measure = (program: Command): void => {
  program.commandsGroup("Measure:")
  scan(program)
  leaf(program, "score", "Show the current share of voice", "sov score", "sov score --json")
    .option("--scans <n>", "completed scans in the sparkline", "12")
    .action(async (_, command: Command) => (await import("./commands/score.ts")).show(command.optsWithGlobals()))
  matchOptions(
    leaf(
      program,
      "measure <file>",
      "Show what counts as a mention in a text, and why (- = stdin)",
      "sov measure answer.md --prompt \"best anvil?\"",
      "sov measure - --brand Acme --competitor Globex --json < answer.md"
    )
  )
    .action(async (path: string, _, command: Command) =>
      (await import("./commands/measure.ts")).file(command.optsWithGlobals(), path)
    )
  archive(program)
}

const terms = (command: Command): Command =>
  command
    .option("--alias <name>", "another name (repeatable)", collect)
    .option("--domain <host>", "a domain (repeatable)", collect)

const tracking = (program: Command): void => {
  program.commandsGroup("Set up:")
  group(program, "brand", "The brand that is tracked", (brand) => {
    terms(
      leaf(
        brand,
        "set",
        "Set the brand's names and domains",
        "sov brand set --name Acme --alias \"Acme Corp\" --domain acme.com"
      )
    )
      .requiredOption("--name <name>", "name of the brand")
      .option("--exclude <term>", "a longer term that is not the brand (repeatable)", collect)
      .action(async (_, command: Command) => (await import("./commands/brand.ts")).set(command.optsWithGlobals()))
    leaf(brand, "show", "Show the brand", "sov brand show --json")
      .action(async (_, command: Command) => (await import("./commands/brand.ts")).show(command.optsWithGlobals()))
  })

  group(program, "competitor", "The brands it is compared with", (rivals) => {
    terms(
      leaf(
        rivals,
        "add <name>",
        "Add a competitor, or change its names",
        "sov competitor add Globex --domain globex.com"
      )
    )
      .action(async (name: string, _, command: Command) =>
        (await import("./commands/brand.ts")).addRival(command.optsWithGlobals(), name)
      )
    leaf(rivals, "list", "List the competitors", "sov competitor list").alias("ls")
      .action(async (_, command: Command) =>
        (await import("./commands/brand.ts")).listRivals(command.optsWithGlobals())
      )
    leaf(rivals, "remove <id|name>", "Stop comparing with a competitor", "sov competitor remove Globex --yes").alias(
      "rm"
    )
      .action(async (id: string, _, command: Command) =>
        (await import("./commands/brand.ts")).removeRival(command.optsWithGlobals(), id)
      )
  })

  group(program, "keyword", "The questions that are asked", (keyword) => {
    leaf(keyword, "add <text...>", "Track one or more questions", "sov keyword add \"best anvil for beginners?\"")
      .action(async (texts: ReadonlyArray<string>, _, command: Command) =>
        (await import("./commands/keyword.ts")).add(command.optsWithGlobals(), texts)
      )
    leaf(keyword, "list", "List the tracked questions", "sov keyword list --all").alias("ls")
      .option("--all", "archived ones too")
      .action(async (_, command: Command) => (await import("./commands/keyword.ts")).list(command.optsWithGlobals()))
    matchOptions(
      leaf(
        keyword,
        "test <text>",
        "Show which names count in a text",
        "sov keyword test \"Acme or Globex?\" --brand Acme"
      )
    )
      .action(async (given: string, _, command: Command) =>
        (await import("./commands/measure.ts")).text(command.optsWithGlobals(), given)
      )
    const statuses = [["pause", "paused"], ["resume", "active"], ["remove", "archived"]] as const
    for (const [verb, status] of statuses) {
      const summary = { pause: "Stop asking for a while", resume: "Ask again", remove: "Stop asking; its answers stay" }
      leaf(keyword, `${verb} <id|text>`, summary[verb], `sov keyword ${verb} "best anvil for beginners?"`)
        .action(async (id: string, _, command: Command) =>
          (await import("./commands/keyword.ts")).setStatus(command.optsWithGlobals(), id, status)
        )
    }
  })

  group(program, "platform", "The answer platforms that are asked", (platform) => {
    leaf(platform, "list", "List the five platforms and their configuration", "sov platform list").alias("ls")
      .action(async (_, command: Command) => (await import("./commands/platform.ts")).list(command.optsWithGlobals()))
    leaf(platform, "test <id>", "Ask one platform one short question", "sov platform test assistant_a")
      .option("--prompt <text>", "what to ask", "In one sentence: what is share of voice?")
      .action(async (id: string, _, command: Command) =>
        (await import("./commands/platform.ts")).test(command.optsWithGlobals(), id)
      )
  })
}

const access = (program: Command): void => {
  program.commandsGroup("Access:")
  group(program, "org", "Organizations", (org) => {
    leaf(org, "create <name>", "Create an organization", "sov org create Acme --plan pro")
      .addOption(planOption())
      .action(async (name: string, _, command: Command) =>
        (await import("./commands/org.ts")).create(command.optsWithGlobals(), name)
      )
    leaf(org, "list", "List the organizations", "sov org list --json").alias("ls")
      .action(async (_, command: Command) => (await import("./commands/org.ts")).list(command.optsWithGlobals()))
  })

  group(program, "plan", "The organization's plan", (plan) => {
    leaf(plan, "show", "Show the plan", "sov plan show")
      .action(async (_, command: Command) => (await import("./commands/org.ts")).showPlan(command.optsWithGlobals()))
    leaf(plan, "set <plan>", `Change the plan: ${plans.join(", ")}`, "sov plan set business")
      .action(async (name: string, _, command: Command) =>
        (await import("./commands/org.ts")).setPlan(command.optsWithGlobals(), name)
      )
  })

  group(program, "quota", "Manual scans of the month", (quota) => {
    leaf(quota, "show", "Show limit, used and remaining", "sov quota show --json")
      .action(async (_, command: Command) => (await import("./commands/quota.ts")).show(command.optsWithGlobals()))
    leaf(quota, "set", "Set the organization's own limit", "sov quota set --limit 200", "sov quota set --plan-limit")
      .option("--limit <n>", "manual scans a month")
      .option("--plan-limit", "use the plan's limit again")
      .action(async (_, command: Command) => (await import("./commands/quota.ts")).set(command.optsWithGlobals()))
  })

  group(program, "key", "API keys", (key) => {
    leaf(key, "create", "Create a key; it is shown once", "sov key create --name ci")
      .requiredOption("--name <name>", "what the key is for")
      .action(async (_, command: Command) => (await import("./commands/key.ts")).create(command.optsWithGlobals()))
    leaf(key, "list", "List the keys, never their secrets", "sov key list").alias("ls")
      .action(async (_, command: Command) => (await import("./commands/key.ts")).list(command.optsWithGlobals()))
    leaf(key, "revoke <id>", "Revoke a key for ever", "sov key revoke ID --yes")
      .action(async (id: string, _, command: Command) =>
        (await import("./commands/key.ts")).revoke(command.optsWithGlobals(), id)
      )
  })

  const secret = (command: Command): Command =>
    command.option("--secret-file <file>", "file with the webhook secret (else SOV_SIGNING_SECRET)")
  secret(
    leaf(
      program,
      "verify <file>",
      "Verify a webhook signature (- = stdin)",
      "sov verify body.json --signature HEX --secret-file secret.txt"
    )
  )
    .requiredOption("--signature <hex>", "value of X-Service-Signature")
    .action(async (file: string, _, command: Command) =>
      (await import("./commands/verify.ts")).verify(command.optsWithGlobals(), file)
    )
  secret(
    leaf(
      program,
      "sign <file>",
      "Print the signature of a file (- = stdin)",
      "sov sign body.json --secret-file secret.txt"
    )
  )
    .action(async (file: string, _, command: Command) =>
      (await import("./commands/verify.ts")).sign(command.optsWithGlobals(), file)
    )
}

const operate = (program: Command): void => {
  program.commandsGroup("Operate:")
  group(program, "db", "The database", (db) => {
    leaf(db, "status", "Show which database is used and its migrations", "sov db status --json")
      .action(async (_, command: Command) => (await import("./commands/db.ts")).status(command.optsWithGlobals()))
    leaf(db, "migrate", "Bring the database up to date", "sov db migrate --dry-run", "sov db migrate")
      .option("--dry-run", "list what would run")
      .action(async (_, command: Command) => (await import("./commands/db.ts")).migrate(command.optsWithGlobals()))
  })

  program.command("help [command...]").description("Help; also exit-codes, or --json")
    .action((names: ReadonlyArray<string>, _, command: Command) => {
      if (command.optsWithGlobals()["json"] === true) {
        return void process.stdout.write(`${JSON.stringify(describe(program))}\n`)
      }
      if (names[0] === "exit-codes") {
        return void process.stdout.write(
          exitCodeMeanings.map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}\n`).join("")
        )
      }
      const found = names.reduce<Command | undefined>(
        (at, name) => at?.commands.find((one) => one.name() === name || one.aliases().includes(name)),
        program
      )
      if (found === undefined) {
        program.error(`error: there is no command ${names.join(" ")}`, { exitCode: exitCodes.usage })
      }
      found?.outputHelp()
    })
}

interface Described {
  readonly name: string
  readonly usage: string
  readonly description: string
  readonly options: ReadonlyArray<{ readonly flags: string; readonly description: string; readonly default?: unknown }>
  readonly commands: ReadonlyArray<Described>
}

/** The tree as plain data: what `sov help --json` prints. */
const describe = (command: Command): Described => ({
  name: command.name(),
  usage: command.usage(),
  description: command.description(),
  options: command.options.filter((option) => !option.hidden).map((option) => ({
    flags: option.flags,
    description: option.description,
    ...(option.defaultValue === undefined ? {} : { default: option.defaultValue as unknown })
  })),
  commands: command.createHelp().visibleCommands(command).map(describe)
})

/** The whole program, ready to parse. */
export const makeProgram = (): Command => {
  const program = new Group("sov")
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
    .addOption(new Option("--color <when>").choices(["auto", "always", "never"]).default("auto").hideHelp())
    .addOption(new Option("--no-color", "no colours").hideHelp())
    .addOption(new Option("--no-input", "never ask; fail instead").hideHelp())
    .addOption(new Option("-y, --yes", "answer questions with yes").hideHelp())
    .addOption(new Option("--org <name>", "organization, where there are several").env("SOV_ORG"))
    .addOption(new Option("--data-dir <dir>", "home of the embedded database").env("SOV_DATA_DIR").default(".sov"))
    .addOption(new Option("--database-url-file <file>", "file with the URL of a Postgres server").hideHelp())
    .addOption(new Option("-c, --config <file>", "platform bindings").env("SOV_CONFIG").default("sov.config.json"))
  start(program)
  measure(program)
  tracking(program)
  access(program)
  operate(program)
  return program
}
