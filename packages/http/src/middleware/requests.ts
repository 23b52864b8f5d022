/** Middleware for every request: request id, limits, headers, metrics, and a problem as the body of every error. */
import { ByteSize, Cause, Effect, LogLevel, SchemaIssue } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { IncomingMessage } from "node:http"
import type { RequestFault } from "../contract/problems.ts"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"
import { KnownPaths, maskPath, parsePath } from "../routes.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { ErrorPages, type RenderErrorPage, wantsPage } from "./ErrorPages.ts"
import { makeHostCheck } from "./hosts.ts"
import {
  addProblemHeaders,
  contentTypeOf,
  makeProblemResponse,
  problemContentType,
  securityHeaders
} from "./problemResponse.ts"
import { newRequestUuid, RequestInfo } from "./RequestInfo.ts"
import { RequestMetrics } from "./RequestMetrics.ts"
import { findRepeatedHeader } from "./singleHeaders.ts"

const bodyLimit = ByteSize.kibibytes(64)

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const toPathSegment = (part: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? key : String(key)
}

/** The invalid fields of a request, and what is expected there. Their values are not repeated. */
export const listFaults = (slot: "query" | "body" | "header", issue: SchemaIssue.Issue): ReadonlyArray<RequestFault> =>
  formatIssues(issue).issues.map(({ message, path }) => ({
    path: [slot, ...(path ?? []).map(toPathSegment)],
    // A query value is a string unless it is repeated
    message: slot === "query" && message.startsWith("Expected string") ? "must be given once" : message
  }))

const slots = { Params: "query", Query: "query", Headers: "header", Payload: "body" } as const

const respondNotRouted = (known: KnownPaths["Service"], request: HttpServerRequest.HttpServerRequest) => {
  const allow = known.allow(parsePath(request.url))
  if (allow === undefined) return makeProblemResponse(problemTypes.notFound)
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: { allow } })
  return HttpServerResponse.setHeader(
    makeProblemResponse(problemTypes.methodNotAllowed, { detail: `Allowed here: ${allow}` }),
    "allow",
    allow
  )
}

const findTypeByStatus = (status: number): ProblemType =>
  Object.values<ProblemType>(problemTypes).find((type) => type.status === status) ??
    (status < 500 ? problemTypes.invalidRequest : problemTypes.internal)

/** The response to a failed request; undefined if the failure is unexpected. */
const respondToFailure = (known: KnownPaths["Service"], cause: Cause.Cause<unknown>) => {
  for (const reason of cause.reasons) {
    if (Cause.isInterruptReason(reason)) continue
    const error = Cause.isFailReason(reason) ? reason.error : reason.defect
    if (HttpServerError.isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return respondNotRouted(known, error.reason.request)
      if (error.reason._tag === "RequestParseError") {
        return error.reason.reason === "BodyTooLarge"
          ? makeProblemResponse(problemTypes.payloadTooLarge)
          : makeProblemResponse(problemTypes.invalidRequest, {
            detail: "The request body ended early or could not be read"
          })
      }
    }
    if (HttpApiError.HttpApiSchemaError.is(error) && error.kind in slots) {
      const slot = slots[error.kind as keyof typeof slots]
      return makeProblemResponse(problemTypes.invalidRequest, { errors: listFaults(slot, error.cause.issue) })
    }
  }
  return undefined
}

/** Shows a problem as a page, with the headers that it implies. */
const showAsPage = (
  render: RenderErrorPage,
  problem: HttpServerResponse.HttpServerResponse,
  requestId: string
) => {
  const { allow, connection, "retry-after": retryAfter } = problem.headers
  const kept = { allow, connection, "retry-after": retryAfter }
  return Effect.map(
    render({ status: problem.status, requestId, allow: allow ?? null }),
    HttpServerResponse.setHeaders(
      Object.fromEntries(Object.entries(kept).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))
    )
  )
}

const plainWord = /^[\w-]{1,64}$/

/** Middleware around every route of the server. */
export const layerRequests = HttpRouter.middleware(
  Effect.gen(function*() {
    const known = yield* KnownPaths
    const settings = yield* ServerSettings
    const metrics = yield* RequestMetrics
    const errorPages = yield* ErrorPages
    const isServedHost = makeHostCheck(settings)
    const commonHeaders = settings.publicUrl?.startsWith("https:") === true
      ? { ...securityHeaders, "strict-transport-security": "max-age=31536000" }
      : securityHeaders
    const hostHeader = new Set(["host"])
    const logged = yield* LogLevel.isEnabled("Debug")

    const refused = (request: HttpServerRequest.HttpServerRequest) => {
      const source = request.source as IncomingMessage
      const { host } = request.headers
      if (source.httpVersion === "1.1" && (host === undefined || findRepeatedHeader(source.rawHeaders, hostHeader))) {
        return HttpServerResponse.setHeader(
          makeProblemResponse(problemTypes.invalidRequest, { detail: "A request has exactly one Host header" }),
          "connection",
          "close"
        )
      }
      const coding = request.headers["transfer-encoding"]
      if (coding !== undefined && coding.toLowerCase() !== "chunked") {
        return HttpServerResponse.setHeader(makeProblemResponse(problemTypes.notImplemented), "connection", "close")
      }
      if (host !== undefined && !isServedHost(host)) return makeProblemResponse(problemTypes.misdirectedRequest)
      // The router would treat a semicolon as the start of the query, and decode %6F. No path of sov contains either
      return /[;%]/.test(parsePath(request.url)) ? makeProblemResponse(problemTypes.notFound) : undefined
    }

    return (app) =>
      Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const begun = performance.now()
        const given = request.headers["x-request-id"]
        const info = {
          id: `req_${newRequestUuid()}`,
          clientId: given !== undefined && plainWord.test(given) ? given : undefined,
          responseHeaders: {}
        }
        metrics.begin()
        const refusal = refused(request)
        const answered = yield* (refusal === undefined ? app : Effect.succeed(refusal)).pipe(
          Effect.provideService(RequestInfo, info),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimit),
          Effect.catchCause((cause) => {
            if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
            const answer = respondToFailure(known, cause)
            if (answer !== undefined) return Effect.succeed(answer)
            return Effect.as(
              Effect.annotateLogs(Effect.logError("request failed", cause), { request_id: info.id }),
              makeProblemResponse(problemTypes.internal)
            )
          }),
          Effect.onExit((exit) => Effect.sync(() => exit._tag === "Failure" && metrics.aborted()))
        )
        const isBare = answered.body._tag === "Empty" || contentTypeOf(answered) === "text/plain"
        const path = parsePath(request.url)
        const problem = answered.status < 400
          ? answered
          : addProblemHeaders(isBare ? makeProblemResponse(findTypeByStatus(answered.status)) : answered, info.id)
        const response = errorPages.render !== null && contentTypeOf(problem) === problemContentType &&
            wantsPage(request.headers["accept"], path)
          ? yield* showAsPage(errorPages.render, problem, info.id)
          : problem
        const ms = performance.now() - begun
        metrics.end(request.method, known.label(path), response.status, ms)
        if (logged) {
          yield* Effect.logDebug("request").pipe(
            Effect.annotateLogs({
              request_id: info.id,
              method: request.method,
              path: maskPath(path),
              status: response.status,
              ms
            })
          )
        }
        return HttpServerResponse.setHeaders(response, {
          ...commonHeaders,
          ...response.headers,
          ...info.responseHeaders,
          ...info.clientId === undefined ? {} : { "x-client-request-id": info.clientId },
          "x-request-id": info.id
        })
      })
  }),
  { global: true }
)
