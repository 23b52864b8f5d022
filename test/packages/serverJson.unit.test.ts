/** server.json names the existing package, command and environment variables. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(root, file), "utf8")

interface ServerJson {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly packages: ReadonlyArray<{
    readonly identifier: string
    readonly version: string
    readonly packageArguments: ReadonlyArray<{ readonly value: string }>
    readonly environmentVariables: ReadonlyArray<{ readonly name: string; readonly isSecret?: boolean }>
  }>
}
const server = JSON.parse(read("packages/cli/server.json")) as ServerJson
const manifest = JSON.parse(read("packages/cli/package.json")) as { name: string; version: string; mcpName: string }

it("server.json has the name and version of the package, and a description that registries accept", () => {
  expect(server).toMatchObject({
    name: manifest.mcpName,
    version: manifest.version,
    packages: [{ identifier: manifest.name, version: manifest.version, packageArguments: [{ value: "mcp" }] }]
  })
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(server.description.length).toBeLessThanOrEqual(100)
})

it("server.json names only variables that the command documents, and marks those with a password as secret", () => {
  const documented = read("docs/cli.md")
  const [{ environmentVariables }] = server.packages as [ServerJson["packages"][number]]
  for (const { name } of environmentVariables) expect(documented).toContain(`- \`${name}\`: `)
  expect(environmentVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(["SOV_DATABASE_URL"])
})

it("a release also sets the versions in server.json", () => {
  expect(read("scripts/release.ts")).toContain("\"packages/cli/server.json\"")
})
