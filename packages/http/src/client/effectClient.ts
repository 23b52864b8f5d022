/** @sov/http/client: the operations of the REST API, for programs that use Effect. */
import { Effect, Option, Random, type Redacted, Result, Stream } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { type ArchiveFilters, retryAfterSeconds, retryWait } from "./fetchClient.ts"
import { maxArchivePage } from "./shapes.ts"

/** Options of the client. */
export interface ClientOptions {
  /** Address of the server, e.g. `https://sov.example.com`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Number of retries after the first attempt; default 4. */
  readonly retries?: number
}

/** Retries temporary failures. Fails at once if the server asks to wait for more than a minute. */
const withRetries = (client: HttpClient.HttpClient, retries: number | undefined): HttpClient.HttpClient =>
  HttpClient.transformResponse(client, (send) => {
    const attempt = (n: number): typeof send =>
      Effect.gen(function*() {
        const outcome = yield* Effect.result(send)
        const response = Result.isSuccess(outcome) ? outcome.success : undefined
        if (Result.isFailure(outcome) && !HttpClient.isTransientError(outcome.failure)) {
          return yield* Effect.fromResult(outcome)
        }
        const retryAfter = retryAfterSeconds(response?.headers["retry-after"])
        const waitMs = retryWait(response?.status ?? 0, retryAfter, { attempt: n, retries }, yield* Random.next)
        if (waitMs === null) return yield* Effect.fromResult(outcome)
        yield* Effect.sleep(waitMs)
        return yield* attempt(n + 1)
      })
    return attempt(1)
  })

/** Adds the key, and to a scan start one Idempotency-Key for all its attempts. */
const withApiKey = (client: HttpClient.HttpClient, apiKey: Redacted.Redacted): HttpClient.HttpClient =>
  HttpClient.makeWith<HttpClientError.HttpClientError, never, HttpClientError.HttpClientError, never>(
    (request) => Effect.flatMap(request, client.execute),
    (request) =>
      Effect.sync(() => {
        const started = request.method !== "POST" || "idempotency-key" in request.headers
          ? request
          : HttpClientRequest.setHeader(request, "idempotency-key", crypto.randomUUID())
        return HttpClientRequest.bearerToken(started, apiKey)
      })
  )

/**
 * All operations of the API, such as `sov` and `archive`. Each takes its `query`, `headers` and `payload`, and fails
 * with one of the API's problems (by `_tag`), HttpClientError, or SchemaError for a response that does not match the
 * contract.
 */
export const makeClient = ({ apiKey, baseUrl, retries }: ClientOptions) =>
  Effect.map(
    HttpApiClient.make(Api, { baseUrl, transformClient: (client) => withApiKey(withRetries(client, retries), apiKey) }),
    (client) => {
      type Sov = typeof client.sov
      type Definitions = typeof client.definitions
      // The first release had no query here, so the argument is optional
      const sov = ((request?: Parameters<Sov>[0]) => client.sov({ query: {}, ...request })) as
        & Sov
        & ((request?: { readonly query?: never }) => ReturnType<typeof client.sov<"decoded-only">>)
      const definitions = ((request?: Parameters<Definitions>[0]) => client.definitions({ query: {}, ...request })) as
        & Definitions
        & ((request?: { readonly query?: never }) => ReturnType<typeof client.definitions<"decoded-only">>)
      return { ...client, sov, definitions }
    }
  )

/** All matching rows of the archive, newest first. */
export const archiveRows = (client: Effect.Success<ReturnType<typeof makeClient>>, filters: ArchiveFilters = {}) =>
  Stream.paginate(undefined as string | undefined, (cursor) =>
    Effect.gen(function*() {
      const query = { ...filters, limit: maxArchivePage, ...cursor === undefined ? {} : { cursor } }
      const { data, meta } = yield* client.archive({ query })
      if (meta.next_cursor !== null && meta.next_cursor === cursor) {
        return yield* Effect.die(new Error("The server gave the same cursor twice"))
      }
      return [data, Option.fromNullishOr(meta.next_cursor)] as const
    }))
