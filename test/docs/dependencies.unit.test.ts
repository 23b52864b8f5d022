/** Compares docs/dependencies.md with what npm installs. */
import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { readPage } from "../support/docsPage.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const listSums = (directory: string) =>
  spawnSync(process.execPath, ["scripts/integrity.ts", directory], { cwd: root, encoding: "utf8" })
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

/** An app with the command and the libraries gets a single copy of effect only if both require the same versions. */
const { peerDependencies } = read("packages/core/package.json") as { readonly peerDependencies: Dependencies }
const range = peerDependencies["effect"]!

describe("docs/dependencies.md", () => {
  it.each([...new Set(direct.map(([name]) => name))])("the page lists the dependency %s", (name) => {
    const page = readPage("docs/dependencies.md")
    expect(page.split("\n").filter((line) => line.startsWith("|") && line.split("|")[1]!.includes(`\`${name}\``)))
      .not.toEqual([])
  })

  it("every dependency has an exact version, except effect in the command", () => {
    const isExact = (version: string) => /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)
    expect(direct.filter(([name, version]) => !name.startsWith("@sov/") && !isExact(version))).toEqual([
      ["effect", range]
    ])
  })

  it.each(["cli", "http", "mcp"])("the package %s accepts the same versions of effect as core", (name) => {
    const { dependencies, peerDependencies: peers } = read(`packages/${name}/package.json`) as {
      readonly dependencies: Dependencies
      readonly peerDependencies?: Dependencies
    }
    expect({ ...dependencies, ...peers }["effect"]).toBe(range)
  })
})

describe("package-lock.json", () => {
  // .npmrc silences npm's warnings because of one kind of warning, so this test makes sure that no other is hidden
  it("no locked package is deprecated", () => {
    const { packages } = read("package-lock.json") as { readonly packages: Readonly<Record<string, object>> }
    expect(Object.keys(packages).length).toBeGreaterThan(200)
    expect(Object.entries(packages).filter(([, entry]) => "deprecated" in entry)).toEqual([])
  })

  it("every package that a system installs has a checksum, except the listed tools", () => {
    const { status, stderr, stdout } = listSums(root)
    expect([status, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^package-lock\.json: .*\n {2}linux x64: \d{3} entries, all with a sum$/m)
  })

  it("the check fails if a checksum disappears, or if an unlisted package has none", () => {
    const copy = mkdtempSync(join(tmpdir(), "sov-lock-"))
    onTestFinished(() => rmSync(copy, { recursive: true }))
    const lock = read("package-lock.json") as { readonly packages: Record<string, { integrity?: string }> }
    delete lock.packages["node_modules/effect"]!.integrity
    lock.packages["node_modules/@oxlint/binding-darwin-arm64"]!.integrity = "sha512-found"
    writeFileSync(join(copy, "package-lock.json"), JSON.stringify(lock))
    const { status, stderr } = listSums(copy)
    expect(status).toBe(1)
    expect(stderr.replaceAll(/@\d\S+/g, "").split("\n")).toEqual([
      "package-lock.json: effect has no sum",
      expect.stringMatching(/^package-lock\.json: @oxlint\/binding-darwin-arm64 has a sum or is gone/),
      ""
    ])
  })
})
