/**
 * `npm run integrity [DIRECTORY]` lists the entries of the lock files that have no checksum, which npm would install
 * unchecked, and how many of them each system installs. Exits with 1 unless they are exactly the entries in
 * `withoutIntegrity.json`, which gives the reason for each. `npm view NAME@VERSION dist.integrity` prints a package's
 * checksum.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}

/** Packages that npm downloads for this lock file, without links to packages of this repository. */
const listFetched = ({ packages }: Lock): ReadonlyArray<readonly [name: string, entry: Locked]> =>
  Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(([path, entry]) => [`${path.replace(/^.*node_modules\//, "")}@${entry.version}`, entry])

const hasSum = ({ integrity = "" }: Locked): boolean => integrity.startsWith("sha512-")

interface System {
  readonly os: string
  readonly cpu: string
  readonly libc: string
}

const systems: ReadonlyArray<System> = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "darwin", cpu: "arm64", libc: "" },
  { os: "darwin", cpu: "x64", libc: "" }
]

/** Whether npm installs the package on this system. */
const fits = ({ cpu, libc, os }: Locked, system: System): boolean =>
  os?.includes(system.os) !== false && cpu?.includes(system.cpu) !== false &&
  (system.libc === "" || libc?.includes(system.libc) !== false)

const known = JSON.parse(readFileSync(new URL("./withoutIntegrity.json", import.meta.url), "utf8")) as {
  readonly reason: string
  readonly packages: Readonly<Record<string, ReadonlyArray<string>>>
}

const root = process.argv[2] ?? "."
const files = globSync(["package-lock.json", "test/devtools/**/package-lock.json"], {
  cwd: root,
  exclude: ["**/node_modules/**"]
}).toSorted()

let wrong = 0
for (const file of files) {
  const fetched = listFetched(JSON.parse(readFileSync(join(root, file), "utf8")) as Lock)
  const missing = fetched.filter(([, entry]) => !hasSum(entry))
  const expected = new Set(known.packages[file])
  console.log(`${file}: ${fetched.length} entries, ${missing.length} without a sum`)
  for (const system of systems) {
    const there = fetched.filter(([, entry]) => fits(entry, system))
    const open = there.filter(([, entry]) => !hasSum(entry)).map(([name]) => name)
    console.log(
      `  ${system.os} ${system.cpu}: ${there.length} entries, ${
        open.length === 0 ? "all with a sum" : `without: ${open.join(", ")}`
      }`
    )
  }
  for (const [name, { optional = false }] of missing) {
    if (expected.delete(name) && optional) continue
    wrong++
    console.error(`${file}: ${name} has no sum`)
  }
  for (const name of expected) {
    wrong++
    console.error(`${file}: ${name} has a sum or is gone: take it out of withoutIntegrity.json`)
  }
}
process.exitCode = wrong === 0 ? 0 : 1
