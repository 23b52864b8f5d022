/**
 * Modules of another package that a published one brings in itself. `@effect/platform-node` asks for `redis` as a required
 * peer, 15 MB that no part of sov loads, so `@sov/http` gets the modules behind its HTTP server and depends on
 * `@effect/platform-node-shared`, where most of the work is done.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"

/** The module that each package vendors, and the package that it comes from. */
export const vendored: Readonly<Record<string, { readonly from: string; readonly module: string }>> = {
  "@sov/http": { from: "@effect/platform-node", module: "@effect/platform-node/NodeHttpServer" }
}

const relativeImport = /(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g

/** A module and all that it reaches by relative imports. */
const reachedFrom = (entry: string): ReadonlySet<string> => {
  const reached = new Set([entry])
  for (const file of reached) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(relativeImport)) {
      reached.add(join(dirname(file), target!))
    }
  }
  return reached
}

/** Copies what the package in `folder` vendors into its `dist`, with the licence, and has what was built import the copy. */
export const copyVendored = (folder: string): void => {
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name: string }
  const vendor = vendored[name]
  if (vendor === undefined) return
  const require = createRequire(join(folder, "package.json"))
  const source = dirname(require.resolve(`${vendor.from}/package.json`))
  const entry = require.resolve(vendor.module)
  const to = join(folder, "dist/vendor", vendor.from)
  for (const file of reachedFrom(entry)) {
    const copy = join(to, relative(join(source, "dist"), file))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"))
  }
  cpSync(join(source, "LICENSE"), join(to, "LICENSE"))
  const copied = join(to, relative(join(source, "dist"), entry))
  for (const file of globSync("**/*.js", { cwd: join(folder, "dist"), exclude: ["vendor/**"] })) {
    const path = join(folder, "dist", file)
    const text = readFileSync(path, "utf8")
    if (!text.includes(`"${vendor.module}"`)) continue
    const specifier = `./${relative(dirname(path), copied).split(sep).join("/")}`
    writeFileSync(path, text.replaceAll(`"${vendor.module}"`, `"${specifier}"`))
  }
}
