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

/** Escapes text for roff: the result is ASCII and contains neither requests nor escape sequences. */
const escapeRoff = (text: string): string =>
  text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq").replaceAll(
    /[^\u0000-\u007f]/gu,
    (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`
  ).replaceAll(/^\./gm, "\\&.")

const formatTagged = (term: string, text: string): string => `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(text)}`
const formatInputs = (list: ReadonlyArray<DescribedInput>) => list.map((one) => formatTagged(one.flags, inputText(one)))

const formatSection = (command: Described): ReadonlyArray<string> => [
  `.SS ${escapeRoff(command.path)}`,
  `.B ${escapeRoff(`${command.path} ${command.usage}`)}`,
  ".PP",
  `${escapeRoff(command.description)}.${
    command.aliases.length === 0 ? "" : ` Also: ${escapeRoff(command.aliases.join(", "))}.`
  }`,
  ...formatInputs(command.arguments.filter((one) => inputText(one) !== "")),
  ...formatInputs(command.options),
  ...(command.examples.length === 0
    ? []
    : [".PP", "Examples:", ".PP", ".nf", ".RS", ...command.examples.map(escapeRoff), ".RE", ".fi"])
]

/** The manual page sov(1) as roff. */
export const renderManPage = (program: Command): string => {
  const root = describeCommand(program)
  const commands = flattenCommands(root).slice(1).filter(({ examples }) => examples.length > 0)
  return `${
    [
      ".\\\" Made from the command tree by `npm run docs`.",
      `.TH SOV 1 "" "sov ${program.version()}" "User Commands"`,
      ".nh\n.ad l",
      ".SH NAME",
      `sov \\- ${escapeRoff(root.description.replace(/\.$/, ""))}`,
      ".SH SYNOPSIS",
      ".B sov",
      escapeRoff(root.usage),
      ".SH DESCRIPTION",
      "Results go to stdout, everything else to stderr.",
      ".SH OPTIONS",
      "Every command takes these.",
      ...formatInputs(root.options),
      ".SH COMMANDS",
      ...commands.flatMap(formatSection),
      ".SH ENVIRONMENT",
      "A flag outranks its variable.",
      ...environment.map(({ meaning, name }) => formatTagged(name, meaning)),
      ".SH \"EXIT STATUS\"",
      ...exitCodeMeanings.map(([code, meaning]) => formatTagged(String(code), meaning))
    ].join("\n")
  }\n`
}
