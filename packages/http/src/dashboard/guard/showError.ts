/** Shows errors as pages. Within an organization, members still see its menu. */
import { Clock, Effect, Result } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { parsePath } from "../../routes.ts"
import { errorPage, type KeptForm } from "../pages/error.ts"
import type { Frame } from "../pages/Frame.ts"
import { parseTheme } from "./cookies.ts"
import type { Guard } from "./Guard.ts"
import { findMembership, makeFrame } from "./makeFrame.ts"
import { respondHtml } from "./pages.ts"
import { checkProxySession, findVisitor } from "./session.ts"

/** An error page must not wait long for a database that does not answer. */
const maxLookUp = "1 second"

/** The frame of the organization in the path, for its members; null for others. Changes nothing. */
const findFrame = Effect.fnUntraced(
  function*(guard: Guard) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [, slug] = /^\/o\/([^/]+)/.exec(parsePath(request.url)) ?? []
    const proxyUser = guard.readProxyUser(request)
    if (slug === undefined || Result.isFailure(proxyUser)) return null
    const visitor = yield* findVisitor(
      guard,
      guard.clientNetwork(request),
      request.cookies[guard.cookies.names.session]
    )
    if (visitor === null || checkProxySession(visitor, proxyUser.success) !== "yes") return null
    const membership = findMembership(visitor, slug)
    if (membership === undefined) return null
    const at = new Date(yield* Clock.currentTimeMillis)
    return makeFrame(guard, visitor, membership, { at, theme: null, done: null })
  },
  Effect.timeout(maxLookUp),
  Effect.orElseSucceed(() => null)
)

interface ShownError {
  readonly status: number
  readonly words?: string | null
  readonly requestId: string
  /** Frame of the organization; absent = not looked up yet. */
  readonly frame?: Frame | null
  /** The submitted form, which the page offers to send again. */
  readonly kept?: KeptForm | null
}

/** Statuses whose page looks up the visitor first, because the error occurred outside of a page. */
const lookedUp: ReadonlySet<number> = new Set([404, 405, 500])

/** The page of an error. */
export const showError = Effect.fnUntraced(function*(guard: Guard, { frame, ...error }: ShownError) {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const theme = parseTheme(cookies[guard.cookies.names.theme])
  const known = frame === undefined && lookedUp.has(error.status) ? yield* findFrame(guard) : frame ?? null
  const page = errorPage({ ...error, theme, frame: known === null ? null : { ...known, theme, done: null } })
  const response: HttpServerResponse.HttpServerResponse = respondHtml(page, error.status)
  return response
})
