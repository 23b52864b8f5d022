/** ARCHITECTURE.md and CONTRIBUTING.md mention only files and folders that exist, and mention every capability. */
import { existsSync, globSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { readPage } from "../support/docsPage.ts"

const root = new URL("../../", import.meta.url)
const core = "packages/core/src/"

/** Abbreviations for folders at the beginning of a path, as explained in ARCHITECTURE.md. */
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

/** A path in the page, relative to the root of the checkout: `cli/tree/` becomes `packages/cli/src/tree/`. */
const fromRoot = (path: string): string => {
  const [first = "", ...rest] = path.split("/")
  const base = bases[first]
  if (base === undefined) return path
  return base === core ? `${core}${path}` : `packages/${first}/src/${rest.join("/")}`
}

/** All text in backticks that looks like a path: it contains a slash and no placeholder. */
const pathsOf = (
  page: string
): ReadonlyArray<string> => [...new Set([...page.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map((match) => match[1]!))]

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("%s", (page) => {
  it.each(pathsOf(readPage(page)))("the path %s exists", (path) => {
    expect(existsSync(new URL(fromRoot(path), root))).toBe(true)
  })
})

it("ARCHITECTURE.md lists every folder of domain and usecases as a capability", () => {
  const section = /^## Capabilities\n(.*?)^## /ms.exec(readPage("ARCHITECTURE.md"))![1]!
  const listed = [...section.matchAll(/`(\w+)`/g)].map((match) => match[1]!)
  const folders = ["domain", "usecases"].flatMap((layer) =>
    globSync("*/", { cwd: new URL(`${core}${layer}/`, root) }).map((folder) => folder.replace("/", ""))
  )
  expect(listed.toSorted()).toEqual([...new Set(folders)].toSorted())
})

it("ARCHITECTURE.md has at most 170 lines, none of them longer than 120 characters", () => {
  const lines = readPage("ARCHITECTURE.md").trimEnd().split("\n")
  expect(lines.length).toBeLessThanOrEqual(170)
  expect(lines.filter((line) => line.length > 120)).toEqual([])
})
