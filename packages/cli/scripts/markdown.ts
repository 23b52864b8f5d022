import type { Command } from "commander"
import { exitCodeMeanings } from "../src/exitCodes.ts"
import { environment } from "../src/settings/environment.ts"
import {
  describeCommand,
  type Described,
  type DescribedInput,
  flattenCommands,
  inputText
} from "../src/tree/describe.ts"

/** Escapes text for Markdown outside of code, so that none of it is read as markup. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\<>*_[\]`|]/g, "\\$&")

const formatItem = (term: string, text: string): string =>
  `- \`${term}\`${text === "" ? "" : `: ${escapeMarkdown(text)}`}`
const formatItems = (inputs: ReadonlyArray<DescribedInput>) =>
  inputs.map((one) => formatItem(one.flags, inputText(one)))

const formatCodeBlock = (...lines: ReadonlyArray<string>): string => ["```text", ...lines, "```"].join("\n")

const formatSection = (command: Described): string =>
  [
    `### ${command.path}`,
    `${escapeMarkdown(command.description)}.${
      command.aliases.length === 0 ? "" : ` Also: \`${command.aliases.join("`, `")}\`.`
    }`,
    formatCodeBlock(`${command.path} ${command.usage}`),
    [...formatItems(command.arguments.filter((one) => inputText(one) !== "")), ...formatItems(command.options)].join(
      "\n"
    ),
    command.examples.length === 0 ? "" : `Examples:\n\n${formatCodeBlock(...command.examples)}`
  ].filter(Boolean).join("\n\n")

/** The reference of the command as Markdown. */
export const renderMarkdown = (program: Command): string => {
  const root = describeCommand(program)
  const commands = flattenCommands(root).slice(1).filter(({ examples }) => examples.length > 0)
  return `${
    [
      "# The sov command",
      "<!-- Made from the command tree by `npm run docs`. -->",
      `${escapeMarkdown(root.description)} Results go to stdout, everything else to stderr.`,
      "## Options of every command",
      formatItems(root.options).join("\n"),
      "## Commands",
      ...commands.map(formatSection),
      "## Environment",
      "A flag outranks its variable. sov also reads a `.env` file in the working directory; the environment outranks it.",
      environment.map(({ meaning, name }) => formatItem(name, meaning)).join("\n"),
      "## Exit codes",
      exitCodeMeanings.map(([code, meaning]) => formatItem(String(code), meaning)).join("\n")
    ].join("\n\n")
  }\n`
}
