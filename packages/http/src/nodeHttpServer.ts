/**
 * Connects Node's server with Effect's router. No other file imports `@effect/platform-node`, which packing bundles.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Duration, FileSystem, Layer, Path } from "effect"
import type { Etag, HttpPlatform, HttpServer } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import type { Server } from "node:http"

/** Where to listen, and how long requests in progress may take when the scope closes. */
interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly gracefulShutdownTimeout: Duration.Input
}

/** Services that the server provides to routes. */
type Provided =
  | HttpServer.HttpServer
  | HttpPlatform.HttpPlatform
  | Etag.Generator
  | FileSystem.FileSystem
  | Path.Path

/** Listens with this server until the scope closes; fails with ServeError if listening is impossible. */
export const layerNodeHttpServer = (
  server: Server,
  options: ListenOptions
): Layer.Layer<Provided, ServeError> => NodeHttpServer.layer(() => server, options)
