/**
 * The sov command as few modules: `node scripts/bundle.ts FOLDER` writes it there, beginning with `main.js`. What Node loads
 * for a command is read and linked in a third of the time. It belongs to this checkout: files and processes of the packages
 * are found where they lie here.
 */
import { cpSync, globSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { type Plugin, rolldown } from "rolldown"

const packages = resolve(import.meta.dirname, "../packages")
const cli = join(packages, "cli/src")

/**
 * Modules find files and programs of their package by their own place, which in a bundle is lost: each is given the place
 * that it has in its package.
 */
const keepPlaces: Plugin = {
  name: "keep places",
  transform: (code, id) => {
    if (!id.startsWith(packages) || !code.includes("import.meta.url")) return null
    const [name = "", , ...path] = relative(packages, id).split(sep)
    const module = path.join("/")
    const place = name === "cli"
      ? `new URL("./${module}", import.meta.url).href`
      : `new URL("./${module}", import.meta.resolve("@sov/${name}")).href`
    return code.replaceAll("import.meta.url", place)
  }
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("node scripts/bundle.ts FOLDER")
const bundle = await rolldown({
  input: { main: join(cli, "main.ts") },
  platform: "node",
  // Runs in the owner process, which is started from its own module
  external: /^@electric-sql\/pglite/,
  plugins: [keepPlaces]
})
await bundle.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" })
for (const file of globSync("**/*.{bash,fish,zsh}", { cwd: cli })) cpSync(join(cli, file), join(folder, file))
