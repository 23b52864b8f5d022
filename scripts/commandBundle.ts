/**
 * The sov command and all that it rests on, joined into few modules: what Node loads for a command is read and linked
 * in a third of the time.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire, isBuiltin } from "node:module"
import { dirname, join, relative, resolve, sep } from "node:path"
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
  /** Name of its first module. */
  readonly main: string
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

/** Builtin modules that Node itself has loaded before a program begins. */
const loadedBuiltins = ["buffer", "events", "fs", "module", "path", "process", "timers", "url", "util"]
/** Modules with data that takes long to set up, and what of them is used; read when it is first used. */
const costlyModules = [{ name: "tldts", members: ["getDomain"] }]
const marked = "\0lazy:"

const lazyModule = (members: ReadonlyArray<string>, load: string): string =>
  `const lazy = (name) => [name, { enumerable: true, get: () => ${load}[name] }]
module.exports = Object.defineProperties({}, Object.fromEntries(${JSON.stringify(members)}.map(lazy)))`

/** A module whose members are constants, of which a bundle keeps those that are used. */
const loadedBuiltin = (name: string, load: string): string => {
  const members = Object.keys(process.getBuiltinModule(name)!).filter((member) => /^[A-Za-z_]\w*$/.test(member))
  return `const builtin = ${load}
const pick = (name) => builtin[name]
export default builtin
${members.map((member) => `const $${member} = /* @__PURE__ */ pick("${member}")`).join("\n")}
export { ${members.map((member) => `$${member} as ${member}`).join(", ")} }`
}

/**
 * A module that is loaded when a member is first read. An importer gets an object with this one's prototype; from then
 * on the prototype is the loaded module.
 */
const lazyBuiltin = (load: string): string =>
  `module.exports = Object.create(new Proxy({}, {
  get: (_, name, importer) => Object.setPrototypeOf(importer, ${load})[name]
}))`

/**
 * An `import` of a builtin module reads all that it exports, and so loads what Node itself loads on use: of `node:http`
 * its `fetch`, which takes longer than Node to start. Here they are asked for what is used of them, and loaded then.
 */
const lazyModules: Plugin = {
  name: "lazy modules",
  resolveId: (name, importer, { kind }) => {
    if (costlyModules.some((module) => module.name === name)) {
      return importer?.startsWith(marked) === true ? null : `${marked}${name}.cjs`
    }
    // What the bundler itself puts in comes before all else
    if (!isBuiltin(name) || importer?.startsWith("\0rolldown") === true) return null
    return `${marked}${name.replace(/^(?:node:)?/, "node:")}.${kind === "require-call" ? "cjs" : "js"}`
  },
  load: (id) => {
    if (!id.startsWith(marked)) return null
    const [name = "", kind] = id.slice(marked.length).split(/\.(?=c?js$)/)
    const members = costlyModules.find((module) => module.name === name)?.members
    if (members !== undefined) return lazyModule(members, `require(${JSON.stringify(resolveFromCore(name))})`)
    const load = `process.getBuiltinModule(${JSON.stringify(name)})`
    if (kind === "cjs") return `module.exports = ${load}`
    return loadedBuiltins.includes(name.replace("node:", "")) ? loadedBuiltin(name, load) : lazyBuiltin(load)
  }
}

/** Path of the CommonJS module that a package is. */
const resolveFromCore = (name: string): string => createRequire(join(packages, "core/package.json")).resolve(name)

const sourceOf = ({ name, path }: Module): string => join(packages, name, "src", path)

/** Name of the module that starts a process or thread, without its folder and ending. */
export const entryName = ({ path }: Module): string => path.replace(/^.*\/|\.ts$/g, "")

/** Of comments those on licences, and no more blanks than needed; names stay, which errors have. */
const bareOutput = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
} as const

/** Writes the bundle into `folder`, beginning with `main`; answers its modules. */
export const bundleCommand = async (
  folder: string,
  { bare, main, place, started }: BundleOptions
): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: {
      [main]: sourceOf({ name: "cli", path: "main.ts" }),
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
    ...bare ? bareOutput : {}
  })
  return output.filter((file) => file.type === "chunk")
}

