/** Documentation: the OpenAPI document, a page generated from it, and a page for each type of problem. */
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { makeOpenApiDocument } from "../contract/document.ts"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"
import { layerRoute } from "../routes.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { renderDocsPage, renderProblemPage, style } from "./docsPage.ts"

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const cacheControl = "public, max-age=300"

const respondHtml = (page: string) =>
  HttpServerResponse.text(page, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": contentSecurityPolicy, "cache-control": cacheControl }
  })

const layerOpenApi = Layer.unwrap(Effect.map(ServerSettings, ({ version }) => {
  const document = makeOpenApiDocument(version)
  return Layer.merge(
    layerRoute(
      "GET",
      "/openapi.json",
      Effect.succeed(HttpServerResponse.jsonUnsafe(document, { headers: { "cache-control": cacheControl } }))
    ),
    layerRoute("GET", "/docs", Effect.succeed(respondHtml(renderDocsPage(document))))
  )
}))

const layerProblemPage = (type: ProblemType) =>
  layerRoute("GET", type.type, Effect.succeed(respondHtml(renderProblemPage(type))))

export const layerDocs = Layer.mergeAll(layerOpenApi, ...Object.values<ProblemType>(problemTypes).map(layerProblemPage))
