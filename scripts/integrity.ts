/**
 * `npm run integrity`: entries of package-lock.json without a sum, which npm would install unchecked. Exits with 1 when
 * there are any. `npm view NAME@VERSION dist.integrity` says the sum of one.
 */
import { readFileSync } from "node:fs"

interface Locked {
  readonly path: string
  readonly version: string
  readonly dev: boolean
  readonly optional: boolean
}

/** Packages of a lock file that have no SHA-512 sum; links to packages of this repository need none. */
const listWithoutIntegrity = (lock: unknown): ReadonlyArray<Locked> => {
  const { packages } = lock as {
    readonly packages: Readonly<
      Record<string, Partial<Omit<Locked, "path">> & { readonly integrity?: string; readonly link?: boolean }>
    >
  }
  return Object.entries(packages)
    .filter(([path, { integrity = "", link }]) =>
      path.includes("node_modules/") && link !== true && !integrity.startsWith("sha512-")
    )
    .map(([path, { dev = false, optional = false, version = "" }]) => ({ path, version, dev, optional }))
}

const missing = listWithoutIntegrity(JSON.parse(readFileSync("package-lock.json", "utf8")))
for (const { dev, optional, path, version } of missing) {
  console.log(`${path.replace(/^.*node_modules\//, "")}@${version}${dev ? " dev" : ""}${optional ? " optional" : ""}`)
}
console.error(`${missing.length} without a sum`)
process.exitCode = missing.length === 0 ? 0 : 1
