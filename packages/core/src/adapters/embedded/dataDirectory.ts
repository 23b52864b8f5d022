/** Checks a data directory before anything is opened, so that each possible fault has its own message. */
import * as fs from "node:fs"
import * as path from "node:path"
import { ownerFiles } from "./ownerProtocol.ts"
import { findErrorCode, formatErrorLine, Refusal } from "./refusal.ts"

/** The major version of Postgres inside the pinned PGlite. */
export const POSTGRES_MAJOR = "18"

/** Names of the cluster's directory inside a data directory: when it is complete, and until then. */
export const clusterNames = { ready: "db", loading: "db.tmp" } as const

const otherDirectoryHint = "choose another data directory with --data-dir or SOV_DATA_DIR"

/** The refusal for a system error met under `dataDir`; undefined for an unknown error. */
export const toSystemRefusal = (dataDir: string, error: unknown): Refusal | undefined => {
  switch (findErrorCode(error)) {
    case "ENOTDIR":
    case "EEXIST":
      return new Refusal("not_a_directory", `${dataDir} is not a directory; ${otherDirectoryHint}`)
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return makeNotWritableRefusal(dataDir, findErrorCode(error))
    case "ENOSPC":
    case "EDQUOT":
      return makeDiskFullRefusal(dataDir)
    default:
      return undefined
  }
}

/** The refusal for a directory, or something in it, that this user may not use. */
export const makeNotWritableRefusal = (dataDir: string, detail: string): Refusal =>
  new Refusal(
    "not_writable",
    `${dataDir} cannot be read and written by this user (${detail}${describeForeignUser(dataDir)}); ` +
      `give it to this user or ${otherDirectoryHint}`
  )

/** The refusal for a full disk, with the free space. */
export const makeDiskFullRefusal = (dataDir: string): Refusal => {
  let left = ""
  try {
    const { bavail, bsize } = fs.statfsSync(dataDir)
    left = ` (${Math.floor((bavail * bsize) / 1e6)} MB left; a new database takes 45 MB, its log grows by 16)`
  } catch {
    // The free space only improves the message
  }
  return new Refusal("disk_full", `No space left on the disk of ${dataDir}${left}; free some and try again`)
}

/** Refuses a runtime that lacks what this folder needs: `node:sqlite` and type stripping. */
export const requireNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > 22 || (major === 22 && minor >= 19)) return
  throw new Refusal(
    "old_node",
    `sov's embedded database needs Node.js 22.19 or newer, this is ${version}; install a newer one`
  )
}

/**
 * Creates a directory and its parents. Node's recursive mkdir never returns where the kernel reports ENOENT although
 * the parent exists, as below /proc.
 */
const makeDirectories = (dir: string): void => {
  const found = fs.statSync(dir, { throwIfNoEntry: false })
  if (found?.isDirectory() === false) throw Object.assign(new Error(`${dir} is not a directory`), { code: "ENOTDIR" })
  if (found !== undefined) return
  makeDirectories(path.dirname(dir))
  try {
    fs.mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it
    if (findErrorCode(error) !== "EEXIST") throw error
  }
}

/** Names the owner of a directory if that is another user; "" if it cannot be determined. */
const describeForeignUser = (dir: string): string => {
  try {
    const { uid } = fs.statSync(dir)
    if (uid === process.getuid?.()) return ""
    const name = fs.readFileSync("/etc/passwd", "utf8").split("\n").find((line) => line.split(":")[2] === String(uid))
      ?.split(":")[0]
    return `; it belongs to ${name === undefined ? "user" : `${name}, user`} ${uid}`
  } catch {
    return ""
  }
}

/** Refuses a directory in which other users can replace files, because they could put their own socket there. */
const requirePrivate = (dataDir: string): void => {
  const { mode, uid } = fs.statSync(dataDir)
  const me = process.getuid?.()
  if (me === undefined) return // Windows has neither owners nor modes
  if (uid !== me) {
    throw new Refusal(
      "not_private",
      `${dataDir} belongs to another user${describeForeignUser(dataDir)}; ` +
        `run sov as that user, give it to this one (chown -R ${me}) or ${otherDirectoryHint}`
    )
  }
  if ((mode & 0o022) !== 0) {
    throw new Refusal(
      "not_private",
      `${dataDir} is writable by other users (mode ${(mode & 0o777).toString(8)}); ` +
        `make it private with chmod 700 ${JSON.stringify(dataDir)} or ${otherDirectoryHint}`
    )
  }
}

/**
 * Creates the data directory if it is missing (0700, with a `.gitignore` that ignores all of it). Refuses one that
 * cannot be used, that belongs to another user, or that others may write to. Returns its real path. Touches nothing
 * inside an existing directory that holds files.
 */
