/** `sov --help` and `--version` answer at once: nothing but Node and the command parser is loaded. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { launcher, sourceLauncher, startSov, workspace } from "../support/sov.ts"

/** Modules that a command loads, as URLs: told by Node's own module hooks. */
const loadedBy = async (from: string, ...args: ReadonlyArray<string>) => {
  const cwd = workspace()
  const hook = join(cwd, "trace.mjs")
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module"
     import { appendFileSync } from "node:fs"
     registerHooks({ load: (url, context, next) => {
       appendFileSync(${JSON.stringify(join(cwd, "loaded"))}, url + "\\n")
       return next(url, context)
     } })`
  )
  const ran = await startSov(cwd, args, {
    launcher: from,
    env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` }
  })
  const { readFileSync } = await import("node:fs")
  return { ran, urls: readFileSync(join(cwd, "loaded"), "utf8").trimEnd().split("\n") }
}

it.each([
  ["--help"],
  ["--version"],
  ["scan", "--help"],
  ["help", "--json"],
  ["help", "--all"],
  ["help", "environment"],
  ["completion", "bash"]
])(
  "sov %s %s loads no Effect module",
  async (...args) => {
    const { ran, urls } = await loadedBy(sourceLauncher, ...args.filter((arg) => arg !== undefined))
    expect(ran.code).toBe(0)
    expect(urls.some((url) => url.includes("packages/cli/src/main.ts"))).toBe(true)
    expect(urls.filter((url) => /node_modules\/(effect|@effect)\//.test(url))).toEqual([])
  }
)

it("the guard notices a loaded Effect module", async () => {
  const { urls } = await loadedBy(sourceLauncher, "org", "list")
  expect(urls.some((url) => /node_modules\/effect\//.test(url))).toBe(true)
  // Phone numbers and countries are for those who fill a card
  expect(urls.filter((url) => /node_modules\/(libphonenumber|i18n-iso)/.test(url))).toEqual([])
  // The cluster is for those who work
  expect(urls.filter((url) => /node_modules\/effect\/.*\/cluster\//.test(url))).toEqual([])
  // The servers are for those who serve
  expect(urls.filter((url) => /packages\/(http|mcp)\/|node_modules\/@modelcontextprotocol\//.test(url))).toEqual([])
})

it("the bundled command loads at most 100 modules before it queries the database", async () => {
  const { ran, urls } = await loadedBy(launcher, "org", "list")
  expect(ran.stderr).toContain("there is no database")
  expect(urls.filter((url) => url.includes("/packages/"))).toEqual([])
  expect(urls.length).toBeLessThanOrEqual(100)
})
