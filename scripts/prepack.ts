/**
 * `prepack` of each package: builds `dist`, and replaces package.json with the one to publish. npm runs it in the
 * package's directory before it packs or publishes; `postpack` restores the checkout's package.json.
 */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { packCommand } from "./packCommand.ts"
import { type Manifest, readOwnManifest, toPublished } from "./published.ts"
import { copyVendored } from "./vendored.ts"

const folder = process.cwd()
const root = resolve(import.meta.dirname, "..")
const packages = join(root, "packages")

// Files of an interrupted build, or files renamed since, must not be published.
rmSync(join(folder, "dist"), { recursive: true, force: true })
rmSync(join(root, "node_modules/.cache/build", `${basename(folder)}.tsbuildinfo`), { force: true })

/** The `dependencies` of the published package.json, if they differ from those of the checkout. */
let bundled: Readonly<Record<string, string>> | undefined
if (basename(folder) === "cli") {
  rmSync(join(folder, "assets"), { recursive: true, force: true })
  bundled = await packCommand(folder)
} else {
  execFileSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "--build", join(folder, "tsconfig.build.json")],
    { cwd: packages, stdio: ["ignore", 2, 2] }
  )

  // Files that modules read at run time
  for (const file of globSync("**/*.{css,js,svg}", { cwd: join(folder, "src") })) {
    cpSync(join(folder, "src", file), join(folder, "dist", file))
  }

  copyVendored(folder)
}

const own = join(folder, "package.json")
const text = readOwnManifest(own)
const published = toPublished(JSON.parse(text) as Manifest, bundled)
writeFileSync(`${own}.orig`, text)
writeFileSync(own, `${JSON.stringify(published, null, 2)}\n`)
