/** Checks authentication, origin and role of every request, in this order. */
import { historyWindowAt } from "@sov/core/organizations"
import { atLeast, type Role } from "@sov/core/people"
import { Clock, Effect, Stream } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { RequestInfo } from "../../middleware/RequestInfo.ts"
import { describeDone } from "../pages/done.ts"
import { periodFields } from "../pages/period.ts"
import { parseNext, parseTheme } from "./cookies.ts"
import type { Guard } from "./Guard.ts"
import { findMembership, makeFrame } from "./makeFrame.ts"
import { noSuchPage, PageRefused } from "./PageRefused.ts"
import type { OrganizationRequest, PageRequest, PersonRequest } from "./PageRequest.ts"
import { parseFormats, placeOf } from "./place.ts"
import { isSameSite } from "./sameSite.ts"
import { confirmVisitor, findVisitor } from "./session.ts"

const formType = /^application\/x-www-form-urlencoded(?:;|$)/i

const crossSite = new PageRefused({
  status: 403,
  words: "This form was sent from another site. Open the page here and try again."
})

/** Reads the fields of the form. */
export const readForm = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method !== "POST") return new URLSearchParams()
  const text = yield* Effect.mapError(
    request.text,
    ({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        ? new PageRefused({ status: 413, words: null })
        : new PageRefused({ status: 400, words: "The form was incomplete or could not be read. Submit it again." })
  )
  if (text !== "" && !formType.test(request.headers["content-type"] ?? "")) {
    return yield* new PageRefused({
      status: 400,
      words: "A form of this page sends application/x-www-form-urlencoded."
    })
  }
  return new URLSearchParams(text)
})

/**
 * A request with the signed-in person, if any; the form is not read yet. Forms must come from pages of this server,
 * unless the route accepts forms from anywhere.
 */
export const admit = Effect.fnUntraced(function*(guard: Guard, network: string, fromAnywhere = false) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method === "POST" && !fromAnywhere && !isSameSite(request.headers, guard.publicUrl)) {
    return yield* crossSite
  }
  const { names } = guard.cookies
  const presented = request.cookies[names.session]
  const proxyUser = yield* Effect.mapError(
    Effect.fromResult(guard.readProxyUser(request)),
    (words) => new PageRefused({ status: 400, words })
  )
  const found = yield* findVisitor(guard, network, presented)
  const visitor = yield* confirmVisitor(found, proxyUser, presented)
  const params = yield* HttpRouter.params
  const chosen = parseFormats(new URLSearchParams(request.cookies[names.formats] ?? ""))
  const serverUrl = guard.publicUrl ?? `http://${request.headers["host"] ?? "localhost"}`
  const made: PageRequest = {
    params,
    query: new URL(request.url, "http://sov").searchParams,
    form: new URLSearchParams(),
    upload: Stream.empty,
    at: new Date(yield* Clock.currentTimeMillis),
    theme: parseTheme(request.cookies[names.theme]),
    chosen,
    place: placeOf(chosen, request.headers["accept-language"], visitor, params["slug"]),
    presented,
    visitor,
    next: parseNext(request.cookies[names.next]),
    lastOrganization: request.cookies[names.organization],
    mailOrigin: guard.mailOrigin,
    // The Host header is not trusted: its address is shown only to the same visitor and never mailed
    origin: guard.publicUrl === undefined && guard.canMail ? null : serverUrl,
    serverUrl,
    openId: guard.openId,
    attempt: request.cookies[names.attempt],
    proxyUser,
    proxySignIns: guard.proxySignIns,
    sharedReports: guard.sharedReports,
    maxOwned: guard.maxOwned,
    scanFollower: guard.scanFollower,
    tokenIsKnown: () => {},
    platformLabels: guard.platformLabels,
    userAgent: request.headers["user-agent"] ?? "",
    requestId: (yield* RequestInfo).id
  }
  return made
})

/** Adds the organization in the path. An unknown organization and one of another tenant both give "not found". */
export const enterOrganization = (
  guard: Guard,
  request: PersonRequest,
  least: Role
): Effect.Effect<OrganizationRequest, PageRefused> => {
  const { at, params, query, theme, visitor } = request
  const membership = findMembership(visitor, params["slug"])
  if (membership === undefined) return Effect.fail(noSuchPage)
  const { organization, role } = membership
  if (!atLeast(role, least)) return Effect.fail(new PageRefused({ status: 403, words: null }))
  const window = historyWindowAt(organization, at)
  const frame = makeFrame(guard, visitor, membership, {
    at,
    theme,
    done: describeDone(query.get("done")),
    period: Object.fromEntries(periodFields.map((name) => [name, query.has("period") ? query.get(name) : null]))
  })
  return Effect.succeed({
    ...request,
    organization,
    role,
    window,
    frame,
    configured: guard.configured,
    samples: guard.samples
  })
}
