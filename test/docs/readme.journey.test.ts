/**
 * Tests README.md and the first pages of the documentation: their commands are run in order, with their files, and the
 * picture shows the output of the demo.
 */
import { minTrendCells } from "@sov/core"
import { decodePlatformConfig } from "@sov/core/outbound"
import { Result } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, inject, it } from "vitest"
import { capturedCsv, codeBlocks, commandArguments, readPage, shownCommands } from "../support/docsPage.ts"
import { startResponsesApi } from "../support/responsesApi.ts"
import { unlabelledLines } from "../support/simulatedLabels.ts"
import { sov, startSov, workspace } from "../support/sov.ts"

const readme = readPage("README.md")
const gettingStarted = readPage("docs/getting-started.md")
const configuration = readPage("docs/configuration.md")
const restApi = readPage("docs/rest-api.md")
const { scripts } = JSON.parse(readPage("package.json")) as { readonly scripts: Record<string, string> }

it("the README has at most 150 lines and begins with the two commands for a first run", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(150)
  expect(codeBlocks(readme, "sh").slice(0, 2)).toEqual(["npm ci && npm run demo\n", "npm ci && npm test\n"])
})

it("README.md and CONTRIBUTING.md name only npm scripts that exist", () => {
  const named = [readme, readPage("CONTRIBUTING.md")].flatMap(shownCommands)
    .flatMap((command) => /^npm (?:run (?:-s )?)?([\w:]+)/.exec(command)?.[1] ?? [])
  expect(named).toEqual(expect.arrayContaining(["demo", "test", "check", "test:pg"]))
  // Scripts that npm itself runs do not count
  expect(named.filter((name) => !["ci", "pack", "publish"].includes(name) && scripts[name] === undefined)).toEqual([])
  expect(scripts["demo"]).toBe("sov demo")
})

it("getting-started.md tracks enough questions for a trend on one platform", () => {
  const { keywords } = JSON.parse(codeBlocks(gettingStarted, "json")[0]!) as {
    readonly keywords: ReadonlyArray<unknown>
  }
  expect(keywords.length).toBeGreaterThanOrEqual(minTrendCells({ of: keywords.length }))
})

it("the configurations shown on the pages are valid", () => {
  const shown = [gettingStarted, configuration].flatMap((page) => codeBlocks(page, "json"))
    .map((block) => JSON.parse(block) as object).filter((json) => "platforms" in json)
  expect(shown).toHaveLength(2)
  for (const json of shown) expect(Result.getOrThrow(decodePlatformConfig(json, "docs")).platforms).not.toEqual({})
})

it("all commands work, one after the other", async () => {
  const openAi = await startResponsesApi("Acme makes the best anvil, Globex the second best.")
  const [tracking, config] = codeBlocks(gettingStarted, "json")
  /** Creates a directory with the files on the pages, configured with a platform on this machine. */
  const prepared = (): string => {
    const cwd = workspace()
    writeFileSync(join(cwd, "tracking.json"), tracking!)
    const { platforms } = JSON.parse(config!) as { readonly platforms: { readonly assistant_a: object } }
    const local = { ...platforms.assistant_a, baseUrl: openAi.baseUrl }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { ...platforms, assistant_a: local } }))
    writeFileSync(
      join(cwd, "access.log"),
      "203.0.113.1 - - [01/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"https://chatgpt.com/\" \"x\"\n"
    )
    writeFileSync(join(cwd, "captured.csv"), capturedCsv)
    return cwd
  }
  const cwd = prepared()
  const env = { OPENAI_API_KEY: "sk-test" }
  // With `npm run test:all`, readmeAlone.journey.test.ts runs the commands of README.md
  const pages = [gettingStarted, configuration, ...inject("testAll") ? [] : [readme]]
  // Servers, which run until they are stopped, are run separately
  const lines = new Set(pages.flatMap(shownCommands).filter((line) => /^npx sov (?!dashboard)/.test(line)))
  expect(lines.size).toBeGreaterThanOrEqual(20)
  for (const line of lines) {
    const begins = line.startsWith("npx sov init --brand")
    const ran = await sov(begins ? prepared() : cwd, commandArguments(line), { env })
    expect({ line, code: ran.code, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
  }
  expect(readFileSync(join(cwd, "archive.ndjson"), "utf8")).toContain("Acme makes the best anvil")

  // docs/rest-api.md: the key, the server and the first request are three commands in a shell, run here with another
  // port
  const block = codeBlocks(restApi, "sh").find((one) => one.includes("curl"))!.trim()
  const [key = "", serve = "", curl = ""] = block.replaceAll("|\n", "|").split("\n")
  // `ps` shows the arguments of programs to everybody; echo is built into the shell
  expect(curl).toMatch(/^echo "[^"]*\$SOV_API_KEY" \| *curl (?!.*\$)/)
  const made = await sov(cwd, /^export SOV_API_KEY=\$\(npx sov (.*)\)$/.exec(key)![1]!.split(" "))
  const server = startSov(cwd, [.../^npx sov (.*) &$/.exec(serve)![1]!.split(" "), "--port", "0"], { env })
  const firstLine = await new Promise<string>((resolve) => server.child.stdout!.once("data", resolve))
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    `${curl} -s`.replace("http://127.0.0.1:4680", /http:\/\/\S+/.exec(firstLine)![0])
  ], { env: { ...process.env, SOV_API_KEY: made.stdout.trim() } })
  expect(JSON.parse(stdout)).toMatchObject({ avg_sov: expect.any(Number), platform_breakdown: { assistant_a: 50 } })
  server.child.kill("SIGTERM")
  expect((await server).code).toBe(0)
})

it("the demo labels its number, the picture shows the output of the demo, and the demo can run again", async () => {
  const cwd = workspace()
  const first = await sov(cwd, ["demo", "--color", "always"])
  expect(first.code).toBe(0)
  const script = fileURLToPath(new URL("../../packages/cli/scripts/terminalPicture.ts", import.meta.url))
  const drawn = spawnSync(process.execPath, [script, "npm run demo"], { input: first.stdout, encoding: "utf8" })
  const timeless = (svg: string) => svg.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "YYYY-MM-DD HH:MM")
  // If the demo has changed, run: npm run docs:picture
  expect(timeless(drawn.stdout)).toBe(timeless(readPage("docs/images/demo.svg")))

  const again = await sov(cwd, ["demo"])
  expect(again.code).toBe(0)
  expect(again.stdout).toMatch(/share of voice \d+ %.*SIMULATED/)
  expect(again.stdout).toMatch(/[█▏▎▍▌▋▊▉]/)
  expect(unlabelledLines(again.stdout)).toEqual([])
})
