import type { Command } from "commander"
import { exitCodeMeanings } from "../src/exitCodes.ts"
import { environment } from "../src/settings/environment.ts"
import { describe, type Described, type DescribedInput, flatten, inputText } from "../src/tree/describe.ts"

/** Text as roff takes it: nothing in it is a request or an escape, and it is ASCII. */
const roff = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq").replaceAll(
    /[^\u0000-\u007f]/gu,
    (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`
  ).replaceAll(/^\./gm, "\\&.")

const tagged = (term: string, text: string): string => `.TP\n.B ${roff(term)}\n${roff(text)}`
const inputs = (list: ReadonlyArray<DescribedInput>) => list.map((one) => tagged(one.flags, inputText(one)))

const section = (command: Described): ReadonlyArray<string> => [
  `.SS ${roff(command.path)}`,
  `.B ${roff(`${command.path} ${command.usage}`)}`,
  ".PP",
  `${roff(command.description)}.${command.aliases.length === 0 ? "" : ` Also: ${roff(command.aliases.join(", "))}.`}`,
  ...inputs(command.arguments.filter((one) => inputText(one) !== "")),
  ...inputs(command.options),
  ...(command.examples.length === 0
    ? []
    : [".PP", "Examples:", ".PP", ".nf", ".RS", ...command.examples.map(roff), ".RE", ".fi"])
]

/** The manual page sov(1). */
export const manPage = (program: Command): string => {
  const root = describe(program)
  const commands = flatten(root).slice(1).filter(({ examples }) => examples.length > 0)
  return `${
    [
      ".\\\" Made from the command tree by `npm run docs`.",
      `.TH SOV 1 "" "sov ${program.version()}" "User Commands"`,
      ".nh\n.ad l",
      ".SH NAME",
      `sov \\- ${roff(root.description.replace(/\.$/, ""))}`,
      ".SH SYNOPSIS",
      ".B sov",
      roff(root.usage),
      ".SH DESCRIPTION",
      "Results go to stdout, everything else to stderr.",
      ".SH OPTIONS",
      "Every command takes these.",
      ...inputs(root.options),
      ".SH COMMANDS",
      ...commands.flatMap(section),
      ".SH ENVIRONMENT",
      "A flag outranks its variable.",
      ...environment.map(({ meaning, name }) => tagged(name, meaning)),
      ".SH \"EXIT STATUS\"",
      ...exitCodeMeanings.map(([code, meaning]) => tagged(String(code), meaning))
    ].join("\n")
  }\n`
}
