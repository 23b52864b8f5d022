import { Context, type Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** Renders a problem as a page for people. */
export type RenderErrorPage = (problem: {
  readonly status: number
  readonly requestId: string
  /** The value of the `Allow` header; null unless the status is 405. */
  readonly allow: string | null
}) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** How errors are shown in browsers. `render` is null until a part of the server that has pages sets it. */
export class ErrorPages extends Context.Service<ErrorPages, { render: RenderErrorPage | null }>()(
  "@sov/http/middleware/ErrorPages"
) {
  static readonly layer = Layer.sync(ErrorPages, () => ({ render: null }))
}

/** Whether the response to an error should be a page: the client asks for HTML, outside the API. */
export const wantsPage = (accept: string | undefined, path: string): boolean =>
  accept !== undefined && /\btext\/html\b/i.test(accept) && !/^\/api(?:\/|$)/.test(path)
