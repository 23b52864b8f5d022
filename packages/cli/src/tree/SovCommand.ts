/** What the tree is made of: groups that print their help, leaves that carry their examples as data. */
import { Command, CommanderError, Option } from "commander"
import { exitCodes } from "../exitCodes.ts"

/** A command whose subcommands do the work: alone it prints its help on stdout and ends with 0. */
export class SovCommand extends Command {
  /** Command lines that show it at work; each begins with `sov`. */
  readonly examples: Array<string> = []

  override createCommand(name?: string): SovCommand {
    return new SovCommand(name)
  }

  override help(): never {
    this.outputHelp()
    throw new CommanderError(exitCodes.ok, "commander.help", "(outputHelp)")
  }

  /** Adds examples to the help and to `examples`. */
  withExamples(...lines: ReadonlyArray<string>): this {
    this.examples.push(...lines)
    return this.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`)
  }

  /** The command that `names` lead to from here. Ends with an error that suggests a name when there is none. */
  find(names: ReadonlyArray<string>): Command {
    return names.reduce<Command>((at, name) => {
      const found = at.commands.find((one) => one.name() === name || one.aliases().includes(name))
      return found ?? unknown(at, name)
    }, this)
  }
}

/** The subcommands that help shows, without the `help` that the parser adds to each group. */
export const subcommands = (command: Command): ReadonlyArray<Command> =>
  command.createHelp().visibleCommands(command).filter((one) => command.commands.includes(one))

/**
 * Ends with the error of an unknown command; the parser itself words it and finds what was probably meant. `help` prints
 * that of the command that `more` leads to: the parser adds it only where a command does nothing itself.
 */
export const unknown = (parent: Command, name: string, ...more: ReadonlyArray<string>): never => {
  if (name === "help" && parent instanceof SovCommand) (parent.find(more) as SovCommand).help()
  const probe = new Command(parent.name()).copyInheritedSettings(parent)
  for (const one of subcommands(parent)) probe.command(one.name()).aliases(one.aliases())
  probe.parse(["--", name], { from: "user" })
  throw new Error(`${name} is a command`)
}

/** Adds a command that does something, with its examples: at least one. */
export const leaf = (
  parent: SovCommand,
  usage: string,
  summary: string,
  ...examples: readonly [string, ...ReadonlyArray<string>]
): SovCommand => parent.command(usage).description(summary).withExamples(...examples)

/** Lists `--yes`, a global option, at a command that asks without it. */
export const confirming = (command: SovCommand): SovCommand => command.option("-y, --yes", "do not ask")

/** `--yes` of a command that refuses a file that is there without it. */
export const overwriting = ["-y, --yes", "overwrite the file"] as const

/** Gathers the values of a repeatable option. */
export const collect = (value: string, sofar: ReadonlyArray<string> = []): ReadonlyArray<string> => [...sofar, value]

// The core's own lists would load Effect.
/** Names of the plans, from least to most. */
export const plans = ["free", "starter", "pro", "business", "enterprise"]
/** Names of the platforms. */
export const platforms = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]

/** Forms of a web server's log, and what its fields can say. */
export const logFormats = ["combined", "json", "csv"]
export const logFields = ["time", "url", "request", "query", "method", "status", "referrer", "user_agent", "host"]

/** Names of the adapters that ask a real platform. */
export const adapters = ["openai-responses", "anthropic-messages", "gemini", "perplexity", "openai-compatible"]

export const planOption = () => new Option("--plan <plan>", "plan of the organization").choices(plans).default("pro")
