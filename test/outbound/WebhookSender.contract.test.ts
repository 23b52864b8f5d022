/** Posting to real receivers on loopback: which addresses are blocked, and how each kind of response is treated. */
import { type WebhookReply, WebhookSender } from "@sov/core"
import { layerWebhookSender } from "@sov/core/outbound"
import { Duration, Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer, Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { parseCidrs } from "../../packages/core/src/adapters/outbound/webhooks/egress.ts"
import type { Resolve } from "../../packages/core/src/adapters/outbound/webhooks/guardedAgent.ts"
import { startReceiver } from "../support/Receiver.ts"
import { specialAddresses } from "./addresses.ts"

const sender = (allow: string, resolve?: Resolve) =>
  layerWebhookSender(
    { allow: Result.getOrThrow(parseCidrs(allow)), http: true },
    { connectMs: 500, ...resolve === undefined ? {} : { resolve } }
  )

const sendAll = (layer: Layer.Layer<WebhookSender>, urls: ReadonlyArray<string>) =>
  Effect.runPromise(
    Effect.forEach(urls, (url) =>
      WebhookSender.use((one) => one.send({ url, headers: { "x-a": "b" }, body: Buffer.from("{\"ü\":1}") }))).pipe(
        Effect.provide(layer)
      )
  )

const send = async (layer: Layer.Layer<WebhookSender>, url: string): Promise<WebhookReply> =>
  (await sendAll(layer, [url]))[0]!

/**
 * A resolver that knows only these names. Each look-up returns the next list of addresses; the last list is repeated.
 */
const resolver = (names: { readonly [name: string]: ReadonlyArray<ReadonlyArray<string>> }): Resolve => {
  const calls = new Map<string, number>()
  return (name, done) => {
    const turn = calls.get(name) ?? 0
    calls.set(name, turn + 1)
    const found = names[name]?.[Math.min(turn, names[name].length - 1)]
    if (found === undefined) return done(Object.assign(new Error(), { code: "ENOTFOUND" }), [])
    done(null, found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
  }
}

describe("the guard of the local network", () => {
  it("loopback is never called, however its address is spelled", async () => {
    const { connections, port } = await startReceiver()
    const hosts = [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0x7f000001",
      "0177.0.0.1",
      "127.1",
      "127.0.0.1.",
      "0.0.0.0",
      "0",
      "[::1]",
      "[::]",
      "[::ffff:7f00:1]",
      "[::ffff:127.0.0.1]",
      "localhost",
      "LOCALHOST.",
      "127。0。0。1",
      "user:pw@127.0.0.1"
    ]
    const replies = await sendAll(sender(""), hosts.map((host) => `http://${host}:${port}/`))
    // Some systems' resolvers do not know `localhost.`, and then report an error
    expect(replies.filter(({ failure }) => failure !== "blocked" && failure !== "dns")).toEqual([])
    expect(replies.filter(({ failure }) => failure === "blocked").length).toBeGreaterThanOrEqual(16)
    expect(replies[0]!.message).toBe(
      "blocked: 127.0.0.1 is not a public address; SOV_WEBHOOK_ALLOW_CIDRS can allow its network"
    )
    expect(connections()).toBe(0)
  })

  it("a name with an internal address is never called, whatever its other addresses", async () => {
    const { connections, port } = await startReceiver()
    const names = Object.fromEntries(specialAddresses.flatMap((address, n) => [
      [`only-${n}.example`, [[address]]],
      [`mixed-${n}.example`, [["127.0.0.2", address]]]
    ]))
    const urls = Object.keys(names).map((name) => `http://${name}:${port}/`)
    const replies = await sendAll(sender("127.0.0.2/32", resolver(names)), urls)
    expect(replies.map(({ failure }) => failure)).toEqual(urls.map(() => "blocked"))
    expect(connections()).toBe(0)
  })

  it("the address of the connection is checked, not one that was looked up earlier", async () => {
    const outside = await startReceiver(
      (_, response) => response.writeHead(200, { connection: "close" }).end(),
      "127.0.0.2"
    )
    const inside = await startReceiver()
    const layer = sender("127.0.0.2/32", resolver({ "rebind.example": [["127.0.0.2"], ["127.0.0.1"]] }))
    const [first, second, third] = await sendAll(layer, [
      `http://rebind.example:${outside.port}/`,
      `http://rebind.example:${inside.port}/`,
      `http://rebind.example:${outside.port}/`
    ])
    expect([first!.failure, second!.failure, third!.failure]).toEqual([null, "blocked", "blocked"])
    expect([outside.connections(), inside.connections()]).toEqual([1, 0])
  })

  it("the connected address is checked again after connecting", async () => {
    const { connections, received, url } = await startReceiver()
    // `remoteAddress` itself cannot be redefined, so the method that it reads is replaced
    const internals = Socket.prototype as unknown as { readonly _getpeername: () => { readonly address: string } }
    const led = vi.spyOn(internals, "_getpeername").mockReturnValue({ address: "169.254.169.254" })
    onTestFinished(() => led.mockRestore())
    expect(await send(sender("127.0.0.0/8"), url)).toMatchObject({
      status: null,
      failure: "blocked",
      message: "blocked: 169.254.169.254 is not a public address; SOV_WEBHOOK_ALLOW_CIDRS can allow its network"
    })
    expect([connections(), received.length]).toEqual([1, 0])
  })

  it("redirects are not followed", async () => {
    const inside = await startReceiver()
    const outside = await startReceiver(
      (_, response) => response.writeHead(302, { location: inside.url }).end("see there"),
      "127.0.0.2"
    )
    expect(await send(sender("127.0.0.2/32"), outside.url)).toEqual({
      status: 302,
      failure: "redirect",
      message: "answered 302, a redirect, which is not followed",
      response: "see there",
      retryAfterMs: null
    })
    expect(inside.connections()).toBe(0)
  })

  it("proxies from the environment are not used", async () => {
    const proxy = await startReceiver()
    const target = await startReceiver()
    const before = { ...process.env }
    onTestFinished(() => {
      process.env = before
    })
    process.env = { ...before, HTTP_PROXY: proxy.url, http_proxy: proxy.url, NODE_USE_ENV_PROXY: "1" }
    expect((await send(sender("127.0.0.0/8"), target.url)).failure).toBeNull()
    expect([proxy.connections(), target.connections()]).toEqual([0, 1])
  })
})

describe("the outcome of a post", () => {
  const open = sender("127.0.0.0/8")

  it("bytes and headers are sent as given, over a connection that stays open", async () => {
    const { connections, received, url } = await startReceiver((_, response) => response.end("thanks"))
    const replies = await sendAll(open, [url, url, url])
    expect(replies[2]).toEqual({ status: 200, failure: null, message: null, response: "thanks", retryAfterMs: null })
    expect(received.map(({ body }) => body.toString())).toEqual(["{\"ü\":1}", "{\"ü\":1}", "{\"ü\":1}"])
    expect(received[0]!.headers).toMatchObject({ "x-a": "b", "content-length": "8" })
    expect(connections()).toBe(1)
  })

  it("a post is repeated at once if the receiver had closed the open connection, and only then", async () => {
    const used = new Set<Socket | null>()
    const { connections, received, url } = await startReceiver((_, response) => {
      const { socket } = response
      if (used.has(socket)) return void socket?.destroy()
      used.add(socket)
      response.end("thanks")
    })
    const replies = await sendAll(open, [url, url])
    expect(replies.map(({ failure, response }) => [failure, response])).toEqual([[null, "thanks"], [null, "thanks"]])
    expect([received.length, connections()]).toEqual([3, 2])
  })

  it.each([
    { status: 500, headers: {}, retryAfterMs: null },
    { status: 429, headers: { "retry-after": "120" }, retryAfterMs: 120_000 },
    { status: 503, headers: { "retry-after": "999999" }, retryAfterMs: 86_400_000 },
    { status: 410, headers: { "retry-after": "120" }, retryAfterMs: null },
    { status: 404, headers: {}, retryAfterMs: null }
  ])("a response with status $status is reported", async ({ headers, retryAfterMs, status }) => {
    const { url } = await startReceiver((_, response) =>
      response.writeHead(status, headers).end("whsec_abcdefgh0123 \u0000")
    )
    expect(await send(open, url)).toEqual({
      status,
      failure: "status",
      message: `answered ${status}`,
      response: "[redacted] \uFFFD",
      retryAfterMs
    })
  })

  it("a broken connection, a closed port and a name without an address are reported", async () => {
    const { url } = await startReceiver((_, response) => void response.socket?.destroy())
    expect(await send(open, url)).toMatchObject({ status: null, failure: "reset" })
    const gone = createTcpServer()
    gone.listen(0, "127.0.0.1")
    await once(gone, "listening")
    const { port } = gone.address() as AddressInfo
    gone.close()
    await once(gone, "close")
    expect(await send(open, `http://127.0.0.1:${port}/`)).toMatchObject({
      failure: "connect",
      message: "nobody listens there (ECONNREFUSED)"
    })
    expect(await send(sender("", resolver({})), "http://nowhere.example/")).toMatchObject({
      failure: "dns",
      message: "the name has no address (ENOTFOUND)"
    })
  })

  it("a response that breaks off is reported", async () => {
    const { url } = await startReceiver((_, response) => {
      response.writeHead(200, { "content-length": "10" }).write("half", () => response.socket?.destroySoon())
    })
    expect(await send(open, url)).toMatchObject({ status: 200, failure: "reset", response: "half" })
  })

  it("a post that cannot be sent is reported", async () => {
    expect(await send(open, "http://")).toMatchObject({ failure: "reset", status: null })
  })

  it("an aborted post leaves no open connection", async () => {
    let connections = 0
    const got = await startReceiver((_, response) => {
      connections++
      response.once("close", () => connections--)
    })
    const posting = WebhookSender.use((one) => one.send({ url: got.url, headers: {}, body: Buffer.from("{}") }))
    await Effect.runPromise(
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(posting)
        yield* Effect.promise(() => vi.waitFor(() => expect(connections).toBe(1), 120_000))
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => vi.waitFor(() => expect(connections).toBe(0), 120_000))
      }).pipe(Effect.provide(open))
    )
  })

  it("untrusted and missing TLS are reported", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sov-tls-"))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const [key, cert] = [join(directory, "key"), join(directory, "cert")]
    const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    execFileSync("openssl", [...args, "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", cert], { stdio: "ignore" })
    let requests = 0
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, () => requests++)
    server.on("tlsClientError", () => {}).listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const reply = await send(open, `https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(reply).toMatchObject({ status: null, failure: "tls" })
    expect(requests).toBe(0)
    const plain = await startReceiver()
    expect(await send(open, plain.url.replace("http:", "https:"))).toMatchObject({ failure: "tls" })
  })

  it("16 KiB of an endless response are read, and 1,024 characters of it are kept", async () => {
    let written = 0
    const { url } = await startReceiver((_, response) => {
      const chunk = Buffer.alloc(65_536, "x")
      const more = () => {
        while (!response.destroyed && written < 100e6) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once("drain", more)
        }
      }
      more()
    })
    const reply = await send(open, url)
    expect(reply).toMatchObject({ status: 200, failure: null })
    expect(reply.response).toHaveLength(1_024)
    expect(written).toBeLessThan(20e6)
  })

  it.each([
    { what: "a drip", begin: true, status: 200 },
    { what: "silence", begin: false, status: null }
  ])("a post to $what ends after 15 seconds", ({ begin, status }) =>
    Effect.runPromise(
      Effect.gen(function*() {
        let drops = 0
        const { received, url } = yield* Effect.promise(() =>
          startReceiver((_, response) => {
            if (!begin) return
            const timer = setInterval(() => response.write(".", () => drops++), 5)
            response.once("close", () => clearInterval(timer))
          })
        )
        const sent = yield* Effect.forkChild(
          WebhookSender.use((one) => one.send({ url, headers: {}, body: new Uint8Array() })),
          { startImmediately: true }
        )
        // The event loop runs between two drops, so that the head has been read by the third
        while (received.length === 0 || begin && drops < 3) {
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        }
        yield* TestClock.adjust(Duration.millis(14_999))
        expect(sent.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust(Duration.millis(1))
        const reply = yield* Fiber.join(sent)
        expect(reply).toMatchObject({ status, failure: "timeout", message: "no whole answer in time (ETIMEDOUT)" })
      }).pipe(Effect.provide(Layer.merge(open, TestClock.layer())))
    ))

  it("a connection whose TLS takes too long, and a name that takes too long to resolve, are reported", async () => {
    const silent = createTcpServer((socket) => socket.on("error", () => {}).resume())
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    onTestFinished(() => void silent.close())
    const begun = performance.now()
    const reply = await send(open, `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`)
    expect(reply).toMatchObject({ failure: "timeout", message: "no whole answer in time (CONNECT_TIMEOUT)" })
    expect(await send(sender("", () => {}), "http://slow.example/")).toMatchObject({ failure: "timeout" })
    expect(performance.now() - begun).toBeGreaterThan(990)
  })
})
