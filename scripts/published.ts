/**
 * The package.json of a published package. In the checkout the entries of `exports` name sources, so that everything
 * runs as it is; below `node_modules` Node refuses TypeScript, so there they name what was built from them.
 */
import { existsSync, readFileSync } from "node:fs"
import { vendored } from "./vendored.ts"

export interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | Built>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly scripts?: unknown
  readonly devDependencies?: unknown
  readonly [member: string]: unknown
}

interface Built {
  readonly types: string
  readonly default: string
}

/** `./src/x.ts` becomes the built module with its types; anything else, such as `./package.json`, stays. */
const toBuilt = (target: string | Built): string | Built => {
  const source = typeof target === "string" ? /^\.\/src\/(.+)\.ts$/.exec(target)?.[1] : undefined
  return source === undefined ? target : { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` }
}

/**
 * Entries of `exports` name what was built; what only the checkout needs is left out. Of a bundled package
 * `dependencies` are given: what its bundle has in itself is installed no second time.
 */
export const toPublished = (manifest: Manifest, bundled?: Manifest["dependencies"]): Manifest => {
  const { devDependencies: _, scripts: __, ...rest } = manifest
  const { dependencies = {}, exports = {}, name } = rest
  return {
    ...rest,
    ..."exports" in rest
      ? { exports: Object.fromEntries(Object.entries(exports).map(([entry, target]) => [entry, toBuilt(target)])) }
      : {},
    dependencies: bundled ?? Object.fromEntries(
      Object.entries(dependencies).filter(([dependency]) => dependency !== vendored[name]?.from)
    )
  }
}

/**
 * The checkout's own package.json at `path`, as text. After an interrupted pack `path` is the published one, and the
 * own one is kept beside it as `.orig`. A `.orig` beside a package.json with scripts was left by an earlier pack, and
 * does not count.
 */
export const readOwnManifest = (path: string): string => {
  const text = readFileSync(path, "utf8")
  const isPublished = (JSON.parse(text) as Manifest).scripts === undefined
  return isPublished && existsSync(`${path}.orig`) ? readFileSync(`${path}.orig`, "utf8") : text
}
