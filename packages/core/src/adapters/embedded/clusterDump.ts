/**
 * The prebuilt empty cluster: a tar of Postgres's data directory right after initdb, compressed with brotli, one per
 * PGlite version (`scripts/buildClusterDump.ts` makes it). A first start unpacks it instead of running initdb.
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"

/** Version of the installed PGlite. */
export const readPgliteVersion = (): string => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest = JSON.parse(fs.readFileSync(path.join(path.dirname(entry), "..", "package.json"), "utf8")) as {
    readonly version: string
  }
  return manifest.version
}

/** The path of the dump for a PGlite version. */
export const locateClusterDump = (version: string): URL =>
  new URL(`../../../assets/pglite-${version}.tar.br`, import.meta.url)

/**
 * The dump for the installed PGlite as a plain tar. Undefined when the package has none for this version, or when it
 * does not unpack.
 */
export const readClusterDump = async (): Promise<Buffer | undefined> => {
  try {
    return await promisify(brotliDecompress)(await fs.promises.readFile(locateClusterDump(readPgliteVersion())))
  } catch {
    return undefined
  }
}

const TAR_BLOCK_BYTES = 512

interface TarEntry {
  readonly name: string
  readonly directory: boolean
  readonly data: Buffer
}

/** The entries of a ustar archive. A cluster has only regular files and directories. */
const listTarEntries = (tar: Buffer): ReadonlyArray<TarEntry> => {
  const entries: Array<TarEntry> = []
  const readText = (at: number, length: number) => tar.toString("latin1", at, at + length).replace(/\0[\s\S]*$/, "")
  for (let at = 0; at + TAR_BLOCK_BYTES <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(readText(at + 124, 12).trim() || "0", 8)
    const name = readText(at, 100).replace(/^\/+/, "")
    const start = at + TAR_BLOCK_BYTES
    if (!(size >= 0 && start + size <= tar.length) || name.split("/").includes("..")) {
      throw new Error(`the cluster dump is malformed at byte ${at}`)
    }
    entries.push({ name, directory: readText(at + 156, 1) === "5", data: tar.subarray(start, start + size) })
    at = start + Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES
  }
  return entries
}

const syncPath = async (file: string): Promise<void> => {
  const handle = await fs.promises.open(file, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a directory and everything in it to disk, once. */
export const syncTree = async (root: string): Promise<void> => {
  const found = fs.readdirSync(root, { recursive: true, withFileTypes: true })
  const paths = [root, ...found.map((entry) => path.join(entry.parentPath, entry.name))]
  const next = paths.values()
  const syncNextPaths = async () => {
    for (const each of next) await syncPath(each)
  }
  // As many tasks as the thread pool has threads, so that the journal commits several files at a time
  await Promise.all([syncNextPaths(), syncNextPaths(), syncNextPaths(), syncNextPaths()])
}

/** Syncs the entries of one directory to disk, for example after a rename. */
export const syncDirectory = syncPath

/** Unpacks a dump into the new directory `root`. Nothing is synced yet. */
export const unpackClusterDump = (tar: Buffer, root: string): void => {
  fs.mkdirSync(root, { mode: 0o700 })
  for (const entry of listTarEntries(tar)) {
    const file = path.join(root, entry.name)
    if (entry.directory) {
      fs.mkdirSync(file, { recursive: true, mode: 0o700 })
      continue
    }
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.writeFileSync(file, entry.data, { mode: 0o600, flag: "wx" })
  }
}
