import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import type * as net from "node:net"
import * as path from "node:path"
import type { Duplex } from "node:stream"
import { fileURLToPath } from "node:url"
import {
  isStoppedOwner,
  makeBusyRefusal,
  makeIncompatibleRefusal,
  makeStoppedRefusal,
  prepareDataDirectory,
  readLockHolder
} from "./dataDirectory.ts"
import { DeferredConnection } from "./DeferredConnection.ts"
import {
  connectToSocket,
  type Greeting,
  locateSocket,
  ownerExitCodes,
  ownerFiles,
  parseGreeting,
  sleep
} from "./ownerProtocol.ts"
import { type OwnerDelay, OwnerWait, waitNotice } from "./OwnerWait.ts"
import { formatErrorLine, Refusal } from "./refusal.ts"
import { makeRetirePacket } from "./wireFrames.ts"

const ownerFile = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./owner.ts" : "./owner.js", import.meta.url)
)

/**
 * The variables that the owner inherits from its first client. API keys are not among them: the owner would keep them
 * for every later client.
 */
const inheritedVariable = /^(?:PATH|HOME|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|LD_\w+|NODE_COMPILE_CACHE)$/
const ownerFlags = [
  "--disable-warning=ExperimentalWarning",
  // The engine recurses on Node's stack. Node uses only 1 MB by default, although a process has 8 MB
  "--stack-size=3900",
  // Saves 20 MiB when idle and 30 MiB after work. The engine itself is WebAssembly, which this option does not slow
  // down
  "--optimize-for-size",
  "--v8-pool-size=1",
  // Disables background compilation, which can deadlock `process.exit` (https://github.com/nodejs/node/issues/54918): a
  // compiler thread waits for a garbage collection by the main thread, which waits for that thread, and the owner would
  // never end
  "--no-concurrent-recompilation",
  "--no-concurrent-sparkplug"
]

/**
 * How many owners may exit before they send a greeting. If only one did, it may have been killed, and the client starts
 * another.
 */
const MAX_FAILED_STARTS = 2
const MAX_GREETING_BYTES = 8_192
/** How long a newer client waits until the owner of an older sov has no clients left and exits. */
const RETIRE_WAIT_MS = 15_000
/** How often a client that waits for a greeting checks the owner process, in milliseconds. */
const LOOK_MS = 1_000

/** The greeting of an owner that runs another version of sov. */
type ForeignGreeting = Greeting & { readonly kind: "older" | "newer" | "unknown" }

/**
 * Finds the owner process of a data directory, or starts one. The first owner that greets is used. Nothing is sent
 * before a greeting, so every attempt can be repeated. Errors are `Refusal`s.
 */
export class OwnerClient {
  readonly dataDir: string
  readonly #socket: string
  readonly #quietMs: number
  readonly #onWait: (delay: OwnerDelay) => void
  #toldAt = 0
  readonly #waiting = new Set<net.Socket>()
  #child: ChildProcess | undefined
  #failedStarts = 0
  #busyStarts = 0
  #lease: net.Socket | undefined
  #leasing: Promise<void> | undefined
  #closed = false

  /** Creates the data directory if it is missing. Throws a `Refusal` if it cannot be used. */
  constructor(dataDir: string, quietMs: number, onWait: (delay: OwnerDelay) => void = () => {}) {
    this.dataDir = prepareDataDirectory(dataDir)
    this.#socket = locateSocket(this.dataDir)
    this.#quietMs = quietMs
    this.#onWait = onWait
  }

  /** Returns a connection at once, as sql-pg expects. It buffers until the owner is found. */
  readonly connect = (): Duplex => {
    this.hold().catch(() => {}) // the connection itself meets the same error
    return new DeferredConnection(this.connectToOwner())
  }

