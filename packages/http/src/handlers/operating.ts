/** What those who operate the server ask it: whether it lives, whether it can work, what it did. */
import { checkDatabase } from "@sov/core"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage } from "node:http"
import { problemTypes } from "../contract/problemTypes.ts"
import { isFromHere } from "../middleware/hosts.ts"
import { problemResponse } from "../middleware/problemResponse.ts"
import { RequestMetrics } from "../middleware/RequestMetrics.ts"
import { route } from "../routes.ts"
import { ServerSettings } from "../ServerSettings.ts"

/** GET /healthz: the process answers. */
const health = route("GET", "/healthz", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))

/** GET /readyz: the database answers, too. */
const ready = Layer.unwrap(Effect.gen(function*() {
  const asked = checkDatabase().pipe(
    Effect.timeout("2 seconds"),
    Effect.as(HttpServerResponse.jsonUnsafe({ status: "ready" })),
    Effect.orElseSucceed(() =>
      problemResponse(problemTypes.unavailable, { detail: "The database does not answer", retry_after: 2 })
    )
  )
  // Anybody may ask, without a key: no oftener than that does it cost a statement
  return route("GET", "/readyz", yield* Effect.cachedWithTTL(asked, "1 second"))
}))

/** GET /metrics: for this machine alone, unless it was opened; others are told that there is nothing. */
const metrics = route(
  "GET",
  "/metrics",
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { openMetrics } = yield* ServerSettings
    const { text } = yield* RequestMetrics
    return openMetrics || isFromHere(request.source as IncomingMessage)
      ? HttpServerResponse.text(text(), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      : problemResponse(problemTypes.notFound)
  })
)

export const layerOperating = Layer.mergeAll(health, ready, metrics)
