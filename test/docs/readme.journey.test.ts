/** The README stays true: every command in it is run, in its order, with its files. */
import { minTrendCells } from "@sov/core"
import { decodePlatformConfig } from "@sov/core/outbound"
import { Result } from "effect"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { startReplay } from "../support/ReplayServer.ts"
import { unmarked } from "../support/simulatedMarks.ts"
import { sov, workspace } from "../support/sov.ts"

const root = new URL("../../", import.meta.url)
const readme = readFileSync(new URL("README.md", root), "utf8")
const scripts =
  (JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { scripts: Record<string, string> }).scripts

const blocks = (language: string): ReadonlyArray<string> =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!)

/** Everything of the form `npm run x`, `npm test` or `npx sov …`, in blocks and in the text. */
const commands = [
  ...blocks("sh").flatMap((block) => block.trim().split(/\n| && /)),
  ...[...readme.matchAll(/`((?:npm|npx) [^`\n]+)`/g)].map((match) => match[1]!)
]

it("names only npm scripts that exist", () => {
  const named = commands.flatMap((command) => /^npm (?:run )?([\w:]+)$/.exec(command)?.[1] ?? [])
  expect(named).toEqual(expect.arrayContaining(["demo", "test", "check", "test:pg"]))
  expect(named.filter((name) => name !== "ci" && scripts[name] === undefined)).toEqual([])
  expect(scripts["demo"]).toBe("sov demo")
})

it("names every room of the command", () => {
  const rooms = readdirSync(new URL("packages/cli/src", root), { withFileTypes: true })
    .flatMap((entry) => entry.isDirectory() ? [`packages/cli/${entry.name}`] : [])
  expect([...readme.matchAll(/^\| `(packages\/cli\/\w+)`/gm)].map((match) => match[1]!).toSorted()).toEqual(
    rooms.toSorted()
  )
})

it("tracks enough questions for a trend on one platform", () => {
  const { keywords } = JSON.parse(blocks("json")[0]!) as { readonly keywords: ReadonlyArray<unknown> }
  expect(keywords.length).toBeGreaterThanOrEqual(minTrendCells({ of: keywords.length }))
})

it("shows configurations that are valid", () => {
  const shown = blocks("json").map((block) => JSON.parse(block) as object).filter((json) => "platforms" in json)
  expect(shown).toHaveLength(2)
  for (const json of shown) expect(Result.getOrThrow(decodePlatformConfig(json, "README.md")).platforms).not.toEqual({})
})

it("shows commands that work, one after the other", async () => {
  const cwd = workspace()
  const replay = await startReplay({ answer: () => "Acme makes the best anvil, Globex the second best." })
  const [tracking, config] = blocks("json")
  writeFileSync(join(cwd, "tracking.json"), tracking!)
  writeFileSync(join(cwd, "sov.config.json"), config!.replace("https://api.openai.com", `${replay.url}/assistant_a`))
  writeFileSync(
    join(cwd, "access.log"),
    "203.0.113.1 - - [01/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"https://chatgpt.com/\" \"x\"\n"
  )
  const lines = commands.filter((command) => command.startsWith("npx sov ") && !command.endsWith("&"))
  expect(lines.length).toBeGreaterThanOrEqual(8)
  for (const line of lines) {
    const args = [...line.slice("npx sov ".length).matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
    const ran = await sov(cwd, args, { env: { OPENAI_API_KEY: "sk-test" } })
    expect({ line, code: ran.code, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
  }
  expect(readFileSync(join(cwd, "archive.ndjson"), "utf8")).toContain("Acme makes the best anvil")

  // Key, server, first answer: three commands of a shell, at another port
  const lined = blocks("sh").find((block) => block.includes("curl"))!.trim()
  const [key = "", serve = "", curl = ""] = lined.replaceAll("|\n", "|").split("\n")
  // `ps` shows a program's arguments to everybody; echo is the shell's own
  expect(curl).toMatch(/^echo "[^"]*\$SOV_API_KEY" \| *curl (?!.*\$)/)
  const made = await sov(cwd, /^export SOV_API_KEY=\$\(npx sov (.*)\)$/.exec(key)![1]!.split(" "))
  const server = sov(cwd, [.../^npx sov (.*) &$/.exec(serve)![1]!.split(" "), "--port", "0"], {
    env: { OPENAI_API_KEY: "sk-test" }
  })
  const said = await new Promise<string>((resolve) => server.child.stdout!.once("data", resolve))
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    `${curl} -s`.replace("http://127.0.0.1:4680", /http:\/\/\S+/.exec(said)![0])
  ], { env: { ...process.env, SOV_API_KEY: made.stdout.trim() } })
  expect(JSON.parse(stdout)).toMatchObject({ avg_sov: expect.any(Number), platform_breakdown: { assistant_a: 50 } })
  server.child.kill("SIGTERM")
  expect((await server).code).toBe(0)
}, 120_000)

it("shows a demo that labels its number, and shows it again", async () => {
  const cwd = workspace()
  for (const _ of [1, 2]) {
    const ran = await sov(cwd, ["demo"])
    expect(ran.code).toBe(0)
    expect(ran.stdout).toMatch(/share of voice \d+ %.*SIMULATED/)
    expect(ran.stdout).toMatch(/[█▏▎▍▌▋▊▉]/)
    expect(unmarked(ran.stdout)).toEqual([])
  }
}, 90_000)
