/**
 * Checks packed packages with publint and Are The Types Wrong: `node check.ts TARBALL…`. Prints their output, and fails
 * on any finding. All of sov is ESM, so findings for CommonJS do not count; packages without an entry point have no
 * types to check.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const run = (tool: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(process.execPath, [fileURLToPath(new URL(`node_modules/${tool}`, import.meta.url)), ...args], {
    stdio: "inherit"
  }).status === 0

const hasEntries = (tarball: string): boolean =>
  "exports" in
    (JSON.parse(execFileSync("tar", ["-xOf", tarball, "package/package.json"], { encoding: "utf8" })) as object)

const tarballs = process.argv.slice(2)
if (tarballs.length === 0) throw new Error("name the tarballs")
const passed = tarballs.map((tarball) => {
  const isWellMade = run("publint/src/cli.js", "run", "--strict", "--level", "suggestion", tarball)
  const hasTypes = !hasEntries(tarball)
    || run("@arethetypeswrong/cli/dist/index.js", "--profile", "esm-only", "--no-emoji", "--format", "ascii", tarball)
  return isWellMade && hasTypes
})
process.exitCode = passed.every(Boolean) ? 0 : 1
