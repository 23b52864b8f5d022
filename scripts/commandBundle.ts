/**
 * The sov command and all that it rests on, joined into few modules: what Node loads for a command is read and linked
 * in a third of the time.
 */
import { readFileSync } from "node:fs"
import { createRequire, isBuiltin } from "node:module"
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

/** Costly to load: of `node:tls` Node reads certificates. */
const costlyBuiltins = ["http", "https", "http2", "tls"]
/** Modules with data that takes long to set up, and what of them is used; read when it is first used. */
const costlyModules = [{ name: "tldts", members: ["getDomain"] }]
const marked = "\0lazy:"

const lazyModule = (members: ReadonlyArray<string>, load: string): string =>
  `const lazy = (name) => [name, { enumerable: true, get: () => ${load}[name] }]
module.exports = Object.defineProperties({}, Object.fromEntries(${JSON.stringify(members)}.map(lazy)))`

/**
 * An `import` of a builtin module reads all that it exports, and so loads what Node itself loads on use: of `node:http`
 * its `fetch`, which takes longer than Node to start. Here they are asked for what is used of them; the costly ones are
 * loaded then.
 */
const lazyModules: Plugin = {
  name: "lazy modules",
  resolveId: (name, importer) => {
    if (costlyModules.some((module) => module.name === name)) {
      return importer?.startsWith(marked) === true ? null : `${marked}${name}.cjs`
    }
    // What the bundler itself puts in comes before all else
    return isBuiltin(name) && importer?.startsWith("\0rolldown") !== true
      ? `${marked}${name.replace(/^(?:node:)?/, "node:")}.cjs`
      : null
  },
  load: (id) => {
    if (!id.startsWith(marked)) return null
    const name = id.slice(marked.length, -".cjs".length)
    const members = costlyModules.find((module) => module.name === name)?.members
    if (members !== undefined) return lazyModule(members, `require(${JSON.stringify(resolveFromCore(name))})`)
    const builtin = `process.getBuiltinModule(${JSON.stringify(name)})`
    return costlyBuiltins.includes(name.replace("node:", ""))
      ? lazyModule(Object.keys(process.getBuiltinModule(name)!), builtin)
      : `module.exports = ${builtin}`
  }
}

/** Path of the CommonJS module that a package is. */
const resolveFromCore = (name: string): string => createRequire(join(packages, "core/package.json")).resolve(name)

const sourceOf = ({ name, path }: Module): string => join(packages, name, "src", path)

/** Name of the module that starts a process or thread, without its folder and ending. */
export const entryName = ({ path }: Module): string => path.replace(/^.*\/|\.ts$/g, "")

/** Writes the bundle into `folder`, beginning with `main.js`; answers its modules. */
export const bundleCommand = async (
  folder: string,
  { bare, place, started }: BundleOptions
): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: {
      main: sourceOf({ name: "cli", path: "main.ts" }),
      ...started ? Object.fromEntries(startedModules.map((module) => [entryName(module), sourceOf(module)])) : {}
    },
    platform: "node",
    external,
    plugins: [lazyModules, keepPlaces(place)]
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
