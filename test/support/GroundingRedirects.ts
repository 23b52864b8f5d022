/**
 * A fake of Google's redirect host on loopback, behind a proxy. Every tunnel through the proxy, whatever its host, ends
 * at one server with a certificate for the redirect host. All connections and requests are recorded.
 */
import { execFileSync } from "node:child_process"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, connect, type Server } from "node:net"
import { onTestFinished } from "vitest"

const host = "vertexaisearch.cloud.google.com"

const makeCertificate = (): { readonly key: string; readonly cert: string } => {
  const args = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout -"
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`]
  const pem = execFileSync("openssl", [...args.split(" "), ...names], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  const at = pem.indexOf("-----BEGIN CERTIFICATE")
  return { key: pem.slice(0, at), cert: pem.slice(at) }
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

/**
 * Starts the proxy and the server. `redirect` answers requests through tunnels; `plain` answers requests that the proxy
 * is asked to make over http (default: it fails).
 */
export const startGroundingRedirects = async (redirect: RequestListener, plain?: RequestListener) => {
  const certificate = makeCertificate()
  const requests: Array<Pick<IncomingMessage, "url" | "method" | "headers">> = []
  const secure = createSecureServer(certificate, (request, response) => {
    requests.push(request)
    redirect(request, response)
  }).on("tlsClientError", () => {})
  const port = await listen(secure)
  const tunnels: Array<string> = []
  const proxy = createServer(plain ?? ((_, response) => void response.writeHead(502).end()))
    .on("connect", (request, socket) => {
      tunnels.push(request.url ?? "")
      const inner = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
        inner.pipe(socket).pipe(inner)
      })
      const end = () => {
        inner.destroy()
        socket.destroy()
      }
      inner.on("error", end)
      socket.on("error", end)
    })
  const origin = `http://127.0.0.1:${await listen(proxy)}`
  onTestFinished(() => {
    for (const server of [secure, proxy]) {
      server.closeAllConnections()
      server.close()
    }
  })
  return { proxy: origin, ca: certificate.cert, requests, tunnels }
}

/** A server that must not receive any connection: it counts them. */
export const startSink = async () => {
  let connections = 0
  const server = createServer((_, response) => void response.end()).on("connection", () => connections++)
  const origin = `http://127.0.0.1:${await listen(server)}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin, connections: () => connections }
}
