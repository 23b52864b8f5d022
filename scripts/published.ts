/**
 * Creates the package.json to publish. In the checkout, `exports` name TypeScript sources, so that everything runs
 * without a build. Node refuses TypeScript below `node_modules`, so the published `exports` name the built modules.
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

/**
 * Replaces `./src/x.ts` by the built module with its types; any other target, such as `./package.json`, stays
 * unchanged.
 */
const toBuilt = (target: string | Built): string | Built => {
  const source = typeof target === "string" ? /^\.\/src\/(.+)\.ts$/.exec(target)?.[1] : undefined
  return source === undefined ? target : { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` }
}

/**
 * Replaces the targets of `exports` by built modules, and removes everything that only the checkout needs. For a
 * bundled package, `dependencies` must be given, so that bundled packages are not installed again.
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
 * The checkout's own package.json at `path`, as text. After an interrupted pack, `path` is the published version, and
 * the checkout's is next to it as `.orig`. A `.orig` next to a package.json with scripts is left over from an earlier
 * pack and ignored.
 */
export const readOwnManifest = (path: string): string => {
  const text = readFileSync(path, "utf8")
  const isPublished = (JSON.parse(text) as Manifest).scripts === undefined
  return isPublished && existsSync(`${path}.orig`) ? readFileSync(`${path}.orig`, "utf8") : text
}
