/**
 * `prepack` of each package: builds `dist`, and turns package.json into the one that is published. npm runs it before
 * it packs or publishes, in the package's directory; `postpack` gives the checkout its own package.json back.
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

// A build that was interrupted, or a file that was renamed since, leaves nothing behind in what is published.
rmSync(join(folder, "dist"), { recursive: true, force: true })
rmSync(join(root, "node_modules/.cache/build", `${basename(folder)}.tsbuildinfo`), { force: true })

/** What `dependencies` are in the published package.json, where it is not what the checkout's has. */
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

  // What the sources read from files beside them
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
