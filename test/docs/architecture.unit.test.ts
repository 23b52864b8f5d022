/** ARCHITECTURE.md and CONTRIBUTING.md name files and folders that exist, and every capability. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { readPage } from "../support/docsPage.ts"

const root = new URL("../../", import.meta.url)
const core = "packages/core/src/"

/** Beginnings that stand for a folder, as ARCHITECTURE.md says. */
const bases: { readonly [first: string]: string } = {
  domain: core,
  json: core,
  ports: core,
  usecases: core,
  adapters: core,
  embed: core,
  cli: "packages/",
  http: "packages/",
  mcp: "packages/"
}

/** A path of the page from the root of the checkout: `cli/tree/` is `packages/cli/src/tree/`. */
const fromRoot = (path: string): string => {
  const [first = "", ...rest] = path.split("/")
  const base = bases[first]
  if (base === undefined) return path
  return base === core ? `${core}${path}` : `packages/${first}/src/${rest.join("/")}`
}

/** What stands in backticks and looks like a path: with a slash, and nothing in it to be filled in. */
const pathsOf = (
  page: string
): ReadonlyArray<string> => [...new Set([...page.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map((match) => match[1]!))]

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("%s", (page) => {
  it.each(pathsOf(readPage(page)))("%s exists", (path) => {
    expect(existsSync(new URL(fromRoot(path), root))).toBe(true)
  })
})

it("the table of capabilities has every folder of domain and usecases, its files, verbs and ports", () => {
  const rows = [
    ...readPage("ARCHITECTURE.md").matchAll(/^\| `(\w+)` +\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|[^|]*\|$/gm)
  ]
  const folders = new Set(
    ["domain", "usecases"].flatMap((layer) =>
      globSync("*/", { cwd: new URL(`${core}${layer}/`, root) }).map((folder) => folder.replace("/", ""))
    )
  )
  expect(new Set(rows.map((row) => row[1]))).toEqual(folders)
  for (const [, capability, , rules, verbs, ports] of rows) {
    for (const [, file] of rules!.matchAll(/`([^`]+)`/g)) {
      expect(existsSync(new URL(`${core}domain/${capability}/${file}`, root)), `${capability}: ${file}`).toBe(true)
    }
    const folder = new URL(`${core}usecases/${capability}/`, root)
    const sources = globSync("*.ts", { cwd: folder }).map((file) => readFileSync(new URL(file, folder), "utf8"))
    for (const verb of verbs!.trim().split(", ").filter(Boolean)) {
      const isThere = existsSync(new URL(`${verb}.ts`, folder)) ||
        sources.some((source) => source.includes(`\nexport const ${verb} =`))
      expect(isThere, `${capability}: ${verb}`).toBe(true)
    }
    for (const [, port] of ports!.matchAll(/`([^`]+)`/g)) {
      expect(existsSync(new URL(`${core}ports/${port}.ts`, root)), `${capability}: ${port}`).toBe(true)
    }
  }
})
