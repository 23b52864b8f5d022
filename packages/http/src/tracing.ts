import { ConfigProvider, Layer, References } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/** Variables of OpenTelemetry that say where traces go. */
const endpoints = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]

const defined = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))

/** Sends traces where OpenTelemetry's own variables say; without them nothing is traced, and nothing is paid for it. */
export const layerTracing = (
  env: Readonly<Record<string, string | undefined>>,
  version: string
): Layer.Layer<never> =>
  endpoints.every((name) => (env[name] ?? "") === "") ? Layer.succeed(References.TracerEnabled, false) : Layer.mergeAll(
    OtlpTracer.layerFromConfig({ resource: { serviceName: "sov", serviceVersion: version } }).pipe(
      Layer.provide([
        OtlpSerialization.layerJson,
        FetchHttpClient.layer,
        // OpenTelemetry's own default, where an endpoint is all that is set
        ConfigProvider.layer(ConfigProvider.fromEnv({ env: { OTEL_TRACES_EXPORTER: "otlp", ...defined(env) } }))
      ])
    ),
    HttpMiddleware.layerTracerDisabledForUrls(["/healthz", "/readyz", "/metrics"])
  )
