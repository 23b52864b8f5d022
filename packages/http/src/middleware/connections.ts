/**
 * What one client may take of the server: so many connections from its network, one answer at a time on each, and an end for
 * who does not read. Without these, answers that nobody reads hold sockets and memory.
 */
import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { networkOf } from "./hosts.ts"

/** Requests that may wait on a connection; no client sends as many ahead. */
const maxWaiting = 1_000

interface Turns {
  readonly waiting: Array<readonly [IncomingMessage, ServerResponse]>
}

/**
 * Node's server, which handles the requests of one connection one after the other: one that was sent ahead (pipelining) begins
 * when the answer before it has been taken. Node itself begins them all and keeps the answers in memory.
 */
export class SequentialServer extends Server {
  readonly #turns = new WeakMap<Socket, Turns>()

  /** Whether a request of this connection is being answered. */
  isAnswering(socket: Socket): boolean {
    return this.#turns.has(socket)
  }

  override emit(event: string, ...args: Array<unknown>): boolean {
    if (event !== "request") return super.emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const { socket } = request
    const turns = this.#turns.get(socket)
    if (turns === undefined) {
      this.#turns.set(socket, { waiting: [] })
      return this.#begin(request, response)
    }
    if (turns.waiting.length >= maxWaiting) socket.destroy()
    else turns.waiting.push([request, response])
    // What has been sent ahead is in memory already; no more is read before it is their turn
    socket.pause()
    return true
  }

  #begin(request: IncomingMessage, response: ServerResponse): boolean {
    response.once("close", () => this.#end(request.socket))
    return super.emit("request", request, response)
  }

  #end(socket: Socket): void {
    const { waiting } = this.#turns.get(socket)!
    const next = socket.destroyed ? undefined : waiting.shift()
    if (next === undefined) return void this.#turns.delete(socket)
    if (waiting.length === 0) socket.resume()
    this.#begin(...next)
  }
}

export interface ConnectionLimits {
  /** Of one network (`networkOf`); 0 = no limit. */
  readonly maxConnections: number
  /** Whether an address has no limit, as that of a proxy which brings the requests of many. */
  readonly isExempt: (address: string) => boolean
  /** Milliseconds in which a client has to take some of what is written to it. */
  readonly unreadMs: number
}

/** Closes connections over the limit of their network, and those whose client does not read its answer. */
export const limitConnections = (
  server: SequentialServer,
  { isExempt, maxConnections, unreadMs }: ConnectionLimits
): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket) => {
    const address = socket.remoteAddress
    if (maxConnections === 0 || address === undefined || isExempt(address)) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > maxConnections) return void socket.destroy()
    open.set(network, count)
    socket.once("close", () => {
      const left = open.get(network)! - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
  server.timeout = unreadMs
  // Nothing moved for that long, or Node's time for idle connections is over. An answer that is still being made is waited for
  server.on("timeout", (socket) => {
    if (socket.writableLength > 0 || !server.isAnswering(socket)) socket.destroy()
  })
}
