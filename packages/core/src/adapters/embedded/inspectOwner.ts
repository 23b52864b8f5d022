/**
 * Reads the state of a data directory's owner process without opening, creating or starting anything. Never touches the
 * lock file.
 */
import * as fs from "node:fs"
import type * as net from "node:net"
import * as path from "node:path"
import { clusterNames, readLockHolder, toSystemRefusal } from "./dataDirectory.ts"
import { connectToSocket, type Greeting, locateSocket, ownerFiles, parseGreeting } from "./ownerProtocol.ts"
import { formatErrorLine } from "./refusal.ts"

/**
 * The owner process of a data directory. `serving`: it answers · `opening`: it listens and has not greeted within a
 * second · `refused`: it says why the database cannot be opened · `incompatible`: it speaks the protocol of another
 * version · `held`: a process holds the lock without listening · `none`: there is no owner, which is normal, because
 * the next command starts one.
 */
export interface OwnerStatus {
  readonly state: "serving" | "opening" | "refused" | "incompatible" | "held" | "none"
  /** The process id, if known. */
  readonly pid: number | null
  /** When the process took the directory; null without an owner. */
  readonly since: Date | null
  /** The reason that the process gave for refusing. */
  readonly message: string | null
}

const GREETING_WAIT_MS = 1_000
const MAX_GREETING_BYTES = 8_192

const readGreeting = (socket: net.Socket): Promise<Greeting | undefined> =>
  new Promise((resolve) => {
    let received = ""
    const done = (greeting: Greeting | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(greeting)
    }
    const timer = setTimeout(() => done(undefined), GREETING_WAIT_MS)
    socket.setEncoding("utf8")
    socket.on("error", () => done(undefined))
    socket.on("close", () => done(undefined))
    socket.on("data", (chunk: string) => {
      received += chunk
      const end = received.indexOf("\n")
      if (end >= 0) done(parseGreeting(received.slice(0, end)))
      else if (received.length > MAX_GREETING_BYTES) done({ kind: "unknown" })
    })
  })

/** `major:minor:inode` of a file, as the kernel lists locks. */
const readDeviceAndInode = (file: string): { readonly device: string; readonly inode: string } | undefined => {
  const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  const major = ((found.dev >> 8n) & 0xfffn) | ((found.dev >> 32n) & ~0xfffn)
  const minor = (found.dev & 0xffn) | ((found.dev >> 12n) & ~0xffn)
  const hex = (part: bigint) => part.toString(16).padStart(2, "0")
  return { device: `${hex(major)}:${hex(minor)}`, inode: String(found.ino) }
}

/**
 * The process that holds a write lock on `file`, read from the kernel's list, because opening the file could drop a
 * lock of this process. Undefined if there is no such process or list; pid 0 means a process of another container. A
 * file system may report its device under another name; then the process must be the one that `holder` names.
 */
const findLockHolder = (file: string, holder: number | undefined): number | undefined => {
  try {
    const name = readDeviceAndInode(file)
    if (name === undefined) return undefined
    for (const line of fs.readFileSync("/proc/locks", "utf8").split("\n")) {
      const [, kind, pid, device, inode] = /^\d+: +(\S+) +\S+ +WRITE +(-?\d+) +(\S+):(\d+) /.exec(line) ?? []
      if (kind === undefined || inode !== name.inode) continue
      if (device === name.device || Number(pid) === holder) return Math.max(0, Number(pid))
    }
  } catch {
    // The system has no such list
  }
  return undefined
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** The process that holds the lock without listening; undefined if the system shows none. */
const findSilentHolder = (dataDir: string): number | undefined => {
  const holder = readLockHolder(dataDir)
  const locked = findLockHolder(path.join(dataDir, ownerFiles.lock), holder?.pid)
  if (locked !== undefined) return locked
  return holder?.kind === "in-process" && isAlive(holder.pid) && !fs.existsSync("/proc/locks") ? holder.pid : undefined
}

/** Reads the state of the owner of an existing data directory once. Takes at most a second. */
export const inspectOwner = async (dataDir: string): Promise<OwnerStatus> => {
  const none: OwnerStatus = { state: "none", pid: null, since: null, message: null }
  let socket: net.Socket | undefined
  let since: Date | null
  try {
    since = fs.statSync(path.join(dataDir, ownerFiles.holder), { throwIfNoEntry: false })?.mtime ?? null
    socket = await connectToSocket(locateSocket(fs.realpathSync(dataDir)))
  } catch (error) {
    return { ...none, state: "refused", message: toSystemRefusal(dataDir, error)?.message ?? formatErrorLine(error) }
  }
  if (socket === undefined) {
    const pid = findSilentHolder(dataDir)
    return pid === undefined ? none : { ...none, state: "held", pid: pid === 0 ? null : pid, since }
  }
  const greeting = await readGreeting(socket)
  const pid = readLockHolder(dataDir)?.pid ?? null
  switch (greeting?.kind) {
    case "ready":
      return { state: "serving", pid: greeting.pid, since, message: null }
    case "refused":
      return { state: "refused", pid, since, message: greeting.message }
    case "older":
    case "newer":
    case "unknown":
      return { state: "incompatible", pid, since, message: null }
    default:
      return { state: "opening", pid, since, message: null }
  }
}

/** Names of the files that sov creates in a data directory; SQLite may add files beside the locks. */
const ownFilePatterns: ReadonlyArray<RegExp> = [
  new RegExp(
    `^(?:${clusterNames.ready}|${clusterNames.loading.replace(".", "\\.")}|\\.gitignore|sov\\.config\\.json)$`
  ),
  new RegExp(`^(?:${ownerFiles.lock}|worker\\.lock)(?:-journal|-wal|-shm)?$`),
  new RegExp(
    `^(?:${[ownerFiles.log, ownerFiles.holder, ownerFiles.settings, ownerFiles.keys].join("|")})(?:\\.\\d+)?$`
  ),
  /^s(?:\.\d+\.\d+)?$/
]

/** Files in a data directory that sov did not create. */
export const listUnknownFiles = (dataDir: string): ReadonlyArray<string> =>
  fs.readdirSync(dataDir).filter((name) => !ownFilePatterns.some((own) => own.test(name)))
