/**
 * Modules of other packages that a published package contains as copies, because sov would load only a small part of
 * those packages:
 *
 * - `@effect/platform-node` has `redis` as a required peer dependency, 15 MB. `@sov/http` gets a copy of the modules
 *   behind its HTTP server and depends on `@effect/platform-node-shared`, which does most of the work.
 * - `libphonenumber-js` contains its rules in four sizes, each in three module formats, 12 MB. `@sov/core` gets one of
 *   them, 0.5 MB.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The module that each package vendors, and the package that it comes from. */
export const vendored: Readonly<Record<string, { readonly from: string; readonly module: string }>> = {
  "@sov/core": { from: "libphonenumber-js", module: "libphonenumber-js/min" },
  "@sov/http": { from: "@effect/platform-node", module: "@effect/platform-node/NodeHttpServer" }
}

const relativeImport = /(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g

/** A module and all modules that it reaches through relative imports. */
const reachedFrom = (entry: string): ReadonlySet<string> => {
  const reached = new Set([entry])
  for (const file of reached) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(relativeImport)) {
      reached.add(join(dirname(file), target!))
    }
  }
  return reached
}

/**
 * Copies the vendored modules of the package in `folder` into its `dist`, with their licences, and makes the built
 * modules import the copies.
 */
export const copyVendored = (folder: string): void => {
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name: string }
  const vendor = vendored[name]
  if (vendor === undefined) return
  const source = dirname(fileURLToPath(import.meta.resolve(`${vendor.from}/package.json`)))
  const entry = fileURLToPath(import.meta.resolve(vendor.module))
  const to = join(folder, "dist/vendor", vendor.from)
  const copyOf = (file: string): string => join(to, relative(source, file))
  for (const file of reachedFrom(entry)) {
    mkdirSync(dirname(copyOf(file)), { recursive: true })
    writeFileSync(copyOf(file), readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"))
  }
  for (const file of globSync("LICENSE*", { cwd: source })) cpSync(join(source, file), join(to, file))
  for (const file of globSync("**/*.js", { cwd: join(folder, "dist"), exclude: ["vendor/**"] })) {
    const path = join(folder, "dist", file)
    const text = readFileSync(path, "utf8")
    if (!text.includes(`"${vendor.module}"`)) continue
    const specifier = `./${relative(dirname(path), copyOf(entry)).split(sep).join("/")}`
    writeFileSync(path, text.replaceAll(`"${vendor.module}"`, `"${specifier}"`))
  }
}
