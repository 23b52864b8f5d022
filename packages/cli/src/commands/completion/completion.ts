/**
 * sov completion: a completion script for the shell, generated from the command tree.
 *
 * A script contains the tree as lines of data, always in single quotes, and a small program in the shell's language
 * (completion/sov.SHELL) that looks words up in them. So the shell never runs any of the tree as code, and pressing Tab
 * starts no process.
 */
import { type Command, Option } from "commander"
import { readFileSync } from "node:fs"
import { subcommands } from "../../tree/SovCommand.ts"

const helpOption = new Option("-h, --help", "show help")

/** Replaces control characters, which would end a field or a line. */
const removeControlCharacters = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]/g, " ")

/** The values that an option or argument accepts: `file`, `dir`, choices as `=a|b|c`, or `any`. */
const describeValue = (name: string, choices: ReadonlyArray<string> | undefined): string =>
  choices !== undefined ? `=${choices.join("|")}` : name === "file" || name === "dir" ? name : "any"

/**
 * Lists the tree as lines of five fields: command, kind, word, value, description.
 * - `o`: an option and the values that it accepts (`-` if it has none)
 * - `a`: an argument's position (`*` for all remaining ones) and the values that it accepts
 * - `c`: a subcommand and the command that it leads to
 */
const listCompletionLines = (program: Command): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const addLine = (...fields: ReadonlyArray<string>) => lines.push(fields.map(removeControlCharacters).join("\t"))
  const addCommandLines = (command: Command, path: string): void => {
    for (const option of command === program ? [...command.options, helpOption] : command.options) {
      const name = /[<[](.+)[>\]]/.exec(option.flags)?.[1]
      const value = name === undefined ? "-" : describeValue(name, option.argChoices)
      for (const flag of [option.long, option.short]) {
        if (flag !== undefined) addLine(path, "o", flag, value, option.description)
      }
    }
    for (const [place, argument] of command.registeredArguments.entries()) {
      const value = describeValue(argument.name(), argument.argChoices)
      addLine(path, "a", argument.variadic ? "*" : String(place), value, argument.description)
    }
    // `help` is followed by the same commands as `sov`
    const parent = command.name() === "help" ? program : command
    for (const child of subcommands(parent)) {
      const to = `${parent === program ? "sov" : path} ${child.name()}`
      for (const name of [child.name(), ...child.aliases()]) addLine(path, "c", name, to, child.description())
      if (parent === command) addCommandLines(child, to)
    }
  }
  addCommandLines(program, "sov")
  return lines
}

/** Inside single quotes, bash and zsh treat only the quote as special; fish also the backslash. */
const quoteForShell = (shell: string, text: string): string =>
  shell === "fish" ? `'${text.replaceAll(/[\\']/g, "\\$&")}'` : `'${text.replaceAll("'", "'\\''")}'`

/** The script for `shell` (bash, zsh or fish) that completes the commands of `program`. */
export const completionScript = (program: Command, shell: string): string => {
  const script = readFileSync(new URL(`./sov.${shell}`, import.meta.url), "utf8")
  return script.replace("@TREE@", () => quoteForShell(shell, listCompletionLines(program).join("\n")))
}

export const completion = (program: Command, shell: string): void => {
  process.stdout.write(completionScript(program, shell))
}
