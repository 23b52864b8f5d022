/**
 * `dist/main.js` of the published command. A command that reads and prints takes a moment, most of which goes into
 * loading and compiling. Such commands run as one script, of which the functions are kept that were compiled while it
 * ran; `NODE_COMPILE_CACHE` keeps of a module only what is compiled before it runs. All other commands run the modules,
 * as does everything where nothing may be kept.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire, Module } from "node:module"
import { fileURLToPath } from "node:url"
import { cachedDataVersionTag } from "node:v8"
import { constants, Script } from "node:vm"
import { crc32 } from "node:zlib"

/** Names of the script beside this module, which tells its content, and of the module that begins. */
declare const shared: string
declare const entry: string
/** The commands that they are for. */
declare const commands: ReadonlyArray<string>

type Wrapper = (exports: object, require: NodeJS.Require, module: Module, file: string) => void

const caches = process.env["NODE_COMPILE_CACHE"] ?? ""

const args = process.argv.slice(2)

/** The command as it is typed, with its group: `archive list`. Help needs less than the script has. */
const command = args.some((arg) => arg === "--help" || arg === "-h")
  ? undefined
  : commands.find((name) => name === args[0] || name === `${args[0]} ${args[1]}`)

/** What was kept of an earlier run, behind a checksum; undefined without one. */
const readKept = (file: string): Buffer | undefined => {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(4)
    return bytes.readUInt32LE(0) === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}

/** Other commands that start meanwhile read the old file or the new one. A folder that is full or read-only is none. */
const keep = (folder: string, file: string, data: Buffer): void => {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(data))
  const making = `${file}.${process.pid}`
  try {
    // Node itself has made the folder above
    if (!existsSync(folder)) mkdirSync(folder)
    writeFileSync(making, Buffer.concat([sum, data]), { mode: 0o600 })
    renameSync(making, file)
  } catch {
    // The next command compiles again
  }
}

const runScript = async (name: string): Promise<void> => {
  const path = fileURLToPath(new URL(shared, import.meta.url))
  const folder = `${caches}/${shared}-${process.version}-${process.arch}-${cachedDataVersionTag()}`
  const file = `${folder}/${name.replace(" ", "-")}`
  const cachedData = readKept(file)
  const compiled = new Script(
    `(function (exports, require, module, __filename) {${readFileSync(path, "latin1")}\n})`,
    {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...cachedData === undefined ? {} : { cachedData }
    }
  )
  if (cachedData === undefined || compiled.cachedDataRejected === true) {
    process.on("exit", (code) => {
      if (code === 0) keep(folder, file, compiled.createCachedData())
    })
  }
  const require = createRequire(path)
  const module = new Module(path)
  // For the modules beside it, which are loaded later
  require.cache[path] = module
  ;(compiled.runInThisContext() as Wrapper)(module.exports, require, module, path)
  module.loaded = true
  await (require(`./${entry}`) as { readonly runCommandLine: () => Promise<void> }).runCommandLine()
}

await (command === undefined || caches === "" ? import("./sov.js" as string) : runScript(command))
