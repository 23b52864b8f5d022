/** The command tree agrees with itself, with the core's lists and with the environment that is really read. */
import {
  defaultRetention,
  keyScopes as coreScopes,
  logFields as coreFields,
  logFormats as coreFormats,
  plans as corePlans,
  platformIds,
  providerNames,
  Role
} from "@sov/core"
import { defaultMaxConnections, defaultRestRate } from "@sov/http"
import { defaultMcpRate } from "@sov/mcp"
import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { filterOptions } from "../../packages/cli/src/commands/archive/archiveFilters.ts"
import { defaults, environment, retentionDays } from "../../packages/cli/src/settings/environment.ts"
import { makeProgram } from "../../packages/cli/src/tree.ts"
import { describeCommand as describeTree, flattenCommands } from "../../packages/cli/src/tree/describe.ts"
import {
  keyScopes,
  logFields,
  logFormats,
  plans,
  platforms,
  providers,
  roles
} from "../../packages/cli/src/tree/SovCommand.ts"
import { parseCommandLine } from "./parseCommandLine.ts"

const root = new URL("../../", import.meta.url)
const commands = flattenCommands(describeTree(await makeProgram()))

type Command = Awaited<ReturnType<typeof makeProgram>>["commands"][number]

describe("examples", () => {
  it("every command that does something has at least one example", () => {
    const leaves = commands.filter((command) => command.commands.length === 0)
    expect(leaves.length).toBeGreaterThan(30)
    for (const { examples, path } of leaves) {
      expect(examples.length, path).toBeGreaterThan(0)
      for (const line of examples) expect(line).toContain(path)
    }
  })

  it.each(commands.flatMap(({ examples }) => examples))(
    "the example can be parsed: %s",
    (line) => parseCommandLine(line)
  )

  it.each([
    ["sov scan --nothing", "unknown option"],
    ["sov platform test --id assistant_a", "'--id': it is an argument, as in: sov platform test assistant_a"],
    ["sov platform remove --id=assistant_a", "it is an argument, as in: sov platform remove assistant_e --yes"],
    ["sov platform add assistant_b", "'assistant_b' is a value of --id, as in: sov platform add"],
    ["sov platform add assistant_x", "Allowed choices are openai"],
    ["sov scan list --view captured", "unknown option '--view'"],
    ["sov scan plan --view bakery", "unknown option '--view'"],
    ["sov scan resume latest --samples 2", "unknown option '--samples'"],
    ["sov scan lst", "too many arguments"],
    ["sov archive show", "missing required argument"],
    ["sov archive export", "required option"],
    ["sov plan set gold", "Allowed choices"],
    ["sov scor", "too many arguments"]
  ])("the guard for examples refuses %s", (line, why) => expect(parseCommandLine(line)).rejects.toThrow(why))
})

it.each([
  ["scan help", /^Usage: sov scan [^]*compare [^\n]*Compare two scans/],
  ["scan help cancel", /^Usage: sov scan cancel [^]*Cancel a running scan/],
  ["mcp help", /^Usage: sov mcp [^]*config [^\n]*Print the configuration for/],
  ["archive help", /^Usage: sov archive [^]*show [^\n]*Show one answer/]
])("sov %s prints the help", async (line, help) => {
  const args = line.split(" ")
  const program = await makeProgram(args)
  let text = ""
  const listening = (command: Command): void => {
    command.configureOutput({ writeOut: (piece) => void (text += piece) }).exitOverride()
    command.commands.forEach(listening)
  }
  listening(program)
  await expect(program.parseAsync(args, { from: "user" })).rejects.toMatchObject({ exitCode: 0 })
  expect(text).toMatch(help)
})

it("commands that ask or overwrite list --yes, and their first help page shows it beside --no-input", async () => {
  const listing = commands.filter(({ options }) => options.some(({ flags }) => flags === "-y, --yes"))
  const asking = globSync("packages/cli/src/**/*.ts", { cwd: root })
    .flatMap((file) => readFileSync(new URL(file, root), "utf8").match(/ (?:confirm|checkTarget)\(/g) ?? [])
  expect(asking).toHaveLength(28)
  expect(listing.map(({ path }) => path)).toEqual([
    "sov",
    "sov init",
    "sov scan cancel",
    "sov archive export",
    "sov sources export",
    "sov experiment end",
    "sov report",
    "sov schedule remove",
    "sov competitor remove",
    "sov keyword add",
    "sov keyword export",
    "sov keyword remove",
    "sov view remove",
    "sov platform remove",
    "sov card import",
    "sov card export",
    "sov org export",
    "sov org delete",
    "sov key roll",
    "sov key revoke",
    "sov member remove",
    "sov share revoke",
    "sov webhook remove",
    "sov db backup",
    "sov db restore"
  ])
  expect((await makeProgram([])).helpInformation()).toMatch(/--no-input[^]*-y, --yes/)
})

it("every option has a description", () => {
  for (const { options, path } of commands) {
    for (const { description, flags } of options) expect(description, `${path} ${flags}`).not.toBe("")
  }
})

it("the tree's copies equal the lists of core, which the tree may not load", () => {
  expect(plans).toEqual(Object.keys(corePlans))
  expect(platforms).toEqual(platformIds)
  expect(providers).toEqual(providerNames)
  expect(keyScopes).toEqual(coreScopes)
  expect(roles).toEqual(Role.literals)
  expect(logFormats).toEqual(coreFormats)
  expect(logFields).toEqual(coreFields)
})

it("the help states the default limits of the servers", () => {
  expect(Object.fromEntries(Object.entries(retentionDays).map(([kind, [, days]]) => [kind.toLowerCase(), days])))
    .toEqual(defaultRetention)
  expect(defaults.SOV_MAX_CONNECTIONS).toBe(String(defaultMaxConnections))
  expect(defaults.SOV_REST_RATE).toBe(String(defaultRestRate))
  expect(defaults.SOV_MCP_RATE).toBe(String(defaultMcpRate))
})

it.each(["sov archive list", "sov archive export"])("%s has an option for every filter of the archive", (path) => {
  const flags = commands.find((command) => command.path === path)!.options.map((option) => option.flags)
  for (const option of Object.values(filterOptions)) {
    expect(flags.filter((flag) => flag.startsWith(`--${option} <`)), option).toHaveLength(1)
  }
})

it("the documented variables are the variables that the sources read", () => {
  const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith("environment.ts"))
  const read = sources.flatMap((file) =>
    [...readFileSync(new URL(file, root), "utf8").matchAll(/(?:env\["|env\("|Config\.\w+\(")([A-Z][A-Z_]+)"/g)]
      .map((match) => match[1]!)
  )
  // Names of SOV_KEEP_… are made from the kinds of rows, which another test compares
  const names = environment.map(({ name }) => name).filter((name) => !name.startsWith("SOV_KEEP_"))
  expect(names.filter((name) => name.startsWith("SOV_")).toSorted())
    .toEqual([...new Set(read.filter((name) => name.startsWith("SOV_")))].toSorted())
  expect(read.length).toBeGreaterThan(4)
})
