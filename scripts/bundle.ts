/**
 * The sov command as few modules: what Node loads for a command is read and linked in half the time. Its own packages and
 * what they depend on are joined; PGlite stays outside, which runs in a process of its own.
 */
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { type Plugin, rolldown } from "rolldown"

const packages = resolve(import.meta.dirname, "../packages")
const cli = join(packages, "cli/src")

/**
 * Modules find files and programs of their package by their own place, which in a bundle is lost: each is given the place
 * that it has in its package. Those of other packages have the extension that these are loaded with.
 */
const keepPlaces = (extension: "js" | "ts"): Plugin => ({
  name: "keep places",
  transform: (code, id) => {
    if (!id.startsWith(packages) || !code.includes("import.meta.url")) return null
    const [name = "", , ...path] = relative(packages, id).split(sep)
    const module = path.join("/").replace(/\.ts$/, "")
    const place = name === "cli"
      ? `new URL("./${module}.js", import.meta.url).href`
      : `new URL("./${module}.${extension}", import.meta.resolve("@sov/${name}")).href`
    return code.replaceAll("import.meta.url", place)
  }
})

/** The licences of joined packages, which ask to go where their code goes. */
const collectLicences = (modules: ReadonlyArray<string>): string => {
  const folders = new Set(modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []))
  return [...folders].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>
    const [file] = globSync(["LICENSE*", "LICENCE*", "license*"], { cwd: folder })
    if (file === undefined) throw new Error(`${folder} has no licence`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`
  }).join(`\n${"-".repeat(80)}\n\n`)
}

/** Writes the command into `folder`, beginning with `main.js`. */
const bundleCommand = async (folder: string, extension: "js" | "ts"): Promise<void> => {
  const bundle = await rolldown({
    input: { main: join(cli, "main.ts") },
    platform: "node",
    external: /^@electric-sql\/pglite/,
    plugins: [keepPlaces(extension)]
  })
  const { output } = await bundle.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" })
  const modules = output.flatMap((one) => one.type === "chunk" ? one.moduleIds : [])
  writeFileSync(join(folder, "LICENSES.txt"), collectLicences(modules))
  for (const file of globSync("**/*.{bash,fish,zsh}", { cwd: cli })) cpSync(join(cli, file), join(folder, file))
}

const [folder, extension] = process.argv.slice(2)
if (folder === undefined || (extension !== "js" && extension !== "ts")) throw new Error("bundle.ts FOLDER js|ts")
await bundleCommand(folder, extension)
