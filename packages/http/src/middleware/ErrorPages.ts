import { Context, type Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** A problem as a page for people. */
export type RenderErrorPage = (problem: {
  readonly status: number
  readonly requestId: string
  /** What `Allow` says; null except for 405. */
  readonly allow: string | null
}) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** How errors are shown to browsers; `render` is null until a part of the server with pages sets it. */
export class ErrorPages extends Context.Service<ErrorPages, { render: RenderErrorPage | null }>()(
  "@sov/http/middleware/ErrorPages"
) {
  static readonly layer = Layer.sync(ErrorPages, () => ({ render: null }))
}

/** Whether a person reads the answer: the client asks for HTML, and not at the API. */
export const wantsPage = (accept: string | undefined, path: string): boolean =>
  accept !== undefined && /\btext\/html\b/i.test(accept) && !/^\/api(?:\/|$)/.test(path)
