/** The command tree as plain data: the output of `sov help --json`, and the source of help, manual and man page. */
import type { Argument, Command, Option } from "commander"
import { SovCommand, subcommands } from "./SovCommand.ts"

/** An input of a command: an option with its `flags`, or an argument such as `<name>`. */
export interface DescribedInput {
  readonly flags: string
  readonly description: string
  readonly choices?: ReadonlyArray<string>
  readonly default?: string
  readonly env?: string
  /** Present if the option is required. */
  readonly required?: true
}

export interface Described {
  readonly name: string
  /** Full name including the commands above it: `sov scan list`. */
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
  // Commander sets the default of a --no-x option to true
  ...(one.defaultValue === undefined || one.negate ? {} : { default: one.defaultValue as string }),
  ...(one.envVar === undefined ? {} : { env: one.envVar }),
  ...(one.mandatory ? { required: true } : {})
})

/** The visible commands from `command` downwards. Includes the global options that the short help leaves out. */
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

/** This command and all commands below it, in the order of help. */
export const flattenCommands = (
  command: Described
): ReadonlyArray<Described> => [command, ...command.commands.flatMap(flattenCommands)]

/** The description of an option or argument on one line, with its choices, default and variable. */
export const inputText = (one: DescribedInput): string => {
  const facts = [
    ...(one.required === true ? ["required"] : []),
    ...(one.choices === undefined ? [] : [`choices: ${one.choices.join(", ")}`]),
    ...(one.default === undefined ? [] : [`default: ${one.default}`]),
    ...(one.env === undefined ? [] : [`env: ${one.env}`])
  ]
  return [one.description, ...(facts.length === 0 ? [] : [`(${facts.join("; ")})`])].filter(Boolean).join(" ")
}
