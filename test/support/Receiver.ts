/** A real webhook receiver on loopback. It records requests and responds as the test says. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** A request that was received. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds of the system clock. */
  readonly at: number
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: ReadonlyArray<Received>
  /** Number of connections that were opened. */
  readonly connections: () => number
}

/** Starts a receiver on any port of `host`; it stops when the test ends. */
export const startReceiver = async (
  answer: (request: Received, response: ServerResponse) => void = (_, response) => response.writeHead(204).end(),
  host = "127.0.0.1"
): Promise<Receiver> => {
  const received: Array<Received> = []
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
      const one = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks), at: performance.now() }
      received.push(one)
      answer(one, response)
    })
  }).on("connection", () => connections++)
  server.listen(0, host)
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${host}:${port}/hook`, port, received, connections: () => connections }
}
