/**
 * Writes the bundled command for tests: `node scripts/bundle.ts FOLDER`. The bundle uses files and programs of the
 * packages in this checkout.
 */
import { cpSync, globSync } from "node:fs"
import { join, resolve } from "node:path"
import { bundleCommand } from "./commandBundle.ts"

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("node scripts/bundle.ts FOLDER")
await bundleCommand(folder, {
  place: ({ name, path }) =>
    name === "cli"
      ? `new URL("./${path}", import.meta.url).href`
      : `new URL("./${path}", import.meta.resolve("@sov/${name}")).href`,
  published: false
})
const cli = resolve(import.meta.dirname, "../packages/cli/src")
for (const file of globSync("**/*.{bash,fish,zsh}", { cwd: cli })) cpSync(join(cli, file), join(folder, file))
