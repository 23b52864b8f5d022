import { Layer } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/** Variables of OpenTelemetry that say where traces go. */
const endpoints = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]

/** Sends traces where OpenTelemetry's own variables say; without them nothing is traced, and nothing is paid for it. */
export const layerTracing = (
  env: Readonly<Record<string, string | undefined>>,
  version: string
): Layer.Layer<never> =>
  endpoints.every((name) => (env[name] ?? "") === "") ? Layer.empty : Layer.mergeAll(
    OtlpTracer.layerFromConfig({ resource: { serviceName: "sov", serviceVersion: version } }).pipe(
      Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])
    ),
    HttpMiddleware.layerTracerDisabledForUrls(["/healthz", "/readyz", "/metrics"])
  )
