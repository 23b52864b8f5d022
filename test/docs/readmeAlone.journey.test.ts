// Only in `npm run test:all`: plays the demo and runs every command of README.md through npx
/**
 * README.md is self-contained: its commands are typed into a shell in order, in a copy of the checkout without data.
 * Answers come from this machine instead of OpenAI, and the files that `sov traffic import` and `sov archive import`
 * read are the reader's own; nothing else is added.
 */
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { capturedCsv, readPage, shownCommands } from "../support/docsPage.ts"
import { startResponsesApi } from "../support/responsesApi.ts"
import { workspace } from "../support/sov.ts"

const checkout = fileURLToPath(new URL("../../", import.meta.url))

/**
 * Creates what `git clone` and `npm ci` leave: the files of the checkout, installed packages, and links to its own
 * packages.
 */
const clone = (): string => {
  const root = workspace()
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: checkout,
    encoding: "utf8"
  })
  for (const file of files.split("\0").filter((name) => /^(?:package\.json|packages\/|docs\/sov\.1$)/.test(name))) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    cpSync(join(checkout, file), join(root, file))
  }
  const installed = join(root, "node_modules")
  mkdirSync(join(installed, ".bin"), { recursive: true })
  mkdirSync(join(installed, "@sov"))
  symlinkSync("../@sov/cli/bin/sov", join(installed, ".bin/sov"))
  for (const name of ["cli", "core", "http", "mcp"]) {
    symlinkSync(`../../packages/${name}`, join(installed, "@sov", name))
  }
  for (const name of readdirSync(join(checkout, "node_modules"))) {
    if (!name.startsWith(".") && name !== "@sov") {
      symlinkSync(join(checkout, "node_modules", name), join(installed, name))
    }
  }
  return root
}

/** A sign-in link; the server that prints it runs until it is stopped. */
const link = /http:\/\/127\.0\.0\.1:\d+\/\S+/

/** Types a line into a shell; returns its exit code and all of its output. */
const type = (cwd: string, line: string, env: NodeJS.ProcessEnv) =>
  new Promise<{ readonly code: number | null; readonly printed: string }>((resolve) => {
    const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
    let printed = ""
    let stopped = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        printed += chunk
        if (stopped || !/\bsov dashboard/.test(line) || !link.test(printed)) return
        stopped = true
        // Ctrl-C reaches all processes that the line started
        process.kill(-child.pid!, "SIGINT")
      })
    }
    child.on("close", (code) => resolve({ code, printed }))
  })

/** Commands that install, or run the tests and checks of the checkout, of which this test is one. */
const ofCheckout = ["npm ci", "npm test", "npm run check", "npm run test:pg"]

it("the commands of README.md work in order in a fresh clone, without anything else", async () => {
  const lines = [...new Set(shownCommands(readPage("README.md")))]
  const typed = lines.filter((line) => !ofCheckout.includes(line))
  expect(lines.filter((line) => ofCheckout.includes(line)).toSorted()).toEqual(ofCheckout.toSorted())
  expect(typed.slice(0, 2)).toEqual(["npm run demo", expect.stringMatching(/^npx sov init /)])
  expect(typed.filter((line) => !/^npx sov |^npm run demo$/.test(line))).toEqual([])

  const cwd = clone()
  const openAi = await startResponsesApi("Acme makes the best anvil, Globex the second best.")
  writeFileSync(
    join(cwd, "access.log"),
    "203.0.113.1 - - [01/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"https://chatgpt.com/\" \"x\"\n"
  )
  writeFileSync(join(cwd, "captured.csv"), capturedCsv)
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:SOV_|npm_|NODE_OPTIONS$|VITEST)/.test(name))
  const env = { ...Object.fromEntries(inherited), CI: "true", SOV_NO_BROWSER: "1", OPENAI_API_KEY: "sk-test" }
  for (const [n, line] of typed.entries()) {
    // npx takes a second each time, and the first lines have shown that it starts sov
    const { code, printed } = await type(cwd, n < 3 ? line : line.replace(/^npx /, "node_modules/.bin/"), env)
    if (line.startsWith("npx sov dashboard")) expect(printed).toMatch(link)
    else expect(code, `${line}\n${printed}`).toBe(0)
    if (line.startsWith("npx sov init ")) {
      const file = join(cwd, "sov.config.json")
      const config = JSON.parse(readFileSync(file, "utf8")) as {
        readonly platforms: { readonly assistant_a: Record<string, unknown> }
      }
      expect(config.platforms.assistant_a).toMatchObject({ adapter: expect.stringContaining("openai") })
      config.platforms.assistant_a["baseUrl"] = openAi.baseUrl
      writeFileSync(file, JSON.stringify(config))
    }
  }
  // The dashboard's worker may have looked up when the model ends
  expect(new Set(openAi.asked.filter((path) => !path.startsWith("/v1/models/")))).toEqual(new Set(["/v1/responses"]))
  expect(readFileSync(join(cwd, "archive.ndjson"), "utf8")).toContain("Acme makes the best anvil")
}, 360_000)
