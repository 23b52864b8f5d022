/** Limits on what one client may use, tested with plain Node servers. */
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import {
  type ConnectionLimits,
  limitConnections,
  SequentialServer
} from "../../packages/http/src/middleware/connections.ts"
import { until } from "../support/sov.ts"

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const start = async (handle: Handle, limits: Partial<ConnectionLimits> = {}) => {
  const server = new SequentialServer({ keepAliveTimeout: 60_000 }, handle)
  limitConnections(server, { maxConnections: 0, isExempt: () => false, unreadMs: 60_000, ...limits })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const open = async (localAddress = "127.0.0.1") => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {})
    onTestFinished(() => void socket.destroy())
    let text = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => text += chunk)
    await once(socket, "connect")
    return { socket, text: () => text }
  }
  const countOpen = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { countOpen, open }
}

const isClosed = (socket: Socket) => until(() => socket.destroyed, 10_000, "the connection is closed")
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`

it("pipelined requests are answered one after the other, in order, with their bodies", async () => {
  let [inFlight, most] = [0, 0]
  const { open } = await start((request, response) => {
    most = Math.max(most, ++inFlight)
    let body = ""
    request.on("data", (chunk: Buffer) => body += chunk.toString()).on("end", () =>
      setTimeout(() => {
        inFlight--
        response.end(`<${request.url}:${body.length}>`)
      }, 2))
  })
  const { socket, text } = await open()
  // Longer than one read from the socket, so that the last body is read after its turn has come
  const long = "x".repeat(200_000)
  socket.write(
    Array.from({ length: 20 }, (_, i) => post(`/${i}`, `${i}`)).join("") + post("/long", long) + get("/last")
  )
  await until(() => text().includes("</last:0>"), 10_000, "the last answer")
  const answers = [...text().matchAll(/<\/(\w+):(\d+)>/g)].map(([, path, length]) => [path, Number(length)])
  expect(answers).toEqual([
    ...Array.from({ length: 20 }, (_, i) => [String(i), String(i).length]),
    ["long", 200_000],
    ["last", 0]
  ])
  expect(most).toBe(1)
  // The connection still works
  socket.write(get("/again"))
  await until(() => text().includes("</again:0>"), 10_000, "a later request")
})

it("a connection whose response nobody reads is closed, and no further response is prepared", async () => {
  let begun = 0
  const answer = Buffer.alloc(20_000_000, "a")
  const { countOpen, open } = await start((_, response) => {
    begun++
    response.end(answer)
  }, { unreadMs: 300 })
  const { socket } = await open()
  socket.pause()
  socket.write(get("/a").repeat(150))
  await until(async () => await countOpen() === 0, 10_000, "the server has closed the connection")
  expect(begun).toBe(1)
})

it("a connection stays open while its response is being prepared or read slowly", async () => {
  const { open } = await start((request, response) => {
    if (request.url === "/late") setTimeout(() => response.end("late"), 1_500)
    else response.end(Buffer.alloc(20_000_000, "a"))
  }, { unreadMs: 1_000 })
  const late = await open()
  late.socket.write(get("/late"))
  await until(() => late.text().endsWith("late"), 10_000, "the late answer")
  const slow = await open()
  slow.socket.write(get("/slow"))
  const steps = setInterval(() => slow.socket.isPaused() ? slow.socket.resume() : slow.socket.pause(), 50)
  onTestFinished(() => clearInterval(steps))
  await until(() => slow.text().length > 20_000_000, 20_000, "all of the slow answer")
})

it("the connections of one network are limited, and other networks are not delayed", async () => {
  let refused = 0
  const { open } = await start((_, response) => response.end("ok"), {
    maxConnections: 3,
    onRefused: () => void refused++,
    isExempt: (address) => address === "127.0.0.3"
  })
  const held = [await open(), await open(), await open()]
  await isClosed((await open()).socket)
  expect(refused).toBe(1)
  for (const address of process.platform === "linux" ? ["127.0.0.2", "127.0.0.3"] : []) {
    for (const _ of address === "127.0.0.3" ? held.concat(held) : held) {
      const { socket, text } = await open(address)
      socket.write(get("/"))
      await until(() => text().endsWith("ok"), 10_000, "an answer")
    }
  }
  held[0]!.socket.destroy()
  await until(
    async () => {
      const { socket, text } = await open()
      socket.write(get("/"))
      await Promise.race([once(socket, "close"), once(socket, "data")])
      return text().endsWith("ok")
    },
    10_000,
    "the place that has become free"
  )
  held[1]!.socket.write(get("/"))
  await until(() => held[1]!.text().endsWith("ok"), 10_000, "an answer to one of the first")
})

it("a connection with too many pipelined requests is closed", async () => {
  const { open } = await start(() => {})
  const { socket } = await open()
  socket.write("GET / HTTP/1.1\r\nHost:a\r\n\r\n".repeat(2_000))
  await isClosed(socket)
})
