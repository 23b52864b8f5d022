/** Checks the data directory of the embedded home, without opening any database in it. */
import { Effect } from "effect"
import * as fs from "node:fs"
import { dirname, join } from "node:path"
import { listSettingsFaults, listUnknownFiles } from "../../../runtime.ts"
import { formatBytes } from "../../status/statusView.ts"
import { type Check, fail, type Finding, ok, skipped, warn } from "./Check.ts"

const otherDirectoryHint = "choose another data directory with --data-dir or SOV_DATA_DIR"

/** Creates a check that needs an existing data directory. */
const makeDirectoryCheck = (name: string, diagnose: (directory: string) => Finding): Check => ({
  name,
  run: ({ home }) =>
    Effect.sync(() => {
      if (home.kind === "server") return skipped("the database is on a server")
      return fs.existsSync(home.location) ? diagnose(home.location) : skipped(`there is no ${home.location} yet`)
    })
})

/** The facts about a file or directory that decide who can use it. */
export interface Access {
  readonly path: string
  readonly uid: number
  readonly mode: number
  /** Whether this user may read, write and enter it. */
  readonly usable: boolean
}

/** Checks ownership and permissions of the data directory and its cluster, for the user `me` (undefined = unknown). */
export const diagnoseAccess = (found: ReadonlyArray<Access>, me: number | undefined): Finding => {
  for (const { path, uid, usable } of found) {
    if (!usable) {
      return fail(`${path} cannot be read and written by this user`, `give it to this user, or ${otherDirectoryHint}`)
    }
    if (me !== undefined && uid !== me) {
      return fail(`${path} belongs to user ${uid}, you are ${me}`, `chown -R ${me} ${path}, or run sov as its owner`)
    }
  }
  const writable = found.find(({ mode }) => (mode & 0o022) !== 0)
  if (writable !== undefined && me !== undefined) {
    const { mode, path } = writable
    return fail(`${path} is writable by other users (mode ${(mode & 0o777).toString(8)})`, `chmod 700 ${path}`)
  }
  const open = found.find(({ mode }) => (mode & 0o077) !== 0)
  return open === undefined
    ? ok(`${found[0]!.path} belongs to this user alone`)
    : warn(`${open.path} is open to other users (mode ${(open.mode & 0o777).toString(8)})`, `chmod 700 ${open.path}`)
}

const readAccess = (path: string): Access => {
  const { mode, uid } = fs.statSync(path)
  try {
    fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    return { path, uid, mode, usable: true }
  } catch {
    return { path, uid, mode, usable: false }
  }
}

export const dataDirectory = makeDirectoryCheck("data-dir", (directory) => {
  if (!fs.statSync(directory).isDirectory()) return fail(`${directory} is not a directory`, otherDirectoryHint)
  const cluster = join(directory, "db")
  return diagnoseAccess([directory, ...fs.existsSync(cluster) ? [cluster] : []].map(readAccess), process.getuid?.())
})

/**
 * Minimum free space in bytes, and the space below which there is a warning: a new database takes 45 MB, and Postgres
 * stops at once if there is no space for its log.
 */
const [minFreeBytes, ampleFreeBytes] = [100e6, 500e6]

/** Checks the free space in bytes. */
export const diagnoseSpace = (free: number): Finding =>
  free >= ampleFreeBytes
    ? ok(`${formatBytes(free)} free`)
    : (free < minFreeBytes ? fail : warn)(`only ${formatBytes(free)} free`, `free some space, or ${otherDirectoryHint}`)

/** The nearest existing directory: a data directory that does not exist yet will be created on its disk. */
const findExistingDirectory = (path: string): string =>
  fs.existsSync(path) || dirname(path) === path ? path : findExistingDirectory(dirname(path))

export const diskSpace: Check = {
  name: "disk-space",
  run: ({ home }) =>
    Effect.sync(() => {
      if (home.kind === "server") return skipped("the database is on a server")
      const { bavail, bsize } = fs.statfsSync(findExistingDirectory(home.location))
      return diagnoseSpace(bavail * bsize)
    })
}

/** Magic numbers of statfs(2) on Linux. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"]
])

/** Checks the type of file system by its magic number. */
export const diagnoseFileSystem = (type: number): Finding => {
  const network = networkFileSystems.get(type >>> 0)
  return network === undefined
    ? ok("local")
    : warn(
      `the data directory is on a network or foreign file system (${network}), where locks and syncs may not hold`,
      `${otherDirectoryHint} on a local disk, or use a Postgres server (SOV_DATABASE_URL)`
    )
}

export const fileSystem = makeDirectoryCheck(
  "file-system",
  (directory) =>
    process.platform === "linux" ? diagnoseFileSystem(fs.statfsSync(directory).type) : skipped("known on Linux only")
)

export const foreignFiles = makeDirectoryCheck("foreign-files", (directory) => {
  const names = listUnknownFiles(directory)
  const shown = names.slice(0, 3).map((name) => JSON.stringify(name)).join(", ")
  return names.length === 0
    ? ok(`none in ${directory}`)
    : warn(
      `${directory} holds what sov did not put there: ${shown}${names.length > 3 ? ", …" : ""}`,
      "move it elsewhere"
    )
})

export const settingsFile = makeDirectoryCheck("settings", (directory) => {
  const file = join(directory, "settings.json")
  let text: string
  try {
    text = fs.readFileSync(file, "utf8")
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === "ENOENT"
      ? ok("the defaults")
      : warn(`${file} cannot be read (${code})`, `make it readable, or remove it`)
  }
  const [fault] = listSettingsFaults(text)
  return fault === undefined ? ok(file) : warn(`${file}: ${fault}`, `correct it, or remove it to use the defaults`)
})
