/**
 * `sov help`: prints the help of one command, of all on one page, of exit codes or environment, or the tree as plain
 * data.
 */
import type { Command } from "commander"
import { type SovCommand } from "./SovCommand.ts"

const findTopic = async (name: string | undefined): Promise<ReadonlyArray<readonly [string, string]> | undefined> => {
  if (name === "exit-codes") {
    const { exitCodeMeanings } = await import("../exitCodes.ts")
    return exitCodeMeanings.map(([code, meaning]) => [String(code).padStart(3), meaning])
  }
  if (name !== "environment") return undefined
  const { environment } = await import("../settings/environment.ts")
  return environment.map(({ meaning, name: variable }) => [variable.padEnd(23), meaning])
}

export const help = (command: SovCommand): void => {
  const program = command.parent as SovCommand
  command.argument("[command...]").withExamples(
    "sov help scan list",
    "sov help exit-codes",
    "sov help environment",
    "sov help --all",
    "sov help --json"
  )
    .option("--all", "every command and option on one page")
    .action(async (names: ReadonlyArray<string>, _, ran: Command) => {
      const options = ran.optsWithGlobals<{ readonly json?: boolean; readonly all?: boolean }>()
      const print = (text: string): void => void process.stdout.write(text)
      if (options.json === true) {
        const { describeCommand } = await import("./describe.ts")
        return print(`${JSON.stringify(describeCommand(program))}\n`)
      }
      if (options.all === true) return print((await import("./helpPage.ts")).helpPage(program))
      const lines = names.length === 1 ? await findTopic(names[0]) : undefined
      if (lines !== undefined) return print(lines.map(([name, meaning]) => `${name}  ${meaning}\n`).join(""))
      program.find(names).outputHelp()
    })
}
