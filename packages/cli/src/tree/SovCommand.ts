/** Building blocks of the command tree: groups, which print their help, and leaf commands with their examples. */
import type { ProviderName } from "@sov/core/platforms"
import { Command, CommanderError, type ErrorOptions, InvalidArgumentError, Option } from "commander"
import { exitCodes } from "../exitCodes.ts"

/** A command of the tree. A group that is called without a subcommand prints its help on stdout and exits with 0. */
export class SovCommand extends Command {
  /** Example command lines, which begin with `sov`. */
  readonly examples: Array<string> = []

  override createCommand(name?: string): SovCommand {
    return new SovCommand(name)
  }

  override help(): never {
    this.outputHelp()
    throw new CommanderError(exitCodes.ok, "commander.help", "(outputHelp)")
  }

  /**
   * Adds an explanation to the parser's error if an unknown option has the name of an argument, or if a wrong argument
   * is the value of an option.
   */
  override error(message: string, options?: ErrorOptions): never {
    const [unknown, name] = /^error: unknown option '--([\w-]+)(?:=.*)?'/.exec(message) ?? []
    if (this.registeredArguments.some((argument) => argument.name() === name)) {
      return super.error(`${unknown}: it is an argument, as in: ${this.examples[0]}`, options)
    }
    const [, value = ""] = /^error: command-argument value '(\w+)' is invalid/.exec(message) ?? []
    const option = this.options.find(({ argChoices }) => argChoices?.includes(value))?.long
    const example = this.examples.find((line) => line.includes(`${option} `))
    return super.error(
      example === undefined ? message : `error: '${value}' is a value of ${option}, as in: ${example}`,
      options
    )
  }

  /** Adds examples to the help and to `examples`. */
  withExamples(...lines: ReadonlyArray<string>): this {
    this.examples.push(...lines)
    return this.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`)
  }

  /** Finds the command at the path `names` below this one. Fails for an unknown name and suggests a similar one. */
  find(names: ReadonlyArray<string>): Command {
    return names.reduce<Command>((at, name) => {
      const found = at.commands.find((one) => one.name() === name || one.aliases().includes(name))
      return found ?? failUnknownCommand(at, name)
    }, this)
  }
}

/** The subcommands that help shows, except the `help` command that the parser adds to each group. */
export const subcommands = (command: Command): ReadonlyArray<Command> =>
  command.createHelp().visibleCommands(command).filter((one) => command.commands.includes(one))

/**
 * Fails with the parser's own error for an unknown command, which suggests a similar name. If `name` is `help`, prints
 * the help of the command that `more` names, because the parser adds a help command only to groups.
 */
export const failUnknownCommand = (parent: Command, name: string, ...more: ReadonlyArray<string>): never => {
  if (name === "help" && parent instanceof SovCommand) (parent.find(more) as SovCommand).help()
  const probe = new Command(parent.name()).copyInheritedSettings(parent)
  for (const one of subcommands(parent)) probe.command(one.name()).aliases(one.aliases())
  probe.parse(["--", name], { from: "user" })
  throw new Error(`${name} is a command`)
}

/** Creates the action of a command: loads its function, and calls it with all options, then the arguments. */
export const runs =
  (load: (command: Command) => Promise<(options: never, ...args: ReadonlyArray<never>) => unknown>) =>
  async (...given: ReadonlyArray<unknown>): Promise<void> => {
    const command = given.at(-1) as Command
    await (await load(command))(command.optsWithGlobals<never>(), ...given.slice(0, -2) as Array<never>)
  }

/** Like `runs`, for a command that also has subcommands: an argument names an unknown subcommand. */
export const runsWithoutSubcommand =
  (load: Parameters<typeof runs>[0]) => async (options: unknown, command: Command): Promise<void> => {
    const [name, ...more] = command.args
    if (name !== undefined) failUnknownCommand(command, name, ...more)
    await runs(load)(options, command)
  }

/** The global option `--yes` in the help of a command that asks for confirmation. */
export const yesOption = ["-y, --yes", "do not prompt"] as const

/** The option `--yes` for a command that otherwise refuses to overwrite a file. */
export const overwriteOption = ["-y, --yes", "overwrite the file"] as const

/**
 * The option `--view` of a command that reads one view. It may be given only once, because the parser takes the last of
 * several values and the user would expect their sum.
 */
export const oneViewOption = (description: string) =>
  [
    "--view <name>",
    description,
    (name: string, before: string | undefined): string => {
      if (before === undefined) return name
      throw new InvalidArgumentError(
        "Views are never added up: name one view. One number by your own weights: sov view list --weight NAME=NUMBER"
      )
    }
  ] as const

/** Collects the values of a repeatable option. */
export const collect = (value: string, values: ReadonlyArray<string> = []): ReadonlyArray<string> => [...values, value]

/** Adds the options that describe a tracked set: a file, or one option for each part. */
export const addTrackingOptions = (command: SovCommand): SovCommand =>
  command
    .option("--from <file>", "JSON file with brand, competitors and keywords (- = stdin)")
    .option("--brand <name>", "brand to track")
    .option("--alias <name>", "another name of the brand (repeatable)", collect)
    .option("--domain <host>", "domain of the brand (repeatable)", collect)
    .option("--competitor <name>", "competitor (repeatable)", collect)
    .option("--keyword <text>", "question that buyers ask (repeatable)", collect)

// Copies of lists in core, which would load Effect; test/cli/tree.unit.test.ts checks that the copies are equal.
/** Names of the plans, smallest first. */
export const plans = ["free", "starter", "pro", "business", "enterprise"]
/** Scopes of an API key. */
export const keyScopes = ["read", "scan"]
/** Roles of a member, most powerful first. */
export const roles = ["owner", "member", "viewer"]
/** Names of the platforms. */
export const platforms = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]

/** Formats of web server logs, and the names of their fields. */
export const logFormats = ["combined", "json", "csv"]
export const logFields = ["time", "url", "request", "query", "method", "status", "referrer", "user_agent", "host"]

/** Names of the adapters that ask a real platform. */
export const adapters = [
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "perplexity",
  "mistral",
  "dataforseo",
  "openai-compatible"
]

/** Names of the providers that `sov platform add` accepts. */
export const providers: ReadonlyArray<ProviderName> = [
  "openai",
  "anthropic",
  "gemini",
  "perplexity",
  "mistral",
  "xai",
  "deepseek",
  "openrouter",
  "azure",
  "dataforseo"
]

export const planOption = () => new Option("--plan <plan>", "plan of the organization").choices(plans).default("pro")