  /**
   * Connects to an owner that is ready; the owner counts this client and stays alive. Fails at once if owners exit
   * before they are ready, or after `quietMs` without progress by any of them.
   */
  async connectToOwner(): Promise<net.Socket> {
    const wait = new OwnerWait(this.#quietMs)
    const failedBefore = this.#failedStarts
    const busyBefore = this.#busyStarts
    /** The owner of an older sov that was asked to exit, and the time that its clients have to leave. */
    let retiring: { readonly greeting: ForeignGreeting; readonly until: number } | undefined
    for (;;) {
      if (this.#closed) throw new Refusal("unreachable", `The client of ${this.dataDir} is closed`)
      const socket = await connectToSocket(this.#socket)
      const greeting = socket === undefined ? undefined : await this.#greeting(socket, wait)
      if (socket !== undefined && greeting?.kind === "ready") return socket
      if (greeting?.kind === "older") socket?.end(makeRetirePacket())
      else socket?.destroy()
      if (greeting?.kind === "refused") throw new Refusal(greeting.reason, greeting.message)
      if (greeting?.kind === "stopped") throw makeStoppedRefusal(this.dataDir, greeting.pid)
      if (greeting?.kind === "newer" || greeting?.kind === "unknown") throw this.#incompatible(greeting)
      if (greeting?.kind === "older") {
        // The older owner was asked to exit; its clients may keep using it until this time
        retiring ??= { greeting, until: Date.now() + RETIRE_WAIT_MS }
        if (Date.now() > retiring.until || this.#isOver(wait)) throw this.#incompatible(greeting)
        await sleep(200)
        continue
      }
      if (this.#busyStarts > busyBefore) throw makeBusyRefusal(this.dataDir, this.dataDir)
      if (this.#failedStarts - failedBefore > MAX_FAILED_STARTS) {
        throw this.#unreachable(`The database process of ${this.dataDir} has ended before it was ready, time and again`)
      }
      if (this.#isOver(wait)) {
        if (retiring !== undefined) throw this.#incompatible(retiring.greeting)
        throw this.#unreachable(this.#describeWait(wait))
      }
      if (socket === undefined) {
        retiring = undefined
        this.#start()
      }
      await sleep(socket === undefined ? 10 + Math.random() * 15 : 5)
    }
  }

  /**
   * Holds one silent connection, so that the owner does not end when the pool shrinks to nothing. Does not keep this
   * process alive.
   */
  hold(): Promise<void> {
    if (this.#lease !== undefined || this.#closed) return Promise.resolve()
    return this.#leasing ??= this.#takeLease().finally(() => {
      this.#leasing = undefined
    })
  }

  /** Releases the owner; pending attempts fail. */
  close(): void {
    this.#closed = true
    this.#lease?.destroy()
    for (const socket of this.#waiting) socket.destroy()
  }

  async #takeLease(): Promise<void> {
    const socket = await this.connectToOwner()
    if (this.#closed) {
      socket.destroy()
      return
    }
    this.#lease = socket
    socket.on("error", () => {})
    socket.on("close", () => {
      this.#lease = undefined
    })
    socket.resume()
    socket.unref()
  }

  /** The processes that may greet this client, or that may start a process that does. */
  readonly #candidates = (): ReadonlyArray<number> =>
    [readLockHolder(this.dataDir)?.pid, this.#child?.pid].filter((pid) => pid !== undefined)

  /** Whether the wait is over. Reports a long wait from time to time. */
  #isOver(wait: OwnerWait): boolean {
    if (wait.isOver(this.#candidates)) return true
    if (wait.waitedMs > waitNotice.firstMs && Date.now() - this.#toldAt > waitNotice.againMs) {
      this.#toldAt = Date.now()
      this.#onWait({
        dataDir: this.dataDir,
        pid: this.#candidates()[0] ?? null,
        log: path.join(this.dataDir, ownerFiles.log),
        waitedMs: wait.waitedMs
      })
    }
    return false
  }

  /** The first line that the owner sends; undefined if the connection or the wait ends before it arrives. */
  #greeting(socket: net.Socket, wait: OwnerWait): Promise<Greeting | undefined> {
    this.#waiting.add(socket)
    return new Promise((resolve) => {
      let received = Buffer.alloc(0)
      const done = (greeting: Greeting | undefined) => {
        clearInterval(look)
        socket.off("readable", read)
        socket.off("close", gone)
        this.#waiting.delete(socket)
        resolve(greeting)
      }
      const gone = () => done(undefined)
      const read = () => {
        for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;) {
          received = Buffer.concat([received, chunk])
          const end = received.indexOf(0x0a)
          if (end >= 0) {
            socket.unshift(received.subarray(end + 1))
            done(parseGreeting(received.toString("utf8", 0, end)))
            return
          }
          if (received.length > MAX_GREETING_BYTES) {
            done({ kind: "unknown" })
            return
          }
        }
      }
      // The owner accepted the connection but sends nothing: it is opening the database, recovering, or stopped
      const look = setInterval(() => {
        const holder = readLockHolder(this.dataDir)
        if (holder !== undefined && isStoppedOwner(this.dataDir, holder.pid)) done({ kind: "stopped", pid: holder.pid })
        else if (this.#isOver(wait)) gone()
      }, LOOK_MS)
      socket.on("error", () => {}) // "close" follows
      socket.on("close", gone)
      socket.on("readable", read)
    })
  }

  /** Starts an owner, unless an owner that this client started is still finding out whether it is needed. */
  #start(): void {
    if (this.#child !== undefined) return
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => inheritedVariable.test(name)))
    const log = fs.openSync(path.join(this.dataDir, ownerFiles.log), "a", 0o600)
    try {
      const child = spawn(process.execPath, [...ownerFlags, ownerFile, this.dataDir], {
        detached: true,
        stdio: ["ignore", log, log],
        cwd: this.dataDir,
        env
      })
      this.#child = child
      const ended = (code: number | null) => {
        this.#child = undefined
        if (code === ownerExitCodes.busy) this.#busyStarts++
        else if (code !== ownerExitCodes.ended) this.#failedStarts++
      }
      child.on("exit", ended)
      child.on("error", () => ended(null))
      child.unref()
    } finally {
      fs.closeSync(log)
    }
  }

  #incompatible({ kind, ...rest }: ForeignGreeting): Refusal {
    return makeIncompatibleRefusal(this.dataDir, kind, "pid" in rest ? rest.pid : undefined)
  }

  #describeWait({ waitedMs }: OwnerWait): string {
    const [pid] = this.#candidates()
    const waited = `${Math.round(waitedMs / 1_000)} s`
    return pid === undefined
      ? `No database process answers for ${this.dataDir} within ${waited}`
      : `The database process ${pid} of ${this.dataDir} does not answer within ${waited}; end it with kill -9 ${pid} ` +
        "(nothing that was acknowledged is lost), and try again"
  }

  #unreachable(what: string): Refusal {
    const log = path.join(this.dataDir, ownerFiles.log)
    let last = ""
    try {
      last = fs.readFileSync(log, "utf8").trimEnd().split("\n").at(-1)?.slice(0, 300) ?? ""
    } catch (error) {
      last = formatErrorLine(error)
    }
    return new Refusal("unreachable", `${what}; see ${log} (${last})`)
  }
}
