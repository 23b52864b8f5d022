/** A REST API server in the test's own process, with its own storage, and functions that send requests to it. */
import {
  type AnswerPlatforms,
  createApiKey,
  type EncryptionKeys,
  KeywordStore,
  type PlanId,
  TrackedSetStore,
  type WebhookSender
} from "@sov/core"
import { keywords, seedOrganization, type Stores, trackedSet } from "@sov/core/testing"
import {
  type ErrorPages,
  type Gate,
  type KnownPaths,
  layerServer,
  type ServerOptions,
  type ServerSettings,
  type Stopping
} from "@sov/http"
import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import type { HttpRouter } from "effect/http"
import type { SqlClient } from "effect/sql"
import { request } from "node:http"
import { connect } from "node:net"
import type { Home } from "./homes.ts"
import { layerPlatforms, scriptedPlatform } from "./scriptedPlatforms.ts"
import { serverOptions } from "./serverOptions.ts"
import { layerHome } from "./storage.ts"

const options: ServerOptions = { ...serverOptions, drain: "5 seconds" }

/** A response as it was received. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; null if the body is not JSON. */
  readonly json: unknown
}

export interface Ask {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string | Uint8Array
}

/** The system's clock, which a test can move by some milliseconds or stop. */
const movableClock = () => {
  const moved: { ms: number; stoppedAt: number | null } = { ms: 0, stoppedAt: null }
  const layer = Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (clock): Clock.Clock => {
      const millis = () => moved.stoppedAt ?? clock.currentTimeMillisUnsafe() + moved.ms
      const nanos = () => BigInt(millis()) * 1_000_000n
      return {
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
    })
  )
  return { moved, layer }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Sends one request with Node's client exactly as given: any method, repeated headers, nothing added. */
export const ask = (base: string, path: string, { body, headers, key, method = "GET" }: Ask = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const { hostname, port } = new URL(base)
    const sent = request(
      { hostname, port, path, method, headers: { ...authorization, ...headers } as never },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject).on("end", () => {
          const text = Buffer.concat(chunks).toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            text,
            json: parsed(text)
          })
        })
      }
    )
    const failed = (error: NodeJS.ErrnoException) => {
      // The server closes a connection after five idle seconds; on a busy machine the client may reuse it just then
      const closed = sent.reusedSocket && error.code === "ECONNRESET" && method === "GET"
      if (closed) resolve(ask(base, path, { ...headers && { headers }, ...key !== undefined && { key } }))
      else reject(error)
    }
    sent.on("error", failed).end(body)
  })

/** Sends raw bytes, and returns everything received until the server closes the connection. */
export const askRaw = (
  port: number,
  chunks: ReadonlyArray<string | Buffer>
): Promise<{ readonly status: number; readonly head: string; readonly json: unknown; readonly sent: number }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => text += chunk)
    // After a refusal, the server may reset the connection while bytes are still being sent
    socket.on(
      "error",
      (error: NodeJS.ErrnoException) => ["EPIPE", "ECONNRESET"].includes(error.code ?? "") || reject(error)
    )
    socket.on("close", () => {
      const [head = "", ...body] = text.split("\r\n\r\n")
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
      resolve({ status, head, json: parsed(body.join("\r\n\r\n")), sent: socket.bytesWritten })
    })
    // Waits until the server has taken a chunk before sending the next
    const pump = (n: number): void => {
      if (n === chunks.length) return
      if (socket.write(chunks[n]!)) pump(n + 1)
      else socket.once("drain", () => pump(n + 1))
    }
    pump(0)
  })

/** Services that the server provides to mounted routes. */
type MountServices =
  | AnswerPlatforms
  | EncryptionKeys
  | ErrorPages
  | Gate
  | HttpRouter.HttpRouter
  | KnownPaths
  | ServerSettings
  | Stopping
  | Stores
  | WebhookSender

/**
 * Starts the server; call `close` in afterAll. `base` is its address; `clock.ms` moves its time. No worker runs, so no
 * platform is asked.
 */
export const openApi = async (
  home: Home | Layer.Layer<Stores | SqlClient.SqlClient, unknown>,
  settings: Partial<ServerOptions> = {},
  mounted: Layer.Layer<never, unknown, MountServices> = Layer.empty,
  logs: Layer.Layer<never> = Layer.empty
) => {
  const { layer: clock, moved } = movableClock()
  const never = () => Effect.die("asked")
  const storage = typeof home === "string" ? layerHome(home) : home
  const runtime = ManagedRuntime.make(
    layerServer({ ...options, ...settings }, mounted).pipe(
      Layer.provideMerge(
        layerPlatforms(scriptedPlatform("assistant_a", never), scriptedPlatform("assistant_b", never))
      ),
      Layer.provideMerge(storage),
      Layer.provideMerge(clock),
      Layer.provideMerge(logs)
    )
  )
  type Services =
    | AnswerPlatforms
    | EncryptionKeys
    | HttpServer.HttpServer
    | SqlClient.SqlClient
    | Stores
    | WebhookSender
  const run = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => runtime.runPromise(effect)
  const address = await run(Effect.map(HttpServer.HttpServer, (server) => server.address))
  const port = "port" in address ? address.port : 0
  const base = `http://127.0.0.1:${port}`
  return {
    run,
    close: () => runtime.dispose(),
    port,
    base,
    clock: moved,
    ask: (path: string, what?: Ask) => ask(base, path, what)
  }
}
export type TestApi = Awaited<ReturnType<typeof openApi>>

/** An organization that can start scans, with an API key. */
export const tenant = (fields: { readonly plan?: PlanId; readonly scanQuota?: number } = {}) =>
  Effect.gen(function*() {
    const organization = yield* seedOrganization(fields)
    const organizationId = organization.id
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet())
    const asked = yield* (yield* KeywordStore).add(organizationId, yield* keywords(["best anvil?", "which forge?"]))
    const { key, secret } = yield* createApiKey(organizationId, "test")
    return { organizationId, keywords: asked, key: secret, keyId: key.id }
  })
