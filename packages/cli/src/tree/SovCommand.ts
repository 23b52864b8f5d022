/** What the tree is made of: groups that print their help, leaves that carry their examples as data. */
import { Command, CommanderError, Option } from "commander"
import { exitCodes } from "../exitCodes.ts"

/** A command whose subcommands do the work: alone it prints its help on stdout and ends with 0. */
export class SovCommand extends Command {
  /** Command lines that show it at work; each begins with `sov`. */
  readonly examples: Array<string> = []
  readonly #wanted: (name: string) => boolean

  /** `wanted` tells which groups this run can mean; only those are filled, so that help answers sooner. */
  constructor(name: string | undefined, wanted: (name: string) => boolean) {
    super(name)
    this.#wanted = wanted
  }

  override createCommand(name?: string): SovCommand {
    return new SovCommand(name, this.#wanted)
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

  /** Runs `fill` when this run can mean the command. */
  fillWhenWanted(fill: () => void): void {
    if (this.#wanted(this.name())) fill()
  }
}

/** Adds a group of subcommands. */
export const group = (
  program: SovCommand,
  name: string,
  summary: string,
  fill: (group: SovCommand) => void
): void => {
  const added = program.command(name).description(summary)
  added.fillWhenWanted(() => fill(added))
}

/** Adds a command that does something, with its examples: at least one. */
export const leaf = (
  parent: SovCommand,
  usage: string,
  summary: string,
  ...examples: readonly [string, ...ReadonlyArray<string>]
): SovCommand => parent.command(usage).description(summary).withExamples(...examples)

/** Gathers the values of a repeatable option. */
export const collect = (value: string, sofar: ReadonlyArray<string> = []): ReadonlyArray<string> => [...sofar, value]

/** Names of the plans; the core's own list would load Effect. */
export const plans = ["free", "starter", "pro", "business", "enterprise"]

export const planOption = () => new Option("--plan <plan>", "plan of the organization").choices(plans).default("pro")
