/** Building blocks of the command tree: groups that print their help, and leaf commands with their examples. */
import type { ProviderName } from "@sov/core/platforms"
import { Command, CommanderError, type ErrorOptions, Option } from "commander"
import { exitCodes } from "../exitCodes.ts"

/** A command whose subcommands do the work: alone it prints its help on stdout and ends with 0. */
export class SovCommand extends Command {
  /** Example command lines; each begins with `sov`. */
  readonly examples: Array<string> = []

  override createCommand(name?: string): SovCommand {
    return new SovCommand(name)
  }

  override help(): never {
    this.outputHelp()
    throw new CommanderError(exitCodes.ok, "commander.help", "(outputHelp)")
  }

  /** Says of an unknown option that has an argument's name that it is given as the argument. */
  override error(message: string, options?: ErrorOptions): never {
    const [unknown, name] = /^error: unknown option '--([\w-]+)(?:=.*)?'/.exec(message) ?? []
    const isArgument = this.registeredArguments.some((argument) => argument.name() === name)
    return super.error(isArgument ? `${unknown}: it is an argument, as in: ${this.examples[0]}` : message, options)
  }

  /** Adds examples to the help and to `examples`. */
  withExamples(...lines: ReadonlyArray<string>): this {
    this.examples.push(...lines)
    return this.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`)
  }

  /** The command that `names` lead to from here. Fails for an unknown name and suggests another. */
  find(names: ReadonlyArray<string>): Command {
    return names.reduce<Command>((at, name) => {
      const found = at.commands.find((one) => one.name() === name || one.aliases().includes(name))
      return found ?? failUnknownCommand(at, name)
    }, this)
  }
}

/** The subcommands that help shows, without the `help` that the parser adds to each group. */
export const subcommands = (command: Command): ReadonlyArray<Command> =>
  command.createHelp().visibleCommands(command).filter((one) => command.commands.includes(one))

/**
 * Fails with the parser's own error for an unknown command, which suggests a similar name. `help` prints the help of
 * the command that `more` names: the parser adds a help command only to groups.
 */
export const failUnknownCommand = (parent: Command, name: string, ...more: ReadonlyArray<string>): never => {
  if (name === "help" && parent instanceof SovCommand) (parent.find(more) as SovCommand).help()
  const probe = new Command(parent.name()).copyInheritedSettings(parent)
  for (const one of subcommands(parent)) probe.command(one.name()).aliases(one.aliases())
  probe.parse(["--", name], { from: "user" })
  throw new Error(`${name} is a command`)
}

/** Adds a command that runs something, with at least one example. */
export const addLeafCommand = (
  parent: SovCommand,
  usage: string,
  summary: string,
  ...examples: readonly [string, ...ReadonlyArray<string>]
): SovCommand => parent.command(usage).description(summary).withExamples(...examples)

/** Lists the global option `--yes` in the help of a command that prompts without it. */
export const addYesOption = (command: SovCommand): SovCommand => command.option("-y, --yes", "do not prompt")

/** `--yes` of a command that refuses to overwrite a file without it. */
export const overwriteOption = ["-y, --yes", "overwrite the file"] as const

/** Collects the values of a repeatable option. */
export const collect = (value: string, values: ReadonlyArray<string> = []): ReadonlyArray<string> => [...values, value]

/** What an organization tracks: a file, or option by option. */
export const addTrackingOptions = (command: SovCommand): SovCommand =>
  command
    .option("--from <file>", "JSON file with brand, competitors and keywords (- = stdin)")
    .option("--brand <name>", "brand to track")
    .option("--alias <name>", "another name of the brand (repeatable)", collect)
    .option("--domain <host>", "domain of the brand (repeatable)", collect)
    .option("--competitor <name>", "competitor (repeatable)", collect)
    .option("--keyword <text>", "question that buyers ask (repeatable)", collect)

// Copies of core's lists, which would load Effect; test/cli/tree.unit.test.ts shows that they are equal.
/** Names of the plans, from least to most. */
export const plans = ["free", "starter", "pro", "business", "enterprise"]
/** Scopes of an API key. */
export const keyScopes = ["read", "scan"]
/** Roles of a member, from most to least. */
export const roles = ["owner", "member", "viewer"]
/** Names of the platforms. */
export const platforms = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]

/** Formats of a web server's log, and its fields. */
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

/** Providers that `sov platform add` knows by name. */
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