export const prepareDataDirectory = (given: string): string => {
  requireNode(process.versions.node)
  try {
    makeDirectories(path.resolve(given))
    const dataDir = fs.realpathSync(given)
    fs.accessSync(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    const isEmpty = fs.readdirSync(dataDir).length === 0
    if (isEmpty && fs.statSync(dataDir).uid === process.getuid?.()) fs.chmodSync(dataDir, 0o700)
    requirePrivate(dataDir)
    if (isEmpty) {
      fs.writeFileSync(path.join(dataDir, ".gitignore"), "*\n", { mode: 0o600 })
    }
    return dataDir
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw toSystemRefusal(path.resolve(given), error) ??
      makeNotWritableRefusal(path.resolve(given), formatErrorLine(error))
  }
}

/**
 * Whether there is a cluster under `root`. Refuses a cluster that sov or this version of Postgres did not create, and
 * removes the remains of an interrupted first start. Only the holder of the lock may call it. `dataDir` is the path for
 * messages and `root` the path to work on; they differ in the owner, whose working directory is the data directory.
 */
export const inspectCluster = (dataDir: string, root: string): "absent" | "present" => {
  fs.rmSync(path.join(root, clusterNames.loading), { recursive: true, force: true })
  const shown = path.join(dataDir, clusterNames.ready)
  const cluster = path.join(root, clusterNames.ready)
  const found = fs.statSync(cluster, { throwIfNoEntry: false })
  if (found === undefined) return "absent"
  if (!found.isDirectory()) {
    throw new Refusal(
      "foreign_files",
      `${shown} is a file that sov did not make; move it away or ${otherDirectoryHint}`
    )
  }
  const names = fs.readdirSync(cluster)
  const [first] = names
  if (first === undefined) {
    fs.rmdirSync(cluster)
    return "absent"
  }
  if (!names.includes("PG_VERSION")) {
    throw new Refusal(
      "foreign_files",
      `${shown} holds files that sov did not make (${JSON.stringify(first)}); move them away or ${otherDirectoryHint}`
    )
  }
  const version = fs.readFileSync(path.join(cluster, "PG_VERSION"), "utf8").trim()
  if (!/^\d{1,3}$/.test(version)) throw makeDamagedRefusal(dataDir, "PG_VERSION is not a number")
  if (version !== POSTGRES_MAJOR) {
    throw new Refusal(
      "wrong_version",
      `${shown} was made with Postgres ${version}, this sov has Postgres ${POSTGRES_MAJOR}; ` +
        `export it with the sov that made it and import the export into a new data directory`
    )
  }
  return "present"
}

/** The refusal for a cluster that Postgres cannot read; `detail` is its last message. */
export const makeDamagedRefusal = (dataDir: string, detail: string): Refusal =>
  new Refusal(
    "damaged",
    `${path.join(dataDir, clusterNames.ready)} is damaged and cannot be opened (${detail}); restore it from a backup`
  )

/** The refusal for a failure to open before Postgres said anything about the data. */
export const makeNotStartedRefusal = (dataDir: string, detail: string): Refusal =>
  new Refusal("unreachable", `The database in ${dataDir} could not be started (${detail}); try again`)

/**
 * The process that claims to hold the lock of a data directory. It is only a hint for messages and must not decide
 * anything.
 */
export interface LockHolder {
  readonly pid: number
  readonly kind: "owner" | "in-process"
}

export const writeLockHolder = (root: string, kind: LockHolder["kind"]): void => {
  const line = JSON.stringify({ pid: process.pid, kind, since: new Date().toISOString() }) + "\n"
  try {
    fs.writeFileSync(path.join(root, ownerFiles.holder), line, { mode: 0o600 })
  } catch {
    // A full disk does not prevent reading
  }
}

export const readLockHolder = (root: string): LockHolder | undefined => {
  try {
    const { kind, pid } = JSON.parse(fs.readFileSync(path.join(root, ownerFiles.holder), "utf8")) as Partial<LockHolder>
    return typeof pid === "number" && (kind === "owner" || kind === "in-process") ? { pid, kind } : undefined
  } catch {
    return undefined
  }
}

/** Whether `pid` is the owner of `dataDir` and is stopped (SIGSTOP, a debugger). False where there is no /proc. */
export const isStoppedOwner = (dataDir: string, pid: number): boolean => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(dataDir) &&
      /^State:\s+[Tt]/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

/** The refusal for a database process that is stopped: it keeps the lock and answers no client. */
export const makeStoppedRefusal = (dataDir: string, pid: number): Refusal =>
  new Refusal(
    "unreachable",
    `The database process ${pid} of ${dataDir} is stopped; let it go on with kill -CONT ${pid}, or end it with ` +
      `kill -9 ${pid} (nothing that was acknowledged is lost), and try again`
  )

/** The refusal for a database process of another sov version, which this one cannot talk to. */
export const makeIncompatibleRefusal = (
  dataDir: string,
  which: "older" | "newer" | "unknown",
  pid: number | undefined
): Refusal => {
  const who = pid === undefined ? "the sov processes that use it" : `the sov processes that use it (database: ${pid})`
  return new Refusal(
    "incompatible_owner",
    which === "newer"
      ? `${dataDir} is served by a newer sov; use that one here, or end ${who} and try again`
      : `${dataDir} is still served by ${which === "older" ? "an older" : "another"} sov; end ${who} and try again`
  )
}

/** The refusal for a directory that another process has open exclusively. */
export const makeBusyRefusal = (dataDir: string, root: string): Refusal => {
  const holder = readLockHolder(root)
  const who = holder === undefined ? "another program" : `process ${holder.pid}`
  return new Refusal("busy", `${dataDir} is in use by ${who}, which does not share it; end it and try again`)
}
