/** Endpoints for monitoring: liveness, readiness and metrics. */
import { checkDatabase } from "@sov/core/common"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage } from "node:http"
import { problemTypes } from "../contract/problemTypes.ts"
import { isLocalRequest } from "../middleware/hosts.ts"
import { makeProblemResponse } from "../middleware/problemResponse.ts"
import { RequestMetrics } from "../middleware/RequestMetrics.ts"
import { layerRoute } from "../routes.ts"
import { ServerSettings } from "../ServerSettings.ts"

/** GET /healthz: responds as long as the process runs. */
const layerHealth = layerRoute("GET", "/healthz", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))

/** GET /readyz: also checks that the database answers. */
const layerReady = Layer.unwrap(Effect.gen(function*() {
  const check = checkDatabase().pipe(
    Effect.timeout("2 seconds"),
    Effect.as(HttpServerResponse.jsonUnsafe({ status: "ready" })),
    Effect.orElseSucceed(() =>
      makeProblemResponse(problemTypes.unavailable, { detail: "The database does not answer", retry_after: 2 })
    )
  )
  // Needs no key, so the result is cached to limit the load: at most one statement a second
  return layerRoute("GET", "/readyz", yield* Effect.cachedWithTTL(check, "1 second"))
}))

/** GET /metrics: only for this machine, unless `openMetrics` is set; other clients get 404. */
const layerMetrics = layerRoute(
  "GET",
  "/metrics",
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { openMetrics } = yield* ServerSettings
    const { text } = yield* RequestMetrics
    return openMetrics || isLocalRequest(request.source as IncomingMessage)
      ? HttpServerResponse.text(text(), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      : makeProblemResponse(problemTypes.notFound)
  })
)

export const layerMonitoring = Layer.mergeAll(layerHealth, layerReady, layerMetrics)
