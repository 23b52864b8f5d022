import { ConfigProvider, Layer, References } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { maskPath, parsePath } from "./routes.ts"

/** OpenTelemetry's environment variables for the collector's address. */
const endpointVariables = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]

const monitoring = new Set(["/healthz", "/readyz", "/metrics"])

const dropUndefined = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))

/**
 * Sends traces to the collector that OpenTelemetry's environment variables name. Without these variables, tracing is
 * off and costs nothing.
 */
export const layerTracing = (
  env: Readonly<Record<string, string | undefined>>,
  version: string
): Layer.Layer<never> =>
  endpointVariables.every((name) => (env[name] ?? "") === "") ?
    Layer.succeed(References.TracerEnabled, false) :
    Layer.mergeAll(
      OtlpTracer.layerFromConfig({ resource: { serviceName: "sov", serviceVersion: version } }).pipe(
        Layer.provide([
          OtlpSerialization.layerJson,
          FetchHttpClient.layer,
          // OpenTelemetry's default when only an endpoint is set
          ConfigProvider.layer(ConfigProvider.fromEnv({ env: { OTEL_TRACES_EXPORTER: "otlp", ...dropUndefined(env) } }))
        ])
      ),
      // The URL of a sign-in link contains its secret
      Layer.succeed(
        HttpMiddleware.TracerDisabledWhen,
        ({ url }) => monitoring.has(url) || maskPath(parsePath(url)) !== parsePath(url)
      )
    )
