/** A server of the REST API in the test's own process, on a home of its own, and what a test asks it. */
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

/** An answer as it came. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Null for a body that is not JSON. */
  readonly json: unknown
}

export interface Ask {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string | Uint8Array
}

/** The system's clock, until a test moves it by some milliseconds or stops it. */
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

/** One request as the client of Node sends it: every method, repeated headers, no idea of its own. */
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
      // The server closes a connection that idles for five seconds: a busy machine uses one just then
      const closed = sent.reusedSocket && error.code === "ECONNRESET" && method === "GET"
      if (closed) resolve(ask(base, path, { ...headers && { headers }, ...key !== undefined && { key } }))
      else reject(error)
    }
    sent.on("error", failed).end(body)
  })

/** Sends bytes as they are and gives all that comes until the server closes. */
export const askRaw = (
  port: number,
  chunks: ReadonlyArray<string | Buffer>
): Promise<{ readonly status: number; readonly head: string; readonly json: unknown; readonly sent: number }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => text += chunk)
    // A server that has refused may reset what is still sent
    socket.on(
      "error",
      (error: NodeJS.ErrnoException) => ["EPIPE", "ECONNRESET"].includes(error.code ?? "") || reject(error)
    )
    socket.on("close", () => {
      const [head = "", ...body] = text.split("\r\n\r\n")
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0)
      resolve({ status, head, json: parsed(body.join("\r\n\r\n")), sent: socket.bytesWritten })
    })
    // No faster than it is taken
    const pump = (n: number): void => {
      if (n === chunks.length) return
      if (socket.write(chunks[n]!)) pump(n + 1)
      else socket.once("drain", () => pump(n + 1))
    }
    pump(0)
  })

/** What a server gives to what is mounted on it. */
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
 * Starts it; `close` in afterAll. `base` is its address; `clock.ms` moves its time. No worker runs: nobody is asked.
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

/** An organization that can start scans, and a key of it. */
export const tenant = (fields: { readonly plan?: PlanId; readonly scanQuota?: number } = {}) =>
  Effect.gen(function*() {
    const organization = yield* seedOrganization(fields)
    const organizationId = organization.id
    yield* (yield* TrackedSetStore).append(organizationId, yield* trackedSet())
    const asked = yield* (yield* KeywordStore).add(organizationId, yield* keywords(["best anvil?", "which forge?"]))
    const { key, secret } = yield* createApiKey(organizationId, "test")
    return { organizationId, keywords: asked, key: secret, keyId: key.id }
  })
