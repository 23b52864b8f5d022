/**
 * The migrated, empty embedded database that tests start with. It is created once for each schema, kept in
 * `node_modules/.cache`, and copied. A copy takes 50 ms; creating it takes two seconds, mostly of CPU time.
 */
import { execFileSync } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import { readFile } from "node:fs/promises"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const cache = fileURLToPath(new URL("../../node_modules/.cache/sov-test/", import.meta.url))
/** The files that determine an empty database and its migration. */
const sources = ["assets/", "src/adapters/postgres/migrations/", "src/adapters/embedded/"]
  .map((folder) => fileURLToPath(new URL(`../../packages/core/${folder}`, import.meta.url)))

/**
 * The files of a data directory that a copy needs. Without `lock`, a start would wait for the previous owner process.
 */
const parts = ["db", "lock", ".gitignore"] as const

/** Changes with the schema, the version of Postgres, and the way in which an embedded database is created. */
const fingerprint = (): string => {
  const hash = createHash("sha256")
  for (const folder of sources) {
    for (const file of fs.readdirSync(folder).toSorted()) {
      hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(folder, file)))
    }
  }
  return hash.digest("hex").slice(0, 20)
}

const folder = (): string => path.join(cache, `embedded-${fingerprint()}`)

/** Name of the database as a data directory. */
const home = "home"
/** Name of the same database as a tar file, for databases in memory. */
const tar = "memory.tar"

/** Creates the template unless it exists, and removes templates of other schemas. */
export const makeEmbeddedTemplate = async (): Promise<string> => {
  const ready = folder()
  if (fs.existsSync(ready)) return ready
  fs.mkdirSync(cache, { recursive: true })
  const making = path.join(cache, `making-${randomUUID()}`)
  try {
    const dataDir = path.join(making, home)
    const { migrateDataDirectory } = await import("./migrateDataDirectory.ts")
    await migrateDataDirectory(dataDir)
    for (const name of fs.readdirSync(dataDir)) {
      if (!parts.some((part) => part === name)) fs.rmSync(path.join(dataDir, name), { recursive: true })
    }
    const db = path.join(dataDir, "db")
    execFileSync("tar", ["--format=ustar", "-cf", path.join(making, tar), "-C", db, ...fs.readdirSync(db)])
    for (const old of fs.readdirSync(cache).filter((name) => name.startsWith("embedded-"))) {
      fs.rmSync(path.join(cache, old), { recursive: true, force: true })
    }
    fs.renameSync(making, ready)
  } catch (error) {
    // Another run on this checkout may have created it in the meantime
    if (!fs.existsSync(ready)) throw error
  } finally {
    fs.rmSync(making, { recursive: true, force: true })
  }
  return ready
}

/** The dump from which a database in memory starts. */
export const migratedDump = (template: string) => (): Promise<Buffer> => readFile(path.join(template, tar))

/**
 * Creates a data directory with a migrated, empty database. Its owner process runs until the directory is removed, so
 * that a busy machine never makes a test start it twice.
 */
export const copyDataDirectory = (template: string, dataDir: string): void => {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const part of parts) {
    fs.cpSync(path.join(template, home, part), path.join(dataDir, part), { recursive: true })
  }
  // Copied directories get the default mode of the process, not that of the original
  fs.chmodSync(path.join(dataDir, "db"), 0o700)
  fs.writeFileSync(path.join(dataDir, "settings.json"), JSON.stringify({ ownerLingerMs: 60_000 }), { mode: 0o600 })
}
