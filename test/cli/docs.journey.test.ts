/** The generated manual: as the tree is, and a man page that roff accepts. */
// Only with SOV_LONG_TESTS: many runs of the command; check:docs compares what is generated
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { sov, workspace } from "../support/sov.ts"

const script = fileURLToPath(new URL("../../packages/cli/scripts/buildDocs.ts", import.meta.url))
const docs = fileURLToPath(new URL("../../docs", import.meta.url))
const build = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [script, ...args], { encoding: "utf8", timeout: 120_000 })
const has = (tool: string): boolean => spawnSync(tool, ["--version"]).status === 0

it("the generated pages match the sources", () => {
  expect(build("--check")).toMatchObject({ status: 0, stderr: "" })
})

it.each(["cli.md", "sov.1", "openapi.json", "sov.http"])("a change in %s is detected and reported", (name) => {
  const folder = workspace()
  expect(build("--to", folder)).toMatchObject({ status: 0 })
  expect(readFileSync(join(folder, name), "utf8")).toBe(readFileSync(join(docs, name), "utf8"))
  expect(build("--to", folder, "--check")).toMatchObject({ status: 0 })
  writeFileSync(join(folder, name), readFileSync(join(folder, name), "utf8").replace(/newest/i, "oldest"))
  const { status, stderr } = build("--to", folder, "--check")
  expect({ status, named: stderr.includes(join(folder, name)) }).toEqual({ status: 1, named: true })
})

describe("the man page", () => {
  it.runIf(has("groff"))("the man page causes no warning of groff", () => {
    const { status, stderr, stdout } = spawnSync("groff", ["-ww", "-man", "-Tascii", join(docs, "sov.1")], {
      encoding: "utf8"
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(stdout).toContain("sov scan list")
  })

  it.runIf(has("man"))("the man page causes no warning of man", () => {
    const { status, stderr } = spawnSync("man", ["--warnings", "-l", join(docs, "sov.1")], { encoding: "utf8" })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })
})

describe("sov help", () => {
  it("sov help --all prints the entire tree on one page", async () => {
    const { code, stderr, stdout } = await sov(workspace(), ["help", "--all"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    for (const text of ["sov scan list [options]", "--database-url-file", "sov verify", "--signature"]) {
      expect(stdout).toContain(text)
    }
  })

  it.each([
    [["help", "scna"], "scan"],
    [["help", "archive", "exprt"], "export"],
    [["scan", "lst"], "list"]
  ])("sov help for %j suggests %s", async (args, meant) => {
    const { code, stderr, stdout } = await sov(workspace(), args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(new RegExp(`Did you mean.*${meant}`))
  })

  it("sov help environment lists the variables", async () => {
    expect((await sov(workspace(), ["help", "environment"])).stdout).toMatch(/^SOV_DATABASE_URL +postgres:/m)
  })
})
