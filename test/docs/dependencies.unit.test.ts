/** docs/dependencies.md against what npm installs. */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { readPage } from "../support/docsPage.ts"

/** Binaries of our formatter, linters and type checker. */
const toolOfOtherSystem = /^@(?:dprint|effect\/tsgo-|oxc-parser\/binding-|oxlint\/binding-|oxlint-tsgolint)/

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"))

type Dependencies = Readonly<Record<string, string>>
const manifests = ["package.json", ...globSync("{packages/*,test}/package.json", { cwd: root })].map((file) =>
  read(file) as {
    readonly dependencies?: Dependencies
    readonly devDependencies?: Dependencies
    readonly optionalDependencies?: Dependencies
  }
)
const direct = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
)

/** An app with the command and the libraries gets one copy of effect only where both take the same versions. */
const { peerDependencies } = read("packages/core/package.json") as { readonly peerDependencies: Dependencies }
const range = peerDependencies["effect"]!

describe("docs/dependencies.md", () => {
  it.each([...new Set(direct.map(([name]) => name))])("has a line for %s", (name) => {
    const page = readPage("docs/dependencies.md")
    expect(page.split("\n").filter((line) => line.startsWith("|") && line.split("|")[1]!.includes(`\`${name}\``)))
      .not.toEqual([])
  })

  it("is right that every version is exact, except that of effect in the command", () => {
    const isExact = (version: string) => /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)
    expect(direct.filter(([name, version]) => !name.startsWith("@sov/") && !isExact(version))).toEqual([
      ["effect", range]
    ])
  })

  it.each(["cli", "http", "mcp"])("is right that %s takes the versions of effect that core takes", (name) => {
    const { dependencies, peerDependencies: peers } = read(`packages/${name}/package.json`) as {
      readonly dependencies: Dependencies
      readonly peerDependencies?: Dependencies
    }
    expect({ ...dependencies, ...peers }["effect"]).toBe(range)
  })
})

describe("package-lock.json", () => {
  // .npmrc keeps npm from warning, for the sake of one kind of warning: no other may hide behind it
  it("has no package that is deprecated", () => {
    const { packages } = read("package-lock.json") as { readonly packages: Readonly<Record<string, object>> }
    expect(Object.keys(packages).length).toBeGreaterThan(200)
    expect(Object.entries(packages).filter(([, entry]) => "deprecated" in entry)).toEqual([])
  })

  // npm notes the sum of what it has fetched only, and fetches no binary of another system: `npm run integrity` lists them
  it("has the sum of everything that users install, and of nothing fewer than the tools for other systems", () => {
    const { stderr, stdout } = spawnSync(process.execPath, ["scripts/integrity.ts"], { cwd: root, encoding: "utf8" })
    expect(stderr).toMatch(/^\d+ without a sum\n$/)
    const missing = stdout.split("\n").filter((line) => line !== "")
    expect(missing.filter((line) => !toolOfOtherSystem.test(line) || !line.endsWith(" dev optional"))).toEqual([])
  })
})
