/**
 * Limits what one client may use: the number of connections from its network, one response at a time on each
 * connection, and closing connections whose client stops reading. Without these limits, unread responses would occupy
 * sockets and memory.
 */
import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { networkOf } from "./clientAddress.ts"

/** Maximum number of waiting requests on a connection; no real client sends as many ahead. */
const maxWaiting = 1_000

/** How many waiting requests may begin before the server handles other events. */
const turnsAtOnce = 4

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/**
 * Node's server, except that it handles the requests of one connection in sequence: a request that was sent ahead
 * (pipelining) begins when the previous response has been read. Node itself would begin all of them at once and keep
 * the responses in memory. All connections take turns, and new requests come in between, so a client that sends many
 * requests ahead delays no other client.
 */
export class SequentialServer extends Server {
  /** The waiting requests of each connection that has a request in progress. */
  readonly #waiting = new WeakMap<Socket, Array<Exchange>>()
  /** Connections whose next request may begin. */
  #due: Array<Socket> = []

  /** Whether a request of this connection is being handled, or is about to be. */
  isAnswering(socket: Socket): boolean {
    return this.#waiting.has(socket)
  }

  override emit(event: string, ...args: Array<unknown>): boolean {
    if (event !== "request") return super.emit(event, ...args)
    const [request, response] = args as unknown as Exchange
    const { socket } = request
    const waiting = this.#waiting.get(socket)
    if (waiting === undefined) {
      this.#waiting.set(socket, [])
      return this.#begin(request, response)
    }
    if (waiting.length >= maxWaiting) socket.destroy()
    else waiting.push([request, response])
    // Requests sent ahead are already in memory; the server reads no more until they have their turn
    socket.pause()
    return true
  }

  #begin(request: IncomingMessage, response: ServerResponse): boolean {
    response.once("close", () => this.#end(request.socket))
    return super.emit("request", request, response)
  }

  #end(socket: Socket): void {
    if (socket.destroyed || this.#waiting.get(socket)?.length === 0) return void this.#waiting.delete(socket)
    if (this.#due.push(socket) === 1) setImmediate(this.#beginDue)
  }

  readonly #beginDue = (): void => {
    for (const socket of this.#due.splice(0, turnsAtOnce)) {
      const waiting = this.#waiting.get(socket)
      const next = socket.destroyed ? undefined : waiting?.shift()
      if (next === undefined) this.#waiting.delete(socket)
      else {
        if (waiting!.length === 0) socket.resume()
        this.#begin(...next)
      }
    }
    if (this.#due.length > 0) setImmediate(this.#beginDue)
  }
}

export interface ConnectionLimits {
  /** Maximum number of connections from one network (`networkOf`); 0 = no limit. */
  readonly maxConnections: number
  /** Whether an address has no limit, for example because it is a proxy that forwards the requests of many clients. */
  readonly isExempt: (address: string) => boolean
  /** Maximum number of milliseconds in which a client may read nothing of what was sent to it. */
  readonly unreadMs: number
  /** Called for each connection that exceeds the limit. */
  readonly onRefused?: () => void
}

/**
 * Closes connections that exceed the limit of their network, and connections whose client does not read its response.
 */
export const limitConnections = (
  server: SequentialServer,
  { isExempt, maxConnections, onRefused, unreadMs }: ConnectionLimits
): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket) => {
    const address = socket.remoteAddress
    if (maxConnections === 0 || address === undefined || isExempt(address)) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > maxConnections) {
      socket.destroy()
      return onRefused?.()
    }
    open.set(network, count)
    socket.once("close", () => {
      const left = open.get(network)! - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
  server.timeout = unreadMs
  // Either nothing was read for that long, or Node's limit for idle connections has passed. A response in progress is
  // still awaited
  server.on("timeout", (socket) => {
    if (socket.writableLength > 0 || !server.isAnswering(socket)) socket.destroy()
  })
}
