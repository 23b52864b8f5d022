/** docs/alerts.md says of rules, retries and commands what the code does. */
import { alertRuleNames, eventOfRule, mailRetryDelaysMs, maxMailAge } from "@sov/core"
import { Duration } from "effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { describeCommand as describeTree, flattenCommands } from "../../packages/cli/src/tree/describe.ts"

const page = readFileSync(new URL("../../docs/alerts.md", import.meta.url), "utf8")

it("the page names commands and options that exist", async () => {
  const commands = new Map(
    flattenCommands(describeTree(await makeProgram())).map((command) => [command.path, JSON.stringify(command)])
  )
  const lines = [...page.matchAll(/^sov .*$/gm), ...page.matchAll(/`(sov alert [^`]+)`/g)].map((match) =>
    match[1] ?? match[0]
  )
  expect(lines.length).toBeGreaterThanOrEqual(10)
  for (const line of lines) {
    const command = commands.get(line.split(" ").slice(0, 3).join(" "))
    expect(command, line).toBeDefined()
    for (const [option] of line.matchAll(/--(?!json)[\w-]+/g)) expect(command, line).toContain(option)
  }
})

it("the page lists every rule with its event, and the schedule", () => {
  for (const rule of alertRuleNames) expect(page).toMatch(new RegExp(`\\| \`${rule}\` +\\| \`${eventOfRule[rule]}\``))
  expect(mailRetryDelaysMs.map((ms) => ms / 60_000)).toEqual([1, 5, 30, 120, 360])
  expect(page.replaceAll(/\s+/g, " ")).toContain("after 1 and 5 minutes, half an hour, 2 and 6 hours")
  expect(Duration.toHours(maxMailAge)).toBe(24)
})
