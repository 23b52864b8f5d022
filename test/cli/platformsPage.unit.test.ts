/** docs/platforms.md shows configurations that are valid, and says of the rules what the code does. */
import { maxAttempts, PlatformError, PlatformFailure, retryWindow, tripsAfter } from "@sov/core"
import { decodePlatformConfig } from "@sov/core/outbound"
import { Duration, Result } from "effect"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { describeCommand as describeTree, flattenCommands } from "../../packages/cli/src/tree/describe.ts"
import { adapters } from "../../packages/cli/src/tree/SovCommand.ts"

const page = readFileSync(new URL("../../docs/platforms.md", import.meta.url), "utf8")
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!)

it("the page shows a valid configuration of each adapter", () => {
  const shown = blocks("json").flatMap((text) =>
    Object.values(Result.getOrThrow(decodePlatformConfig(JSON.parse(text), "docs/platforms.md")).platforms)
  )
  expect(new Set(shown.map(({ adapter }) => adapter))).toEqual(new Set([...adapters, "simulated", "recorded"]))
  expect(shown.some((binding) => "prices" in binding && binding.monthlyBudgetUsd === 20)).toBe(true)
})

it("the page names commands that exist", async () => {
  const paths = flattenCommands(describeTree(await makeProgram())).map(({ path }) => path)
  const named = blocks("sh").flatMap((text) => [...text.matchAll(/^(sov \w+ \w+)/gm)].map((match) => match[1]!))
  expect(named).toHaveLength(3)
  for (const path of named) expect(paths).toContain(path)
})

it("the page lists every failure reason, and whether it is retried", () => {
  const rows = new Map([...page.matchAll(/^\| `(\w+)` .*\| (yes|no) +\|$/gm)].map((match) => [match[1]!, match[2]!]))
  const expected = PlatformFailure.literals.map((reason) => {
    const none = { message: "", status: null, retryAfterMs: null, excerpt: null }
    return [reason, new PlatformError({ platform: "assistant_a", reason, ...none }).retryable ? "yes" : "no"] as const
  })
  expect(rows).toEqual(new Map([...expected, ["budget", "no"]]))
})

it("docs/platforms.md states the code's number of attempts, retry window and breaker threshold", () => {
  expect([maxAttempts, tripsAfter, Duration.toMinutes(retryWindow)]).toEqual([5, 5, 10])
  expect(page).toContain("5 times at most, over 10 minutes")
  expect(page).toContain("After 5 calls in a row")
})

it("the page names the SDK versions that the types are checked against", () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly devDependencies: { readonly [name: string]: string }
  }
  const section = /^## What the adapters were checked against\n(.*?)^## /ms.exec(page)![1]!
  const named = new Map([...section.matchAll(/`([\w@/-]+)` (\d+\.\d+\.\d+)/g)].map((match) => [match[1]!, match[2]!]))
  expect([...named.keys()].toSorted()).toEqual([
    "@anthropic-ai/sdk",
    "@google/genai",
    "@mistralai/mistralai",
    "@perplexity-ai/perplexity_ai",
    "openai"
  ])
  for (const [name, version] of named) expect(devDependencies[name]).toBe(version)
  const rows = [...section.matchAll(/^\| `([\w-]+)`/gm)].map((match) => match[1]!)
  expect(rows).toEqual(adapters)
})

it("the page describes a scheduled run with real keys, whose commands and options exist", async () => {
  const workflow = readFileSync(new URL("../../.github/workflows/platforms.yml", import.meta.url), "utf8")
  const commands = new Map(flattenCommands(describeTree(await makeProgram())).map((command) => [command.path, command]))
  const run = [...workflow.matchAll(/npx (sov \w+ \w+)([^;\n]*)/g)]
  expect(run).toHaveLength(5)
  for (const [, path, rest] of run) {
    const known = JSON.stringify(commands.get(path!))
    for (const [option] of rest!.matchAll(/--(?!config)[\w-]+/g)) expect(known).toContain(option)
  }
  expect([...workflow.matchAll(/--adapter ([\w-]+)/g)].map((match) => match[1]!)).toEqual(adapters.slice(0, 4))
})
