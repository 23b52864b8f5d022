import * as fs from "node:fs"
import * as net from "node:net"
import type { Duplex } from "node:stream"
import { formatReadyLine, formatRefusalLine, ownerExitCodes } from "./ownerProtocol.ts"
import type { OwnerSettings } from "./ownerSettings.ts"
import type { Refusal } from "./refusal.ts"
import { LOCK_CHECK_MS } from "./waitForPreviousOwner.ts"

/**
 * How long a process that could not open the database stays alive, in milliseconds, so that every waiting client can
 * read the reason.
 */
const REFUSED_STAY_MS = 500
const CLOSE_LIMIT_MS = 30_000

export interface OwnerServerOptions {
  /** The published path of the socket. */
  readonly socket: string
  readonly settings: () => OwnerSettings
  /** Whether the lock still guards the directory. */
  readonly isLockHeld: () => boolean
  readonly log: (line: string) => void
  readonly die: (error: unknown) => never
}

/**
 * The owner's socket: it counts clients, greets them when the database is open, and ends the process when the last one
 * leaves. It listens before the database opens, so that early clients wait on a connection instead of polling.
 */
export class OwnerServer {
  readonly #options: OwnerServerOptions
  readonly #clients = new Set<net.Socket>()
  #listener: net.Server | undefined
  #published: { readonly inode: bigint; readonly device: bigint } | undefined
  #publications = 0
  #connect: (() => Duplex) | undefined
  #close: () => Promise<void> = async () => {}
  #refusal: Refusal | undefined
  #ending = false
  #terminated = false
  /** Whether to end with the last client, without lingering. */
  #terminating = false
  #endTimer: NodeJS.Timeout | undefined

  constructor(options: OwnerServerOptions) {
    this.#options = options
  }

  /** Listens and publishes the socket. Only the holder of the lock may call it. */
  async listen(): Promise<void> {
    await this.#publish()
    setInterval(() => void this.#watch().catch(this.#options.die), LOCK_CHECK_MS).unref()
  }

  /** Greets all waiting clients, because the database is now open. `close` closes the database. */
  serve(connect: () => Duplex, close: () => Promise<void>): void {
    this.#connect = connect
    this.#close = close
    for (const client of this.#clients) this.#greet(client, connect)
    this.#endWhenAlone()
  }

  /** Tells waiting and new clients why the database cannot be opened, then ends the process. */
  refuse(refusal: Refusal): void {
    this.#refusal = refusal
    this.#options.log(`refused: ${refusal.reason}: ${refusal.message}`)
    for (const client of this.#clients) client.end(formatRefusalLine(refusal))
    setTimeout(() => process.exit(ownerExitCodes.refused), REFUSED_STAY_MS)
  }

  /** Handles SIGTERM: keeps serving until the last client leaves, for at most the time in the settings. */
  terminate(): void {
    this.#options.log(`SIGTERM with ${this.#clients.size} clients`)
    if (this.#terminated) return
    this.#terminated = true
    this.#terminating = true
    this.#endWhenAlone()
    setTimeout(() => void this.#end("SIGTERM").catch(this.#options.die), this.#options.settings().ownerTermMs)
  }

  /**
   * Ends as soon as no client is connected, however long that takes, because a newer sov waits for the data directory.
   */
  retire(): void {
    this.#options.log(`a newer sov asks for the directory, ${this.#clients.size} clients`)
    this.#terminating = true
    this.#endWhenAlone()
  }

  async #publish(): Promise<void> {
    const { socket } = this.#options
    // When a server closes, Node unlinks the path that it bound, even if another process is bound there by then.
    // Therefore the server binds a private path
    const bound = `${socket}.${process.pid}.${this.#publications++}`
    const listener = net.createServer((client) => this.#accept(client))
    await new Promise<void>((resolve, reject) => {
      listener.once("listening", resolve)
      listener.once("error", reject)
      listener.listen(bound)
    })
    const { dev, ino } = fs.lstatSync(bound, { bigint: true })
    fs.renameSync(bound, socket) // also over what a killed owner left
    this.#published = { inode: ino, device: dev }
    const before = this.#listener
    this.#listener = listener
    before?.close()
  }

  get #isPublished(): boolean {
    const found = fs.lstatSync(this.#options.socket, { bigint: true, throwIfNoEntry: false })
    return found !== undefined && found.ino === this.#published?.inode && found.dev === this.#published.device
  }

  /** Publishes the socket again if it was deleted. Ends the process if the lock file was removed or replaced. */
  async #watch(): Promise<void> {
    if (this.#ending || this.#refusal !== undefined) return
    if (!this.#options.isLockHeld()) this.#options.die(new Error("the lock file was removed or replaced"))
    if (!this.#isPublished) await this.#publish()
  }

  #accept(client: net.Socket): void {
    client.on("error", () => {})
    if (this.#ending) {
      client.destroy() // no greeting was sent: the client tries again
      return
    }
    if (this.#refusal !== undefined) {
      client.end(formatRefusalLine(this.#refusal))
      return
    }
    clearTimeout(this.#endTimer)
    this.#clients.add(client)
    client.on("close", () => {
      this.#clients.delete(client)
      this.#endWhenAlone()
    })
    if (this.#connect !== undefined) this.#greet(client, this.#connect)
  }

  #greet(client: net.Socket, connect: () => Duplex): void {
    client.write(formatReadyLine(process.pid))
    const connection = connect()
    connection.on("error", (error) => {
      this.#options.log(`disconnected a client: ${error.message}`)
      client.destroy()
    })
    connection.on("close", () => client.destroySoon())
    client.on("close", () => connection.destroy())
    client.pipe(connection).pipe(client)
  }

  #endWhenAlone(): void {
    clearTimeout(this.#endTimer)
    if (this.#clients.size > 0 || this.#connect === undefined) return
    const linger = this.#terminating ? 0 : this.#options.settings().ownerLingerMs
    this.#endTimer = setTimeout(() => void this.#end("no clients").catch(this.#options.die), linger)
  }

  async #end(why: string): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    if (this.#isPublished) fs.unlinkSync(this.#options.socket)
    this.#listener?.close()
    for (const client of this.#clients) client.destroy()
    if (!this.#options.isLockHeld()) this.#options.die(new Error("the lock file was removed or replaced"))
    setTimeout(() => this.#options.die(new Error("closing took too long")), CLOSE_LIMIT_MS).unref()
    await this.#close()
    this.#options.log(`end: ${why}`)
    process.exit(ownerExitCodes.ended)
  }
}
