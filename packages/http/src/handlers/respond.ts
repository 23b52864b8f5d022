/** JSON responses, encoded once, with a strong ETag. */
import { NoCompletedScan as NoScan, NotFound, Rejected, StoreError } from "@sov/core/common"
import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { InvalidRequest, NoCompletedScan, ResourceNotFound, Unavailable } from "../contract/problems.ts"

type Foreseen = NoScan | NotFound | Rejected | StoreError
type ProblemOf<E> =
  | Exclude<E, Foreseen>
  | (Extract<E, NoScan> extends never ? never : NoCompletedScan)
  | (Extract<E, NotFound> extends never ? never : ResourceNotFound)
  | (Extract<E, Rejected> extends never ? never : InvalidRequest)
  | Unavailable

const isForeseen = Schema.is(Schema.Union([NoScan, NotFound, Rejected, StoreError]))

/**
 * Turns refusals of use cases into problems, a retryable database error into 503, and any other database error into a
 * defect (500).
 */
export const orProblem = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.catch((error) => {
    const problem = isForeseen(error) ? toProblem(error) : Effect.fail(error)
    return problem as Effect.Effect<never, ProblemOf<E>>
  }))

const toProblem = (error: Foreseen) => {
  switch (error._tag) {
    case "NoCompletedScan":
      return Effect.fail(new NoCompletedScan({}))
    case "NotFound":
      return Effect.fail(new ResourceNotFound({ detail: error.message }))
    case "Rejected":
      return Effect.fail(new InvalidRequest({ errors: [{ path: ["body", error.field], message: error.message }] }))
    case "StoreError":
      return error.retryable ? Effect.fail(new Unavailable({ retry_after: 2 })) : Effect.die(error)
  }
}

/** Whether If-None-Match contains the tag, by weak comparison (RFC 9110 §13.1.2). */
const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === etag))

const makeEtag = (owner: string, version: string): string => `"${hash("sha256", owner + version, "base64url")}"`

/**
 * Responds with 200 and the bytes that `encode` returns, or with 304 if the client already has them. `version`
 * identifies these bytes: it changes when they do. `owner` is part of the ETag, so the ETags of two organizations never
 * match.
 */
export const respondVersion = (
  encode: () => Uint8Array,
  version: string,
  owner: string,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const etag = makeEtag(owner, version)
    const all = { ...headers, etag, "cache-control": "private, no-cache" }
    return matchesEtag(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers: all })
      : HttpServerResponse.uint8Array(encode(), { contentType: "application/json", headers: all })
  })

/** Responds with 200 and `body`, or with 304 if the client already has it. */
export const respondJson = (body: unknown, owner: string) => {
  const text = JSON.stringify(body)
  return respondVersion(() => Buffer.from(text), text, owner)
}
