/**
 * One server of the benchmark, in a separate process: `subject.ts KIND URL`. KIND is `sov`; `bare`: the protocol
 * library on node:http with one echo tool, behind the same check of keys and the same rate limit; or `mount`: sov's
 * server with that one tool. Sends its port to its parent process, then, on request, its CPU time until now.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { makeKeyCache, RateLimiter } from "@sov/core"
import { layerServer as layerPostgres, layerStores } from "@sov/core/postgres"
import { layerServer, layerTracing } from "@sov/http"
import { layerMcp } from "@sov/mcp"
import { Effect, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { layerPlatforms, scriptedPlatform } from "../../support/scriptedPlatforms.ts"

const [kind, url = ""] = process.argv.slice(2)
const rate = 60
const windowMs = 60_000
const storage = layerStores.pipe(
  Layer.provideMerge(layerPostgres({ url: Redacted.make(url) })),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  // Configured as in `sov serve`
  Layer.provideMerge(layerTracing({}, "0"))
)

const echo = (): Server => {
  const server = new Server({ name: "bare", version: "0" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: String(params.arguments?.["message"]) }]
  }))
  return server
}

/**
 * How a plain program returns JSON: for the 2026 revision with the library's handler, for earlier ones with its
 * transport.
 */
const bare = Effect.gen(function*() {
  const keys = yield* makeKeyCache()
  const limiter = yield* RateLimiter
  const run = Effect.runPromiseWith(yield* Effect.context<RateLimiter>())
  const handler = createMcpHandler(echo)
  const passes = (secret: string): Promise<boolean> =>
    run(
      Effect.flatMap(
        keys.authenticate(secret),
        (caller) => limiter.take(caller.organization.id, caller.keyId, { count: 1, limit: rate, windowMs })
      ).pipe(Effect.map(({ taken }) => taken))
    )
  const respond = async (request: Request, parsedBody: unknown): Promise<Response> => {
    if (!await isLegacyRequest(request, parsedBody)) return handler.fetch(request, { parsedBody })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await echo().connect(transport)
    return transport.handleRequest(request, { parsedBody })
  }
  const server = createServer((asked, answer) => {
    const chunks: Array<Buffer> = []
    asked.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
      void (async () => {
        if (!await passes(asked.headers.authorization!.slice("Bearer ".length))) return answer.writeHead(429).end()
        const headers = new Headers(asked.headers as Record<string, string>)
        const request = new Request("http://bare/api/mcp", { method: "POST", headers })
        const response = await respond(request, JSON.parse(Buffer.concat(chunks).toString()))
        const body = Buffer.from(await response.arrayBuffer())
        answer.writeHead(response.status, { "content-type": "application/json", "content-length": body.length })
        return answer.end(body)
      })().catch((error: unknown) => answer.writeHead(500).end(String(error)))
    })
  })
  return yield* Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })
})

const sov = Effect.gen(function*() {
  const never = () => Effect.die("asked")
  const pack = kind === "mount" ? { factory: echo, streams: () => false } : undefined
  const settings = { host: "127.0.0.1", port: 0, allowedHosts: [], restRate: 0, openMetrics: false } as const
  const services = yield* Layer.build(
    layerServer({ ...settings, samples: 1, version: "0", drain: "1 seconds" }, layerMcp({ rate, version: "0" }, pack))
      .pipe(
        Layer.provide(layerPlatforms(scriptedPlatform("assistant_a", never), scriptedPlatform("assistant_b", never)))
      )
  )
  const { address } = yield* Effect.provide(HttpServer.HttpServer, services)
  return "port" in address ? address.port : 0
})

const runtime = ManagedRuntime.make(storage)
const port = await runtime.runPromise(Scope.provide(kind === "bare" ? bare : sov, Scope.makeUnsafe()))
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send!({ cpuMicros: system + user })
})
// Node writes a CPU profile only when the process exits normally
process.on("disconnect", () => process.exit(0))
process.send!({ port })
