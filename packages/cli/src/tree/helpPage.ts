/** Prints the entire tree as one page of text. */
import type { Command } from "commander"
import { describeCommand, type Described, type DescribedInput, flattenCommands, inputText } from "./describe.ts"

const flagColumn = 30

const inputLine = (one: DescribedInput): string => {
  const flags = `    ${one.flags}`
  const text = inputText(one)
  return text === "" ? flags : `${flags.padEnd(flagColumn)}  ${text}`
}

const section = (command: Described): string =>
  [
    `${command.path} ${command.usage}`.trimEnd(),
    `  ${command.description}${command.aliases.length === 0 ? "" : ` (also: ${command.aliases.join(", ")})`}`,
    ...[...command.arguments.filter(({ choices }) => choices !== undefined), ...command.options].map(inputLine)
  ].join("\n")

/** Every command with its options; groups that only have subcommands are left out. */
export const helpPage = (program: Command): string =>
  flattenCommands(describeCommand(program)).filter(({ examples, options }) => examples.length > 0 || options.length > 0)
    .map((command) => `${section(command)}\n`).join("\n")
