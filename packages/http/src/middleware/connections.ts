/**
 * What one client may take of the server: a number of connections from its network, one answer at a time on each, and
 * an end for connections that stop reading. Without these, answers that nobody reads hold sockets and memory.
 */
import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { networkOf } from "./clientAddress.ts"

/** Requests that may wait on a connection; no client sends as many ahead. */
const maxWaiting = 1_000

/** Requests that were sent ahead which begin before the server looks at what else has come. */
const turnsAtOnce = 4

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/**
 * Node's server, which handles the requests of one connection one after the other: one that was sent ahead (pipelining)
 * begins when the answer before it has been taken. Node itself begins them all and keeps the answers in memory.
 * Requests of all connections take turns, and new requests come between: what many send ahead holds up nobody else.
 */
export class SequentialServer extends Server {
  /** What waits on each connection that has a request in progress. */
  readonly #waiting = new WeakMap<Socket, Array<Exchange>>()
  /** Connections whose next request may begin. */
  #due: Array<Socket> = []

  /** Whether a request of this connection is being answered, or is about to be. */
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
    // What has been sent ahead is in memory already; no more is read before it is their turn
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
  /** Of one network (`networkOf`); 0 = no limit. */
  readonly maxConnections: number
  /** Whether an address has no limit, as that of a proxy which brings the requests of many. */
  readonly isExempt: (address: string) => boolean
  /** Milliseconds in which a client has to take some of what is written to it. */
  readonly unreadMs: number
  /** Called for each connection over the limit. */
  readonly onRefused?: () => void
}

/** Closes connections over the limit of their network, and those whose client does not read its answer. */
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
  // Nothing moved for that long, or Node's time for idle connections is over. An answer that is still being made is
  // waited for
  server.on("timeout", (socket) => {
    if (socket.writableLength > 0 || !server.isAnswering(socket)) socket.destroy()
  })
}
