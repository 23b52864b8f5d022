/** Commands that the documentation shows exist, with the options that it gives them. Nothing is run. */
import { describe, expect, it } from "vitest"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { describeCommand as describeTree, flattenCommands } from "../../packages/cli/src/tree/describe.ts"
import { codeBlocks, handWrittenPages, readPage } from "../support/docsPage.ts"
import { parseCommandLine } from "./parseCommandLine.ts"

const commands = new Map(flattenCommands(describeTree(await makeProgram())).map((command) => [command.path, command]))
const globalOptions = JSON.stringify(commands.get("sov")!.options)

/** The command that the words begin with, as far as they name one. */
const commandOf = (words: ReadonlyArray<string>) =>
  [3, 2, 1].map((length) => commands.get(words.slice(0, length).join(" "))).find((found) => found !== undefined)!

describe.each([...handWrittenPages])("%s", (path) => {
  const page = readPage(path)

  it("every command line on the page is accepted by the parser", async () => {
    const blocks = ["sh", "bash"].flatMap((language) => codeBlocks(page, language))
    for (const line of blocks.flatMap((block) => block.split("\n"))) {
      const command = line.replace(/^(?:\w+=\S+ )*(?:npx )?/, "").replace(/ +#.*/, "")
      if (command.startsWith("sov ")) await parseCommandLine(command)
    }
  })

  it("the page names commands and options that exist", () => {
    for (const [, line] of page.matchAll(/`(?:npx )?(sov [^`]+)`/g)) {
      const words = line!.split(/\s+/)
      const command = commandOf(words)
      const next = words[command.path.split(" ").length]
      if (command.commands.length > 0) expect(next ?? "", `${path}: ${line}`).not.toMatch(/^[a-z]/)
      for (const [option] of line!.matchAll(/--(?!help)[a-z][\w-]*/g)) {
        expect(JSON.stringify(command.options) + globalOptions, `${path}: ${line}`).toContain(option)
      }
    }
  })
})
