/** Documentation: the OpenAPI document, a page generated from it, and a page for each type of problem. */
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { openApiDocument } from "../contract/document.ts"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"
import { route } from "../routes.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { docsPage, problemPage, style } from "./docsPage.ts"

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const cached = "public, max-age=300"

const html = (page: string) =>
  HttpServerResponse.text(page, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "cache-control": cached }
  })

const contract = Layer.unwrap(Effect.map(ServerSettings, ({ version }) => {
  const document = openApiDocument(version)
  return Layer.merge(
    route(
      "GET",
      "/openapi.json",
      Effect.succeed(HttpServerResponse.jsonUnsafe(document, { headers: { "cache-control": cached } }))
    ),
    route("GET", "/docs", Effect.succeed(html(docsPage(document))))
  )
}))

const problem = (type: ProblemType) => route("GET", type.type, Effect.succeed(html(problemPage(type))))

export const layerDocs = Layer.mergeAll(contract, ...Object.values<ProblemType>(problemTypes).map(problem))
