/** Problems (RFC 9457) outside of operations: errors of the router, the limits and the parser. */
import { HttpServerResponse } from "effect/http"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"

export const problemContentType = "application/problem+json"

/** Headers of every response. */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-store"
}

/** The members of a problem, including those that identify the request. */
export const makeProblemBody = (
  { status, title, type }: ProblemType,
  requestId: string,
  members: { readonly detail?: string; readonly [member: string]: unknown } = {}
) => ({ type, title, status, ...members, ...makeIdentityMembers(requestId) })

/** The members of a problem that identify the request. */
const makeIdentityMembers = (requestId: string) => ({
  instance: `urn:uuid:${requestId.slice("req_".length)}`,
  request_id: requestId
})

export const makeProblemResponse = (
  type: ProblemType,
  members: { readonly detail?: string; readonly [member: string]: unknown } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ type: type.type, title: type.title, status: type.status, ...members }, {
    status: type.status,
    contentType: problemContentType
  })

const readBodyText = ({ body }: HttpServerResponse.HttpServerResponse): string | undefined =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : undefined

/** The media type of a response's body; undefined without a body. */
export const contentTypeOf = ({ body }: HttpServerResponse.HttpServerResponse): string | undefined =>
  body._tag === "Empty" ? undefined : body.contentType

const challenge = "Bearer realm=\"sov\""
/** The WWW-Authenticate header of problems with access (RFC 6750 §3). */
const challenges: { readonly [type: string]: (scope: string) => string } = {
  [problemTypes.missingKey.type]: () => challenge,
  [problemTypes.invalidKey.type]: () => `${challenge}, error="invalid_token"`,
  [problemTypes.insufficientScope.type]: (scope) => `${challenge}, error="insufficient_scope", scope="${scope}"`
}

/** Adds the request's id to a problem, and the headers that follow from its members. */
export const addProblemHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  requestId: string
): HttpServerResponse.HttpServerResponse => {
  const text = readBodyText(response)
  if (text === undefined || contentTypeOf(response) !== problemContentType) return response
  const { detail, status, title, type, ...members } = JSON.parse(text) as Record<string, unknown>
  const problem: Record<string, unknown> = {
    type,
    title,
    status,
    detail,
    ...members,
    ...makeIdentityMembers(requestId)
  }
  const headers: Record<string, string> = {}
  const formatChallenge = challenges[String(type)]
  if (formatChallenge !== undefined) headers["www-authenticate"] = formatChallenge(String(problem["scope"]))
  if (typeof problem["retry_after"] === "number") headers["retry-after"] = String(problem["retry_after"])
  return HttpServerResponse.setHeaders(
    HttpServerResponse.jsonUnsafe(problem, { status: response.status, contentType: problemContentType }),
    { ...response.headers, ...headers, "content-length": String(Buffer.byteLength(JSON.stringify(problem))) }
  )
}
