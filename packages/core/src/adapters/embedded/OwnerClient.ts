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

/** What the owner gets of its first client's environment: no API keys, which it would hold for all to come. */
const inheritedVariable = /^(?:PATH|HOME|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|LD_\w+|NODE_COMPILE_CACHE)$/
const ownerFlags = [
  "--disable-warning=ExperimentalWarning",
  // The engine's recursion runs on Node's stack, which is 1 of the 8 MB that a process has
  "--stack-size=3900",
  // Its work is the engine's, in WebAssembly, and no slower: 20 MiB less while idle, and 30 after work
  "--optimize-for-size",
  "--v8-pool-size=1",
  // A compiler in the background may wait for a collection by the main thread, which waits in process.exit for the
  // compiler's thread (https://github.com/nodejs/node/issues/54918): nothing compiles there, and the owner ends
  "--no-concurrent-recompilation",
  "--no-concurrent-sparkplug"
]

/** Owners that may end before they greet: somebody may have killed one, and a client goes on with the next. */
const MAX_FAILED_STARTS = 2
const MAX_GREETING_BYTES = 8_192
/** How long the clients of an older sov's owner have for ending, before a newer client gives up. */
const RETIRE_WAIT_MS = 15_000
/** How often a client that waits for a greeting looks at its owner. */
const LOOK_MS = 1_000

/** What the owner of another sov says. */
type ForeignGreeting = Greeting & { readonly kind: "older" | "newer" | "unknown" }

/**
 * Finds the owner process of a data directory, or starts one: the first greeting wins, and until there is one nothing
 * has been sent, so every attempt may be repeated. Errors are `Refusal`s.
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

  /** Makes the data directory when it is absent; throws a `Refusal` when it cannot be used. */
  constructor(dataDir: string, quietMs: number, onWait: (delay: OwnerDelay) => void = () => {}) {
    this.dataDir = prepareDataDirectory(dataDir)
    this.#socket = locateSocket(this.dataDir)
    this.#quietMs = quietMs
    this.#onWait = onWait
  }

  /** A connection as sql-pg wants it: at once. It buffers until the owner is there. */
  readonly connect = (): Duplex => {
    this.hold().catch(() => {}) // the connection itself meets the same error
    return new DeferredConnection(this.connectToOwner())
  }

  /**
   * A socket on which the owner has reported that it is ready: it counts us and will not end. Fails at once when owners
   * end before they are, and after `quietMs` in which nobody works on it.
   */
  async connectToOwner(): Promise<net.Socket> {
    const wait = new OwnerWait(this.#quietMs)
    const failedBefore = this.#failedStarts
    const busyBefore = this.#busyStarts
    /** An older sov's owner that was asked to end, and until when its clients have for that. */
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
        // It has been asked to end; what uses it may go on with it meanwhile
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
   * Holds one silent connection, so that a pool that shrinks to nothing does not end the owner under a living client.
   * Does not keep this process alive.
   */
  hold(): Promise<void> {
    if (this.#lease !== undefined || this.#closed) return Promise.resolve()
    return this.#leasing ??= this.#takeLease().finally(() => {
      this.#leasing = undefined
    })
  }

  /** Lets the owner go; attempts that wait fail. */
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

  /** The processes that may greet, or start one that does. */
  readonly #candidates = (): ReadonlyArray<number> =>
    [readLockHolder(this.dataDir)?.pid, this.#child?.pid].filter((pid) => pid !== undefined)

  /** Whether the wait is over; while it is not, it is told of from time to time. */
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

  /** The first line; undefined when the connection ended, or the wait, without one. */
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
      // It accepted and says nothing: it opens, recovers, or was stopped
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

  /** Starts an owner, unless ours is still deciding whether it is needed. */
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
