/** A TCP proxy that a test can make fail: it drops or resets connections, delays bytes, or swallows them. */
import { connect, createServer, type Socket } from "node:net"

export interface FaultProxy {
  readonly port: number
  /** Closes all connections; new connections are accepted. */
  readonly dropConnections: () => void
  /** Resets all connections (RST), as if the other side had crashed; new connections are accepted. */
  readonly reset: () => void
  /** Delays all bytes in both directions, until it is called with false. */
  readonly stall: (stalled: boolean) => void
  /** Whether bytes in both directions are swallowed instead of forwarded. */
  blackhole: boolean
  /** Whether new connections are closed at once. */
  refuse: boolean
  readonly close: () => Promise<void>
}

export const faultProxy = (host: string, port: number): Promise<FaultProxy> =>
  new Promise((resolve) => {
    const open = new Set<Socket>()
    const proxy = { blackhole: false, refuse: false }
    let stalled = false
    const pass = (from: Socket, to: Socket) => {
      open.add(from)
      if (stalled) from.pause()
      from.on("data", (chunk: Buffer) => void (proxy.blackhole || to.write(chunk)))
      from.on("error", () => {}).on("close", () => {
        open.delete(from)
        to.destroy()
      })
    }
    const server = createServer((client) => {
      if (proxy.refuse) return void client.destroy()
      const upstream = connect(port, host)
      pass(client, upstream)
      pass(upstream, client)
    })
    const dropConnections = () => {
      for (const socket of open) socket.destroy()
    }
    const reset = () => {
      for (const socket of open) socket.resetAndDestroy()
    }
    const stall = (now: boolean) => {
      stalled = now
      for (const socket of open) {
        if (now) socket.pause()
        else socket.resume()
      }
    }
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(Object.assign(proxy, {
        port: typeof address === "object" && address !== null ? address.port : 0,
        dropConnections,
        reset,
        stall,
        close: () =>
          new Promise<void>((done) => {
            server.close(() => done())
            dropConnections()
          })
      }))
    })
  })
