/** The sov command and all that it rests on, joined into few modules: what Node loads for a command is read and linked in a third of the time. */
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

/** What the bundle does not take in: it has files of its own that it finds by its place. */
const external = /^@electric-sql\/pglite(?:\/|$)/

/** How a bundle is made. */
export interface BundleOptions {
  /** An expression with the URL of a module, which in a bundle has lost its own. */
  readonly place: (module: Module) => string
  /** Whether the bundle has `startedModules` as entries of its own, named by their last name. */
  readonly started: boolean
  /** Whether comments are left out, but for those on licences. */
  readonly bare: boolean
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

/** Costly to load: `import` of `node:http` reads all it exports, and so loads Node's `fetch`; `node:tls` reads certificates. */
const costlyBuiltins = ["http", "https", "http2", "tls"]
const marked = "\0lazy:"

/** Builtin modules that are loaded when something of them is first used, which most commands never do. */
const lazyBuiltins: Plugin = {
  name: "lazy builtins",
  resolveId: (name) => {
    const builtin = name.replace(/^node:/, "")
    return costlyBuiltins.includes(builtin) ? `${marked}${builtin}.cjs` : null
  },
  load: (id) => {
    if (!id.startsWith(marked)) return null
    const name = `node:${id.slice(marked.length, -".cjs".length)}`
    const names = Object.keys(process.getBuiltinModule(name)!).map((key) => JSON.stringify(key))
    return `const lazy = (name) => [name, { enumerable: true, get: () => process.getBuiltinModule("${name}")[name] }]
module.exports = Object.defineProperties({}, Object.fromEntries([${names.join(", ")}].map(lazy)))`
  }
}

/** Name of the module that starts a process or thread, without its folder and ending. */
export const entryName = ({ path }: Module): string => path.replace(/^.*\/|\.ts$/g, "")

/** Writes the bundle into `folder`, beginning with `main.js`; answers its modules. */
export const bundleCommand = async (
  folder: string,
  { bare, place, started }: BundleOptions
): Promise<ReadonlyArray<OutputChunk>> => {
  const source = ({ name, path }: Module): string => join(packages, name, "src", path)
  const bundle = await rolldown({
    input: {
      main: source({ name: "cli", path: "main.ts" }),
      ...started ? Object.fromEntries(startedModules.map((module) => [entryName(module), source(module)])) : {}
    },
    platform: "node",
    external,
    plugins: [lazyBuiltins, keepPlaces(place)]
  })
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    ...bare
      ? {
        comments: { legal: true, annotation: false, jsdoc: false },
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
      }
      : {}
  })
  return output.filter((file) => file.type === "chunk")
}

/** Packages that the modules of a bundle load at run time, with the versions that the checkout has. */
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
