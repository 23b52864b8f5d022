import { expect } from "vitest"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { commandLines } from "../support/examples.ts"

type Command = Awaited<ReturnType<typeof makeProgram>>["commands"][number]

const withoutActions = (command: Command): Command => {
  command.exitOverride().configureOutput({ writeErr: () => {} }).action(() => {})
  command.commands.forEach(withoutActions)
  return command
}

/** Parses the `sov` commands in a line and throws what the parser says about them; nothing is run. */
export const parseCommandLine = async (line: string): Promise<void> => {
  for (const [name, ...args] of commandLines(line)) {
    expect(name).toBe("sov")
    const program = await makeProgram()
    for (const command of program.commands) if (command.commands.length > 0) command.allowExcessArguments(false)
    withoutActions(program).parse(args, { from: "user" })
  }
}
