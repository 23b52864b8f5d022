/** A server on loopback that responds to each request as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** A request as it was received. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Script = (response: ServerResponse, seen: Seen) => void

/** Responds with JSON. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script => (response) =>
    void response.writeHead(status, {
      "content-type": status < 400 ? "application/json" : "application/problem+json",
      ...headers
    }).end(JSON.stringify(body))

/** Responds with a problem. */
export const problem = (
  status: number,
  slug: string,
  members: object = {},
  headers: Readonly<Record<string, string>> = {}
) => json(status, { type: `/problems/${slug}`, title: `Title of ${slug}`, status, ...members }, headers)

/**
 * Starts a server. The first request gets the first script, and so on; further requests get the last one. The server
 * stops when the test ends.
 */
export const scriptedHttp = async (...scripts: readonly [Script, ...ReadonlyArray<Script>]) => {
  const seen: Array<Seen> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk).on("end", () => {
      const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body }
      const script = scripts[Math.min(seen.length, scripts.length - 1)]!
      seen.push(one)
      script(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}
