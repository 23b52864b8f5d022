/** What is published to npm: the tarballs, each with the package.json that `prepack` wrote. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { runReleaseJob } from "../support/releaseJob.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const directory = (): string => {
  const made = mkdtempSync(join(tmpdir(), "sov-published-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

it("a release publishes the tarballs that it packed, each package after its dependencies", async () => {
  const cwd = directory()
  // A fake npm that records its arguments
  await runReleaseJob(cwd, "echo \"$*\" >> asked", "0.2.0")
  const asked = readFileSync(join(cwd, "asked"), "utf8").trim().split("\n")
  const names = ["core", "http", "mcp", "cli"]
  expect(asked).toEqual([
    "ci",
    `pack ${names.map((name) => `--workspace=packages/${name}`).join(" ")} --pack-destination=dist`,
    ...names.map((name) => `publish ./dist/sov-${name}-0.2.0.tgz --provenance --access=public`)
  ])
})

describe("packing", () => {
  const at = (): string => join(directory(), "package.json")
  const own = { name: "@sov/mcp", scripts: { prepack: "build" }, dependencies: { a: "2.0.0" } }
  const older = { ...own, dependencies: { a: "1.0.0" } }
  const { scripts: _, ...published } = own
  const write = (file: string, manifest: object) => writeFileSync(file, JSON.stringify(manifest))
  const program = `
    const { readOwnManifest } = await import(process.argv[1])
    process.stdout.write(readOwnManifest(process.argv[2]))`
  const read = (path: string): unknown =>
    JSON.parse(
      execFileSync(process.execPath, [
        "--input-type=module",
        "--eval",
        program,
        join(root, "scripts/published.ts"),
        path
      ], {
        encoding: "utf8"
      })
    )

  it("packing starts from the checkout's package.json", () => {
    const path = at()
    write(path, own)
    expect(read(path)).toEqual(own)
  })

  it("packing after an interrupted pack starts from the package.json that was kept", () => {
    const path = at()
    write(path, published)
    write(`${path}.orig`, own)
    expect(read(path)).toEqual(own)
  })

  it("packing does not mistake the copy of an earlier pack for the checkout's package.json", () => {
    const path = at()
    write(path, own)
    write(`${path}.orig`, older)
    expect(read(path)).toEqual(own)
  })
})
