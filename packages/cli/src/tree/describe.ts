/** The tree as plain data: what `sov help --json` prints, and what help, manual and man page are made from. */
import type { Argument, Command, Option } from "commander"
import { SovCommand, subcommands } from "./SovCommand.ts"

/** What can be given to a command: `flags` of an option, or `<name>` of an argument. */
export interface DescribedInput {
  readonly flags: string
  readonly description: string
  readonly choices?: ReadonlyArray<string>
  readonly default?: string
  readonly env?: string
  /** An option that must be given. */
  readonly required?: true
}

export interface Described {
  readonly name: string
  /** With the commands above it: `sov scan list`. */
  readonly path: string
  readonly aliases: ReadonlyArray<string>
  readonly usage: string
  readonly description: string
  readonly arguments: ReadonlyArray<DescribedInput>
  readonly options: ReadonlyArray<DescribedInput>
  readonly examples: ReadonlyArray<string>
  readonly commands: ReadonlyArray<Described>
}

const describeArgument = (one: Argument): DescribedInput => ({
  flags: `${one.required ? "<" : "["}${one.name()}${one.variadic ? "..." : ""}${one.required ? ">" : "]"}`,
  description: one.description,
  ...(one.argChoices === undefined ? {} : { choices: one.argChoices })
})

const describeOption = (one: Option): DescribedInput => ({
  flags: one.flags,
  description: one.description,
  ...(one.argChoices === undefined ? {} : { choices: one.argChoices }),
  // Commander gives --no-x a default of true
  ...(one.defaultValue === undefined || one.negate ? {} : { default: one.defaultValue as string }),
  ...(one.envVar === undefined ? {} : { env: one.envVar }),
  ...(one.mandatory ? { required: true } : {})
})

/** The visible commands below and including `command`. Global options that the short help leaves out are here. */
export const describeCommand = (command: Command, above = ""): Described => {
  const path = `${above}${command.name()}`
  return {
    name: command.name(),
    path,
    aliases: command.aliases(),
    usage: command.usage(),
    description: command.description(),
    arguments: command.registeredArguments.map(describeArgument),
    options: command.options.map(describeOption),
    examples: command instanceof SovCommand ? command.examples : [],
    commands: subcommands(command).map((one) => describeCommand(one, `${path} `))
  }
}

/** This command and all below it, in the order of help. */
export const flattenCommands = (
  command: Described
): ReadonlyArray<Described> => [command, ...command.commands.flatMap(flattenCommands)]

/** What an option or argument is, with its choices, default and variable, in one line. */
export const inputText = (one: DescribedInput): string => {
  const facts = [
    ...(one.required === true ? ["required"] : []),
    ...(one.choices === undefined ? [] : [`choices: ${one.choices.join(", ")}`]),
    ...(one.default === undefined ? [] : [`default: ${one.default}`]),
    ...(one.env === undefined ? [] : [`env: ${one.env}`])
  ]
  return [one.description, ...(facts.length === 0 ? [] : [`(${facts.join("; ")})`])].filter(Boolean).join(" ")
}
