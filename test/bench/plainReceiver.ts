/** The receiver of the delivery benchmark, in a separate process: prints its port and responds with 204. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end())
}).listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))
process.stdin.on("end", () => process.exit()).resume()
