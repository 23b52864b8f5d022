/** `sov help`: of one command, of exit codes, or the tree as plain data. */
import type { Command } from "commander"
import { exitCodeMeanings, exitCodes } from "../exitCodes.ts"
import type { SovCommand } from "./SovCommand.ts"

interface Described {
  readonly name: string
  readonly usage: string
  readonly description: string
  readonly options: ReadonlyArray<{ readonly flags: string; readonly description: string; readonly default?: unknown }>
  readonly commands: ReadonlyArray<Described>
}

/** The tree as plain data: what `sov help --json` prints. */
const describe = (command: Command): Described => ({
  name: command.name(),
  usage: command.usage(),
  description: command.description(),
  options: command.options.filter((option) => !option.hidden).map((option) => ({
    flags: option.flags,
    description: option.description,
    ...(option.defaultValue === undefined ? {} : { default: option.defaultValue as unknown })
  })),
  commands: command.createHelp().visibleCommands(command).map(describe)
})

/** Adds the command. */
export const help = (program: SovCommand): void => {
  program.command("help [command...]").description("Help; also exit-codes, or --json")
    .action((names: ReadonlyArray<string>, _, command: Command) => {
      if (command.optsWithGlobals()["json"] === true) {
        return void process.stdout.write(`${JSON.stringify(describe(program))}\n`)
      }
      if (names[0] === "exit-codes") {
        return void process.stdout.write(
          exitCodeMeanings.map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}\n`).join("")
        )
      }
      const found = names.reduce<Command | undefined>(
        (at, name) => at?.commands.find((one) => one.name() === name || one.aliases().includes(name)),
        program
      )
      if (found === undefined) {
        program.error(`error: there is no command ${names.join(" ")}`, { exitCode: exitCodes.usage })
      }
      found?.outputHelp()
    })
}
