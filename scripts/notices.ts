/**
 * Collects the licences of all packages whose modules are in a bundle into one text, because most licences must
 * accompany each copy.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

interface Bundled {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
}

/** The package of a module below `node_modules`; undefined for modules of this repository and of the bundler. */
const packageOf = (module: string): Bundled | undefined => {
  if (!module.includes("/node_modules/") || !existsSync(module)) return undefined
  for (let folder = dirname(module); folder.includes("/node_modules/"); folder = dirname(folder)) {
    const file = join(folder, "package.json")
    if (!existsSync(file)) continue
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Partial<Bundled>
    // A package.json without a name only says how the modules of its folder are read
    if (manifest.name === undefined || manifest.version === undefined) continue
    const { license, name, version } = manifest
    if (license === undefined) throw new Error(`${name}@${version} says no licence`)
    return { name, version, license, folder }
  }
  return undefined
}

/** The licence notices for the modules with these paths. Throws if a package states no licence. */
export const formatNotices = (modules: Iterable<string>): string => {
  const packages = new Map<string, Bundled>()
  for (const module of modules) {
    const found = packageOf(module.replace(/^\0|\?.*$/g, ""))
    if (found !== undefined) packages.set(`${found.name}@${found.version}`, found)
  }
  const sections = [...packages].toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, { folder, license }]) => {
    const texts = globSync("{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*", { cwd: folder })
      .filter((file) => !/\.(?:js|ts|json|html)$/.test(file))
      .toSorted()
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
    return [`${name} (${license})`, ...texts].join("\n\n")
  })
  return `The modules in this folder contain code of these packages, under their licences:\n\n${
    sections.join(`\n\n${"-".repeat(80)}\n\n`)
  }\n`
}
