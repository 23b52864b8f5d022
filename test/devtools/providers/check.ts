/**
 * `npm run check:providers`: installs the newest official SDKs into a temporary folder and compares the members of
 * their types with those of the last check. Exits with 1 if a member that sov uses was removed or deprecated, with 2 if
 * the SDKs cannot be installed. `-- --keep` stores the result, and writes versions and date to docs/platforms.md.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { compareMembers, describeDifference, isBreaking, keep, type Kept } from "./compareMembers.ts"
import { memberPairs } from "./memberPairs.ts"
import { readMembers } from "./readMembers.ts"

const repository = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "")
const keptFile = fileURLToPath(new URL("kept.json", import.meta.url))
const page = join(repository, "docs/platforms.md")

const install = (packages: ReadonlyArray<string>, folder: string): Kept["packages"] => {
  writeFileSync(join(folder, "package.json"), "{\"private\":true}")
  execFileSync("npm", [
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...packages.map((one) => `${one}@latest`)
  ], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"]
  })
  return Object.fromEntries(packages.map((one) => {
    const manifest = readFileSync(join(folder, "node_modules", one, "package.json"), "utf8")
    return [one, (JSON.parse(manifest) as { readonly version: string }).version]
  }))
}

/** The page with new versions and a new date in the table "What the adapters were checked against". */
const withVersions = (text: string, { date, packages }: Kept): string =>
  Object.entries(packages).reduce((page, [name, version]) =>
    page.replaceAll(
      new RegExp(`^(\\|.*\`${name.replaceAll(/[/.-]/g, "\\$&")}\` )[0-9.]+([^|]*\\| )[0-9-]+( *\\|)$`, "gm"),
      `$1${version}$2${date}$3`
    ), text)

const folder = mkdtempSync(join(tmpdir(), "sov-providers-"))
try {
  const kept = JSON.parse(readFileSync(keptFile, "utf8")) as Kept
  const names = [...new Set(memberPairs.map((pair) => pair.package))]
  process.stderr.write(`Installing ${names.join(", ")} …\n`)
  const packages = install(names, folder)
  for (const name of names) console.log(`${name} ${packages[name]} (last look on ${kept.date}: ${kept.packages[name]})`)
  const found = readMembers(folder, repository)
  const differences = compareMembers(kept.types, found)
  for (const one of differences) console.log(describeDifference(one))
  if (differences.length === 0) console.log("nothing is new, gone or deprecated")
  if (process.argv.includes("--keep")) {
    const next: Kept = {
      date: new Date().toISOString().slice(0, 10),
      packages,
      types: Object.fromEntries([...found].map(([type, members]) => [type, keep(members)]))
    }
    writeFileSync(keptFile, `${JSON.stringify(next, null, 2)}\n`)
    writeFileSync(page, withVersions(readFileSync(page, "utf8"), next))
    console.log("kept")
  } else if (differences.some(isBreaking)) {
    console.log("change the adapters, then keep this look: npm run check:providers -- --keep")
    process.exitCode = 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  rmSync(folder, { recursive: true, force: true })
}
