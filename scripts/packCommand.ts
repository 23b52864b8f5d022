/**
 * Prepares the published `@sov/cli`: one bundle of its modules, the other packages of this repository and their
 * dependencies. An installation then has a few files instead of ten thousand, and a command loads few modules.
 */
import { cpSync, globSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { bundleCommand, entryName, listExternal, type Module, startedModules } from "./commandBundle.ts"
import { formatNotices } from "./notices.ts"

const packages = resolve(import.meta.dirname, "../packages")

/** Path of a module in the published `dist`, which all packages share. */
const placeInDist = (path: string): string => path.replace(/\.ts$/, ".js")

const copyOnce = (from: string, to: string, taken: Set<string>): void => {
  if (taken.has(to)) throw new Error(`Two packages have a file ${to}`)
  taken.add(to)
  cpSync(from, to)
}

/** Fills `dist` and `assets` of the package in `folder`; returns its remaining dependencies. */
export const packCommand = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const dist = join(folder, "dist")
  const place = ({ path }: Module) => `new URL("./${placeInDist(path)}", import.meta.url).href`
  const chunks = await bundleCommand(dist, { place, published: true })
  for (const module of startedModules) {
    const file = join(dist, placeInDist(module.path))
    const entry = relative(dirname(file), join(dist, `${entryName(module)}.js`)).split(sep).join("/")
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import "${entry}"\n`)
  }
  const taken = new Set<string>()
  for (const name of ["core", "http", "mcp", "cli"]) {
    const source = join(packages, name, "src")
    for (const file of globSync("**/*.{css,js,svg,bash,fish,zsh}", { cwd: source })) {
      copyOnce(join(source, file), join(dist, file), taken)
    }
  }
  for (const file of globSync("*", { cwd: join(packages, "core/assets") })) {
    copyOnce(join(packages, "core/assets", file), join(folder, "assets", file), taken)
  }
  cpSync(join(packages, "../docs/sov.1"), join(dist, "sov.1"))
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), formatNotices(chunks.flatMap(({ moduleIds }) => moduleIds)))
  return listExternal(chunks)
}
