import type * as net from "node:net"
import { Duplex } from "node:stream"

/**
 * A connection to the owner process that can be used before the owner is found: data written earlier is buffered. If
 * the owner goes away, the connection fails with an error, because the server may or may not have executed the data
 * that was sent.
 */
export class DeferredConnection extends Duplex {
  readonly #whenReady: Array<(socket: net.Socket) => void> = []
  #socket: net.Socket | undefined

  constructor(attached: Promise<net.Socket>) {
    super()
    attached.then((socket) => this.#take(socket), (error: Error) => this.destroy(error))
  }

  #take(socket: net.Socket): void {
    if (this.destroyed) {
      socket.destroy()
      return
    }
    this.#socket = socket
    socket.on("data", (chunk) => {
      if (!this.push(chunk)) socket.pause()
    })
    socket.on("end", () => this.push(null))
    socket.on("error", () => {}) // "close" follows
    socket.on("close", () => {
      if (!this.destroyed) this.destroy(this.writableEnded ? undefined : new Error("The database owner went away"))
    })
    for (const run of this.#whenReady.splice(0)) run(socket)
  }

  #ready(run: (socket: net.Socket) => void): void {
    if (this.#socket !== undefined) run(this.#socket)
    else this.#whenReady.push(run)
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#ready((socket) => socket.write(chunk, done))
  }

  override _read(): void {
    this.#socket?.resume()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#ready((socket) => {
      socket.end()
      done()
    })
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }
}
