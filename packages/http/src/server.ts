/**
 * The server: operations of the contract, documentation, monitoring endpoints and additional routes, all with the same
 * middleware.
 */
import { Duration, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import type { Server } from "node:http"
import { Api } from "./contract/Api.ts"
import { layerDocs } from "./handlers/docs.ts"
import { layerHandlers, layerOperatorHandlers } from "./handlers/index.ts"
import { layerMonitoring } from "./handlers/monitoring.ts"
import { layerAuthorization, layerOperatorAuthorization } from "./middleware/authorize.ts"
import { makeIsTrusted } from "./middleware/clientAddress.ts"
import { limitConnections, SequentialServer } from "./middleware/connections.ts"
import { ErrorPages } from "./middleware/ErrorPages.ts"
import { Gate } from "./middleware/Gate.ts"
import { layerRefusedLog, makeRefusedConnections } from "./middleware/logRefused.ts"
import { answerParserErrors } from "./middleware/parserErrors.ts"
import { RequestMetrics } from "./middleware/RequestMetrics.ts"
import { layerRequests } from "./middleware/requests.ts"
import { Stopping } from "./middleware/Stopping.ts"
import { layerNodeHttpServer } from "./nodeHttpServer.ts"
import { KnownPaths } from "./routes.ts"
import { defaultMaxConnections, type ServerOptions, ServerSettings } from "./ServerSettings.ts"

/** Maximum size of the request line and all headers, in bytes. */
const headerLimit = 16_384

/**
 * Milliseconds for which an idle connection stays open. Longer than proxies keep idle connections (60 s), because the
 * side that reuses a connection must close it first.
 */
const keepAliveTimeout = 75_000

/** Node's HTTP server with sov's limits. */
const makeNodeServer = (
  { maxConnections = defaultMaxConnections, timeouts, trustedProxies = [] }: ServerOptions,
  onRefused: () => void
): Server => {
  const headersTimeout = timeouts?.headersMs ?? 10_000
  const server = new SequentialServer({
    maxHeaderSize: headerLimit,
    headersTimeout,
    requestTimeout: timeouts?.requestMs ?? 30_000,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1_000, headersTimeout),
    requireHostHeader: false
  })
  answerParserErrors(server)
  limitConnections(server, {
    maxConnections,
    isExempt: makeIsTrusted(trustedProxies),
    onRefused,
    unreadMs: timeouts?.unreadMs ?? 20_000
  })
  return server
}

/**
 * Drains the server when it stops: ends streams, closes idle connections, and closes all connections once `drain` has
 * passed.
 */
const layerDrain = (server: Server, drain: Duration.Input) =>
  Layer.effectDiscard(
    Effect.flatMap(Stopping, (stopping) =>
      Effect.addFinalizer(() =>
        Effect.andThen(
          stopping.begin,
          Effect.sync(() => {
            const idle = setInterval(() => server.closeIdleConnections(), 50)
            const forced = setTimeout(() => server.closeAllConnections(), Duration.toMillis(drain) + 200)
            server.once("close", () => {
              clearInterval(idle)
              clearTimeout(forced)
            })
          })
        )
      ))
  )

const layerApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([layerHandlers, layerOperatorHandlers]),
  Layer.provide([layerAuthorization, layerOperatorAuthorization]),
  Layer.merge(Layer.effectDiscard(Effect.gen(function*() {
    const known = yield* KnownPaths
    HttpApi.reflect(Api, { onGroup() {}, onEndpoint: ({ endpoint }) => known.add(endpoint.method, endpoint.path) })
  })))
)

/**
 * Runs the server until its scope closes. It then accepts no new requests, and requests in progress have
 * `options.drain` to finish. `mounted` adds routes (`route`) that use the same `Gate`. Fails with ServeError if the
 * server cannot listen.
 */
export const layerServer = <E = never, R = never>(
  options: ServerOptions,
  mounted: Layer.Layer<never, E, R> = Layer.empty as Layer.Layer<never, E, R>
) =>
  Layer.unwrap(Effect.sync(() => {
    const { drain, host, port } = options
    const refused = makeRefusedConnections(options.maxConnections ?? defaultMaxConnections)
    const server = makeNodeServer(options, refused.note)
    const serving = HttpRouter.serve(
      Layer.mergeAll(layerApiRoutes, layerDocs, layerMonitoring, mounted, layerRequests),
      {
        routerConfig: { caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false },
        disableLogger: true,
        disableListenLog: true
      }
    )
    // Built last, so that its finalizer runs first
    return layerDrain(server, drain).pipe(
      Layer.provideMerge(serving),
      Layer.merge(layerRefusedLog(refused)),
      Layer.provide(Gate.layer),
      Layer.provide([RequestMetrics.layer, KnownPaths.layer, ErrorPages.layer, Stopping.layer]),
      Layer.provide(Layer.succeed(ServerSettings, options)),
      Layer.provideMerge(layerNodeHttpServer(server, { host, port, gracefulShutdownTimeout: drain }))
    )
  }))
