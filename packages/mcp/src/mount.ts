/** Serves POST /api/mcp on the server of the REST API. */
import type { AuthInfo } from "@modelcontextprotocol/server"
import type { Caller } from "@sov/core/access"
import type { StoragePorts } from "@sov/core/common"
import { findSuspension } from "@sov/core/organizations"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import { type Gate, type KnownPaths, layerRoute, RequestInfo, ServerSettings } from "@sov/http"
import { Effect, Layer, Stream } from "effect"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeAccess, makeRefusal } from "./access.ts"
import { makeServer, type McpSession, type Run } from "./makeServer.ts"
import { asksForProgress, countRequests, findRequestId, maxBatchSize, removeNotifications } from "./messages.ts"
import { defaultTimeoutMs } from "./outcome.ts"
import { type Factory, makeTransport } from "./transport.ts"

export interface McpOptions {
  /** JSON-RPC requests per minute for each key, across all servers of the database; 0 = no limit. */
  readonly rate: number
  /** Version of sov, reported to clients. */
  readonly version: string
  /** The configured platforms; null or absent = unknown. */
  readonly platforms?: ReadonlyArray<ConfiguredPlatform> | null
}

/** Replaces sov's tools with others, for tests of the protocol itself. */
export interface McpPack {
  /** Creates the server; default: a server with the tools of sov. */
  readonly factory?: Factory
  /** Whether the response to a body is a stream even if the body does not ask for progress. */
  readonly streams: (body: unknown) => boolean
}

const parseJson = (text: string): { readonly body: unknown } | null => {
  try {
    return { body: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Data that the library passes to the factory; it never contains the key. */
const makeAuthInfo = (caller: Caller, session: McpSession): AuthInfo => ({
  token: "",
  clientId: caller.keyId,
  scopes: [],
  extra: { session }
})

/**
 * The request headers that the library needs: an `accept` header for JSON and streams, and the headers of the protocol.
 */
const pickProtocolHeaders = (headers: Readonly<Record<string, string>>): Headers => {
  const made = new Headers({ accept: "application/json, text/event-stream" })
  for (const name of ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"]) {
    if (headers[name] !== undefined) made.set(name, headers[name])
  }
  for (const name of Object.keys(headers)) if (name.startsWith("mcp-param-")) made.set(name, headers[name]!)
  return made
}

const fromWebResponse = Effect.fnUntraced(function*(response: Response, batch: boolean) {
  const contentType = response.headers.get("content-type") ?? undefined
  const { body, status } = response
  const headers = Object.fromEntries(response.headers)
  delete headers["connection"]
  if (body === null) return HttpServerResponse.empty({ status, headers })
  if (contentType?.startsWith("text/event-stream") === true) {
    return HttpServerResponse.stream(
      Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error }),
      { status, headers, contentType }
    )
  }
  const text = yield* Effect.promise(() => response.text())
  return HttpServerResponse.text(
    // The library answers a batch with one request like a single request
    batch && response.ok && text.startsWith("{") ? `[${text}]` : text,
    { status, headers, ...contentType === undefined ? {} : { contentType } }
  )
})

/**
 * The MCP server as routes for `layerServer` of `@sov/http`. It keeps no state: every request sends its key. Checks in
 * this order: host (by the server), origin, key, plan, scope, size of the body, rate.
 */
export const layerMcp = (
  { platforms = null, rate, version }: McpOptions,
  pack?: McpPack
): Layer.Layer<never, never, HttpRouter.HttpRouter | Gate | KnownPaths | ServerSettings | StoragePorts> =>
  Layer.unwrap(Effect.gen(function*() {
    const { timeouts } = yield* ServerSettings
    const timeoutMs = timeouts?.answerMs ?? defaultTimeoutMs
    const { admit, count } = yield* makeAccess(rate, timeoutMs)
    const factory: Factory = pack?.factory ??
      ((context) => makeServer(version, context.authInfo?.extra?.["session"] as McpSession))
    const transport = yield* Effect.acquireRelease(
      Effect.sync(() => makeTransport(factory)),
      ({ close }) => Effect.promise(close)
    )

    const handle = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const caller = yield* admit
      if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
        return makeRefusal(415, -32_600, "The body must come without Content-Encoding")
      }
      const text = yield* Effect.orDie(request.text)
      const json = parseJson(text)
      if (json === null) return makeRefusal(400, -32_700, "Parse error: the body is not JSON")
      const { body } = json
      if (Array.isArray(body) && (body.length === 0 || body.length > maxBatchSize)) {
        return makeRefusal(400, -32_600, `A batch has 1 to ${maxBatchSize} messages`)
      }
      yield* count(caller, countRequests(body), findRequestId(body))

      const { id } = yield* RequestInfo
      const context = yield* Effect.context<StoragePorts>()
      const run: Run = (program, options) =>
        Effect.runPromiseExitWith(context)(
          Effect.annotateLogs(program, { request_id: id, key_id: caller.keyId }),
          options
        )
      const streams = (request.headers["accept"] ?? "").includes("text/event-stream") &&
        (asksForProgress(body) || pack?.streams(body) === true)
      const session = {
        organizationId: caller.organization.id,
        suspension: findSuspension(caller.organization)?.message ?? null,
        platforms,
        run,
        streams,
        timeoutMs
      }
      const authInfo = makeAuthInfo(caller, session)
      const headers = pickProtocolHeaders(request.headers)
      return yield* Effect.flatMap(
        Effect.promise((signal) =>
          transport.answer(
            new Request("http://sov/api/mcp", { method: "POST", headers, signal }),
            removeNotifications(body),
            authInfo,
            streams
          )
        ),
        (response) => fromWebResponse(response, Array.isArray(body))
      )
    }).pipe(Effect.catchIf(HttpServerResponse.isHttpServerResponse, Effect.succeed))

    return layerRoute("POST", "/api/mcp", handle)
  }))
