/**
 * One server of the benchmark, in a separate process: `subject.ts KIND URL CACHED`; KIND is sov, raw (node:http and
 * postgres.js) or fastify (with pg). Sends its port to its parent process, then, on request, its CPU time and memory.
 */
import { Notifications, type OrganizationId } from "@sov/core"
import { layerServer as layerPostgres, layerStores } from "@sov/core/postgres"
import { readSurfaceLine, readVisibility } from "@sov/core/scoring"
import { layerServer, layerTracing } from "@sov/http"
import { Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { layerPlatforms, scriptedPlatform } from "../../support/scriptedPlatforms.ts"
import { serverOptions } from "../../support/serverOptions.ts"
import { nodePostgres, postgresJs } from "./drivers.ts"
import { configured, makeOperations, type ReadOnce } from "./operations.ts"

const [kind, url = "", mode] = process.argv.slice(2)
const cached = mode === "cached"

/** Reads what sov keeps for a minute, for a plain server, which keeps it as long. */
const makeReadOnce = () => {
  const runtime = ManagedRuntime.make(
    layerStores.pipe(
      Layer.provideMerge(layerPostgres({ url: Redacted.make(url), maxConnections: 1 })),
      Layer.provideMerge(SecureRandom.layerWebCrypto)
    )
  )
  return (organizationId: string): Promise<ReadOnce> =>
    runtime.runPromise(Effect.gen(function*() {
      const id = organizationId as OrganizationId
      const { latest, standing } = yield* readVisibility(id)
      return { standing, surfaceLine: yield* readSurfaceLine(id, latest.scan) }
    }))
}

const raw = (): Promise<number> => {
  const operations = makeOperations(postgresJs(url), cached, makeReadOnce())
  const answer = (response: ServerResponse, status: number, body: unknown) => {
    const text = JSON.stringify(body)
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    response.end(text)
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
      void (async () => {
        const owner = await operations.authenticate(request.headers.authorization)
        if (owner === undefined) return answer(response, 401, {})
        const path = (request.url ?? "").split("?", 1)[0]
        if (path === "/api/v1/sov") return answer(response, 200, await operations.sov(owner))
        if (path === "/api/v1/archive") return answer(response, 200, await operations.archive(owner))
        return answer(response, 202, await operations.startScan(owner, Buffer.concat(chunks).toString()))
      })().catch((error: unknown) => answer(response, 500, { error: String(error) }))
    })
  })
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)))
}

const fastify = async (): Promise<number> => {
  const { default: make } = await import("fastify")
  const operations = makeOperations(nodePostgres(url), cached, makeReadOnce())
  const app = make()
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_, body, done) => done(null, body))
  app.decorateRequest("owner", "")
  app.addHook<{ Body: string }>("onRequest", async (request, reply) => {
    const owner = await operations.authenticate(request.headers.authorization)
    if (owner === undefined) return reply.code(401).send({})
    ;(request as unknown as { owner: string }).owner = owner
  })
  const owner = (request: unknown) => (request as { readonly owner: string }).owner
  app.get("/api/v1/sov", (request) => operations.sov(owner(request)))
  app.get("/api/v1/archive", (request) => operations.archive(owner(request)))
  app.post<{ Body: string }>("/api/v1/scans", async (request, reply) => {
    reply.code(202)
    return operations.startScan(owner(request), request.body)
  })
  await app.listen({ host: "127.0.0.1", port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Notifications that never arrive, so that the server caches no keys. */
const layerDeaf = Layer.effect(
  Notifications,
  Effect.map(Notifications, (notifications) => ({ ...notifications, listen: () => Stream.never }))
)

const sov = async (): Promise<number> => {
  const never = () => Effect.die("asked")
  const stores = layerStores.pipe(Layer.provideMerge(layerPostgres({ url: Redacted.make(url) })))
  const storage = cached ? stores : layerDeaf.pipe(Layer.provideMerge(stores))
  const server = layerServer(serverOptions)
  const runtime = ManagedRuntime.make(
    server.pipe(
      Layer.provideMerge(
        layerPlatforms(...configured.map((id) => scriptedPlatform(id, never)))
      ),
      Layer.provideMerge(storage),
      Layer.provideMerge(SecureRandom.layerWebCrypto),
      // Configured as in `sov serve`
      Layer.provideMerge(layerTracing({}, "0.0.0"))
    )
  )
  const address = await runtime.runPromise(Effect.map(HttpServer.HttpServer, (one) => one.address))
  return "port" in address ? address.port : 0
}

const port = await (kind === "raw" ? raw() : kind === "fastify" ? fastify() : sov())
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send!({ cpuMicros: system + user, rss: process.memoryUsage.rss() })
})
// Node writes a CPU profile only when the process exits normally
process.on("disconnect", () => process.exit(0))
process.send!({ port })