/** Commands that read and print, and so are over in a moment, with the module of each. */
const quickCommands = {
  "archive list": "archive/archive.ts",
  "scan list": "scan/scan.ts",
  score: "score/score.ts",
  status: "status/status.ts"
}

const quickEntries = [
  "commandLine.ts",
  "tree/operate.ts",
  "tree/scans.ts",
  ...Object.values(quickCommands).map((path) => `commands/${path}`)
].map((path) => sourceOf({ name: "cli", path }))

const scriptInput = (place: BundleOptions["place"]) => ({
  platform: "node" as const,
  external,
  plugins: [lazyModules, keepPlaces(place)],
  // Effect asks a build tool's import.meta.env, and says where a second copy of it lies
  transform: { define: { "import.meta.env": "undefined", "import.meta.resolve": "require.resolve" } }
})

/** Whether a module of the tree imports a command that is none of the quick ones, nor one of their groups. */
const isOtherCommand = (target: string, importer = ""): boolean =>
  importer.includes("/cli/src/tree/") && target.startsWith("../commands/") &&
  !Object.values(quickCommands).some((path) => target.startsWith(`../commands/${dirname(path)}/`))

/** Paths of the modules that the quick commands load. */
const listQuickModules = async (place: BundleOptions["place"]): Promise<ReadonlySet<string>> => {
  const { plugins, ...input } = scriptInput(place)
  const bundle = await rolldown({
    ...input,
    input: quickEntries,
    plugins: [
      { name: "what is loaded later", resolveDynamicImport: (id) => ({ id: `later:${String(id)}`, external: true }) },
      ...plugins
    ]
  })
  const { output } = await bundle.generate({ format: "esm" })
  return new Set(output.flatMap((file) => file.type === "chunk" ? file.moduleIds : []))
}

/**
 * Writes the command as CommonJS modules in ASCII, which are read without decoding them: all that the quick commands
 * load is one of them. Answers the name of that one, and of the one that exports `runCommandLine`.
 */
export const bundleScript = async (
  folder: string,
  place: BundleOptions["place"]
): Promise<{ readonly shared: string; readonly entry: string }> => {
  const quick = await listQuickModules(place)
  const { plugins, ...input } = scriptInput(place)
  const bundle = await rolldown({
    ...input,
    plugins: [
      {
        name: "no other commands",
        resolveDynamicImport: (id, importer) =>
          typeof id === "string" && isOtherCommand(id, importer) ? { id: "./sov.js", external: true } : null
      },
      ...plugins
    ],
    input: { command: sourceOf({ name: "cli", path: "commandLine.ts" }) }
  })
  const { output } = await bundle.generate({
    format: "cjs",
    entryFileNames: "[name]-[hash].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    strictExecutionOrder: true,
    codeSplitting: { groups: [{ name: "quick", test: (id) => quick.has(id) }] },
    ...bareOutput
  })
  const chunks = output.filter((file) => file.type === "chunk")
  for (const { code, fileName } of chunks) {
    // Where an escape is not what it stands for
    if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error(`${fileName} has raw text that is not ASCII`)
    const ascii = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    writeFileSync(join(folder, fileName), ascii)
  }
  const find = (name: string) => chunks.find((chunk) => chunk.name === name)!.fileName
  return { shared: find("quick"), entry: find("command") }
}

/** Writes the module that starts the script of that name for these commands, and the modules for all others. */
export const bundleStart = async (
  folder: string,
  script: { readonly shared: string; readonly entry: string }
): Promise<void> => {
  const bundle = await rolldown({
    input: { main: join(import.meta.dirname, "startCommand.ts") },
    platform: "node",
    external: /^\.\/sov\.js$/,
    plugins: [lazyModules],
    transform: {
      define: {
        shared: JSON.stringify(script.shared),
        entry: JSON.stringify(script.entry),
        commands: JSON.stringify(Object.keys(quickCommands))
      }
    }
  })
  await bundle.write({ dir: folder, format: "esm", ...bareOutput })
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
