/**
 * Bundles the command for tests, which start it hundreds of times: a bundled start costs a third of one from source.
 * The bundle is outside of `node_modules`, because a command below `node_modules` considers itself an installed
 * package.
 */
import { execFileSync } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const bundles = path.join(root, "test/dist")
/** Runs that began longer ago than this have ended; files that only they need are removed. Milliseconds. */
const longestRunMs = 86_400_000

/** The inputs of a bundle: the packages, the dependencies, and the scripts that build it. */
const inputs = (): ReadonlyArray<string> => [
  "package-lock.json",
  "scripts/bundle.ts",
  "scripts/commandBundle.ts",
  ...fs.globSync("packages/*/{package.json,bin/*,src/**/*}", { cwd: root }).toSorted()
]

const fingerprint = (): string => {
  const hash = createHash("sha256")
  for (const file of inputs()) {
    const at = path.join(root, file)
    if (fs.statSync(at).isFile()) hash.update(`\0${file}\0`).update(fs.readFileSync(at))
  }
  return hash.digest("hex").slice(0, 20)
}

/** Bundles the command unless an up-to-date bundle exists; returns the path of its launcher. */
export const bundleCommandOnce = (): string => {
  const ready = path.join(bundles, fingerprint())
  const launcher = path.join(ready, "bin/sov")
  if (fs.existsSync(ready)) return launcher
  fs.mkdirSync(bundles, { recursive: true })
  for (const name of fs.readdirSync(bundles)) {
    const old = path.join(bundles, name)
    if (Date.now() - fs.statSync(old).mtimeMs > longestRunMs) fs.rmSync(old, { recursive: true, force: true })
  }
  const making = path.join(bundles, randomUUID())
  execFileSync(process.execPath, [path.join(root, "scripts/bundle.ts"), path.join(making, "dist")])
  for (const part of ["bin", "package.json"]) {
    fs.cpSync(path.join(root, "packages/cli", part), path.join(making, part), { recursive: true })
  }
  try {
    fs.renameSync(making, ready)
  } catch (error) {
    // Another run on this checkout may have created the bundle in the meantime
    fs.rmSync(making, { recursive: true, force: true })
    if (!fs.existsSync(ready)) throw error
  }
  return launcher
}
