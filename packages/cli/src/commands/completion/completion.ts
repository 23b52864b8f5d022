/**
 * sov completion: a script for the shell, made from the command tree.
 *
 * A script is the tree as lines of data, always between single quotes, and a small program in the shell's own language
 * (completion/sov.SHELL) that looks words up in it. So nothing of the tree is code to a shell, and a Tab starts no
 * process.
 */
import { type Command, Option } from "commander"
import { readFileSync } from "node:fs"
import { subcommands } from "../../tree/SovCommand.ts"

const helpOption = new Option("-h, --help", "show help")

/** A field of a line: no character that ends it. */
const removeControlCharacters = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]/g, " ")

/** What may stand for a value: `file`, `dir`, the choices as `=a|b|c`, or `any`. */
const describeValue = (name: string, choices: ReadonlyArray<string> | undefined): string =>
  choices !== undefined ? `=${choices.join("|")}` : name === "file" || name === "dir" ? name : "any"

/**
 * The tree as lines of five fields: the command, the kind, a word, its value, its description.
 * `o` an option and what its value may be (`-` it takes none) · `a` an argument's place (`*` the last ones) and what it
 * may be · `c` a subcommand and the command it leads to.
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
    // What follows `help` are commands, as if they followed `sov`.
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

/** Only the quote is special between the single quotes of bash and zsh; in fish the backslash is, too. */
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
