/**
 * The sov command and everything it imports, joined into few modules. Node loads them in a third of the time of the
 * separate files.
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, relative, resolve, sep } from "node:path"
import { type OutputChunk, type Plugin, rolldown } from "rolldown"

const packages = resolve(import.meta.dirname, "../packages")

/** A module of the packages: `{ name: "core", path: "adapters/threads/PoolThread.ts" }`. */
export interface Module {
  readonly name: string
  readonly path: string
}

/** The modules that are started by their path, in a process or a thread of their own. */
export const startedModules: ReadonlyArray<Module> = [
  { name: "core", path: "adapters/embedded/owner.ts" },
  { name: "core", path: "adapters/threads/analysisThread.ts" }
]

/** PGlite stays outside the bundle: it finds its own files by its place. */
const external = /^@electric-sql\/pglite(?:\/|$)/

/** How a bundle is made. */
export interface BundleOptions {
  /** An expression for the URL of a module, which replaces its `import.meta.url`. */
  readonly place: (module: Module) => string
  /** Adds `startedModules` as entries, and leaves out comments other than licences. */
  readonly published: boolean
}

/** Modules find files and programs of their package by their own place. */
const keepPlaces = (place: BundleOptions["place"]): Plugin => ({
  name: "keep places",
  transform: (code, id) => {
    if (!id.startsWith(packages) || !code.includes("import.meta.url")) return null
    const [name = "", , ...path] = relative(packages, id).split(sep)
    return code.replaceAll("import.meta.url", place({ name, path: path.join("/") }))
  }
})

const sourceOf = ({ name, path }: Module): string => join(packages, name, "src", path)

/** Name of the module that starts a process or thread, without its folder and ending. */
export const entryName = ({ path }: Module): string => path.replace(/^.*\/|\.ts$/g, "")

/** Keeps licences and the names that errors show; removes other comments and white space. */
const minified = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
} as const

/** Writes the bundle into `folder`; `main.js` is its first module. Returns its modules. */
export const bundleCommand = async (
  folder: string,
  { place, published }: BundleOptions
): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: {
      main: sourceOf({ name: "cli", path: "main.ts" }),
      ...published ? Object.fromEntries(startedModules.map((module) => [entryName(module), sourceOf(module)])) : {}
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

/** Packages that a bundle loads at run time, with the versions of the checkout. */
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
