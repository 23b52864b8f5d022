/**
 * What the owner process and its clients agree on: the path of the socket, the greeting, and the files beside the
 * database.
 *
 * The owner writes one line once it has counted the connection; the client sends nothing before that. A connection that
 * ends without a greeting was never used, so a retry is always safe. After `ready` the Postgres protocol follows.
 */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { type EmbeddedReason, embeddedReasons, Refusal } from "./refusal.ts"

const VERSION = 1
const PROTOCOL = `sov-owner/${VERSION}`

/** The longest socket path that fits into `sun_path` (104 bytes on macOS) with the suffix that the owner adds. */
const MAX_SOCKET_PATH = 90

/** Exit codes of the owner process. */
export const ownerExitCodes = { ended: 0, refused: 1, fatal: 70, busy: 75 } as const

/** Files of a data directory. */
export const ownerFiles = {
  lock: "lock",
  log: "owner.log",
  holder: "owner.json",
  settings: "settings.json",
  keys: "encryption.keys"
} as const

/** The owner's first line. */
export type Greeting =
  | { readonly kind: "ready"; readonly pid: number }
  | { readonly kind: "refused"; readonly reason: EmbeddedReason; readonly message: string }
  /** An owner that speaks another version of this protocol. */
  | { readonly kind: "older" | "newer"; readonly pid: number | undefined }
  /** A process that accepts connections but sends nothing, because it is stopped (SIGSTOP). */
  | { readonly kind: "stopped"; readonly pid: number }
  | { readonly kind: "unknown" }

/** The greeting for a client that has been counted and may now send. */
export const formatReadyLine = (pid: number): string => `${PROTOCOL} ready ${pid}\n`

/** The line that says why the database cannot be opened. */
export const formatRefusalLine = (refusal: Refusal): string =>
  `${PROTOCOL} refused ${JSON.stringify({ reason: refusal.reason, message: refusal.message })}\n`

/** Reads a greeting, without its line feed. */
export const parseGreeting = (line: string): Greeting => {
  const [protocol, word, ...rest] = line.split(" ")
  const version = /^sov-owner\/(\d{1,6})$/.exec(protocol ?? "")?.[1]
  if (version === undefined) return { kind: "unknown" }
  if (Number(version) !== VERSION) {
    const pid = word === "ready" && /^\d+$/.test(rest[0] ?? "") ? Number(rest[0]) : undefined
    return { kind: Number(version) < VERSION ? "older" : "newer", pid }
  }
  if (word === "ready") return { kind: "ready", pid: Number(rest[0]) }
  if (word !== "refused") return { kind: "unknown" }
  try {
    const { message, reason } = JSON.parse(rest.join(" ")) as { reason: unknown; message: unknown }
    const known = embeddedReasons.find((each) => each === reason)
    return known === undefined ? { kind: "unknown" } : { kind: "refused", reason: known, message: String(message) }
  } catch {
    return { kind: "unknown" }
  }
}

/**
 * The owner's Unix socket: `s` in the data directory. If that path is too long for the kernel, the socket is named
 * after the directory's inode and placed in a private directory inside the temporary directory. `dataDir` is a real
 * path.
 */
export const locateSocket = (dataDir: string): string => {
  const own = path.join(dataDir, "s")
  if (Buffer.byteLength(own) <= MAX_SOCKET_PATH) return own
  const uid = process.getuid?.()
  const shared = path.join(os.tmpdir(), `sov-${uid ?? "user"}`)
  fs.mkdirSync(shared, { recursive: true, mode: 0o700 })
  const found = fs.lstatSync(shared)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Refusal("not_writable", `${shared} must be a private directory of this user; remove it and try again`)
  }
  const { dev, ino } = fs.statSync(dataDir)
  return path.join(shared, createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 24))
}

/** A connected socket, or undefined when no process listens there. */
export const connectToSocket = (socket: string): Promise<net.Socket | undefined> =>
  new Promise((resolve) => {
    const connection = net.connect(socket)
    const failed = () => resolve(undefined)
    connection.once("error", failed)
    connection.once("connect", () => {
      connection.off("error", failed)
      resolve(connection)
    })
  })

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
