import type { Command } from "commander"
import { exitCodeMeanings } from "../src/exitCodes.ts"
import { environment } from "../src/settings/environment.ts"
import { describe, type Described, type DescribedInput, flatten, inputText } from "../src/tree/describe.ts"

/** Text between tags of Markdown: nothing in it is markup. */
const plain = (text: string): string => text.replaceAll(/[\\<>*_[\]`|]/g, "\\$&")

const item = (term: string, text: string): string => `- \`${term}\`${text === "" ? "" : `: ${plain(text)}`}`
const items = (inputs: ReadonlyArray<DescribedInput>) => inputs.map((one) => item(one.flags, inputText(one)))

const block = (...lines: ReadonlyArray<string>): string => ["```text", ...lines, "```"].join("\n")

const section = (command: Described): string =>
  [
    `### ${command.path}`,
    `${plain(command.description)}.${
      command.aliases.length === 0 ? "" : ` Also: \`${command.aliases.join("`, `")}\`.`
    }`,
    block(`${command.path} ${command.usage}`),
    [...items(command.arguments.filter((one) => inputText(one) !== "")), ...items(command.options)].join("\n"),
    command.examples.length === 0 ? "" : `Examples:\n\n${block(...command.examples)}`
  ].filter(Boolean).join("\n\n")

/** The reference of the command as Markdown. */
export const markdown = (program: Command): string => {
  const root = describe(program)
  const commands = flatten(root).slice(1).filter(({ examples }) => examples.length > 0)
  return `${
    [
      "# The sov command",
      "<!-- Made from the command tree by `npm run docs`. -->",
      `${plain(root.description)} Results go to stdout, everything else to stderr.`,
      "## Options of every command",
      items(root.options).join("\n"),
      "## Commands",
      ...commands.map(section),
      "## Environment",
      "A flag outranks its variable. A `.env` file in the working directory is read, too; the environment outranks it.",
      environment.map(({ meaning, name }) => item(name, meaning)).join("\n"),
      "## Exit codes",
      exitCodeMeanings.map(([code, meaning]) => item(String(code), meaning)).join("\n")
    ].join("\n\n")
  }\n`
}
