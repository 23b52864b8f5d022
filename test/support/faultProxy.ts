/** A TCP proxy that a test can make fail: cut what is open, or swallow everything. */
import { connect, createServer, type Socket } from "node:net"

export interface FaultProxy {
  readonly port: number
  /** Closes all connections; new ones pass. */
  readonly cut: () => void
  /** Whether bytes are swallowed instead of passed on, in both directions. */
  blackhole: boolean
  /** Whether new connections are closed at once. */
  refuse: boolean
  readonly close: () => Promise<void>
}

export const faultProxy = (host: string, port: number): Promise<FaultProxy> =>
  new Promise((resolve) => {
    const open = new Set<Socket>()
    const proxy = { blackhole: false, refuse: false }
    const pass = (from: Socket, to: Socket) => {
      open.add(from)
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
    const cut = () => {
      for (const socket of open) socket.destroy()
    }
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(Object.assign(proxy, {
        port: typeof address === "object" && address !== null ? address.port : 0,
        cut,
        close: () =>
          new Promise<void>((done) => {
            server.close(() => done())
            cut()
          })
      }))
    })
  })
