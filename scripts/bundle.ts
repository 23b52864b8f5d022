/**
 * The sov command as few modules: what Node loads for a command is read and linked in half the time. Its own packages and
 * what they depend on are joined; PGlite stays outside, which runs in a process of its own.
 */
import { cpSync, globSync } from "node:fs"
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

/** Writes the command into `folder`, beginning with `main.js`. */
const bundleCommand = async (folder: string, extension: "js" | "ts"): Promise<void> => {
  const bundle = await rolldown({
    input: { main: join(cli, "main.ts") },
    platform: "node",
    external: /^@electric-sql\/pglite/,
    plugins: [keepPlaces(extension)]
  })
  await bundle.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" })
  for (const file of globSync("**/*.{bash,fish,zsh}", { cwd: cli })) cpSync(join(cli, file), join(folder, file))
}

const [folder, extension] = process.argv.slice(2)
if (folder === undefined || (extension !== "js" && extension !== "ts")) throw new Error("bundle.ts FOLDER js|ts")
await bundleCommand(folder, extension)
