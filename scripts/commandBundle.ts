/**
 * Bundles the sov command and everything it imports into a few modules. Node loads them in a third of the time that the
 * separate files take.
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, relative, resolve, sep } from "node:path"
import { type OutputChunk, type Plugin, rolldown } from "rolldown"

const packages = resolve(import.meta.dirname, "../packages")

/** A module of the packages, such as `{ name: "core", path: "adapters/threads/PoolThread.ts" }`. */
export interface Module {
  readonly name: string
  readonly path: string
}

/** Modules that are started by their path, each in its own process or thread. */
export const startedModules: ReadonlyArray<Module> = [
  { name: "core", path: "adapters/embedded/owner.ts" },
  { name: "core", path: "adapters/threads/analysisThread.ts" }
]

/** PGlite is not bundled, because it finds its files relative to its own path. */
const external = /^@electric-sql\/pglite(?:\/|$)/

/** How to build a bundle. */
export interface BundleOptions {
  /** Returns the expression that replaces `import.meta.url` in a module. */
  readonly place: (module: Module) => string
  /**
   * Adds `startedModules` as entry points, and removes comments other than licences. Otherwise adds `commandLine.js`,
   * with which tests run commands in one process.
   */
  readonly published: boolean
}

/**
 * Keeps the URL of each module as it was before bundling, because modules find files and programs of their package
 * relative to it.
 */
const keepPlaces = (place: BundleOptions["place"]): Plugin => ({
  name: "keep places",
  transform: (code, id) => {
    if (!id.startsWith(packages) || !code.includes("import.meta.url")) return null
    const [name = "", , ...path] = relative(packages, id).split(sep)
    return code.replaceAll("import.meta.url", place({ name, path: path.join("/") }))
  }
})

const sourceOf = ({ name, path }: Module): string => join(packages, name, "src", path)

/** Name of a module that starts a process or thread, without folder and extension. */
export const entryName = ({ path }: Module): string => path.replace(/^.*\/|\.ts$/g, "")

/** Minifier settings that keep licences and the names shown in errors, and remove other comments and white space. */
const minified = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
} as const

/** Writes the bundle into `folder`, with `main.js` as its first module. Returns the modules of the bundle. */
export const bundleCommand = async (
  folder: string,
  { place, published }: BundleOptions
): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: {
      main: sourceOf({ name: "cli", path: "main.ts" }),
      ...published
        ? Object.fromEntries(startedModules.map((module) => [entryName(module), sourceOf(module)]))
        : { commandLine: sourceOf({ name: "cli", path: "commandLine.ts" }) }
    },
    platform: "node",
    external,
    plugins: [keepPlaces(place)]
  })
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    ...published ? minified : {}
  })
  return output.filter((file) => file.type === "chunk")
}

/** Packages that a bundle loads at run time, with their versions in the checkout. */
export const listExternal = (chunks: ReadonlyArray<OutputChunk>): Readonly<Record<string, string>> => {
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const loaded = chunks.flatMap(({ dynamicImports, imports }) => [...imports, ...dynamicImports])
    .filter((name) => !own.has(name) && !isBuiltin(name))
  const { dependencies } = JSON.parse(readFileSync(join(packages, "core/package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return Object.fromEntries(
    [...new Set(loaded.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]))].toSorted().map((name) => {
      const version = dependencies[name]
      if (version === undefined) throw new Error(`The bundle loads ${name}, which is no dependency of @sov/core`)
      return [name, version]
    })
  )
}
