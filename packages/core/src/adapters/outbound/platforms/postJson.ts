/**
 * Sends one request and reads a bounded body with Node's own HTTP client: no redirects, no retries, and interruption
 * cancels it. (Node's `fetch` can use a proxy only for the whole process, not for one platform.)
 */
import { Data, Effect } from "effect"
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { pipeline, type Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"

/**
 * No response headers arrived. `code` is the system's name for the cause, e.g. `ECONNREFUSED`; null without one.
 */
export class NetworkFailure extends Data.TaggedError("NetworkFailure")<{ readonly code: string | null }> {}

/**
 * The reply. `end` says how the body ended: `whole`, `cut` (connection lost or encoding broken) or `over` (larger than
 * the limit; `body` then holds the part before it).
 */
export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  readonly end: "whole" | "cut" | "over"
}

const decoders = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate
}

/** The body without its content encoding; a body with an unknown encoding is left as it is. */
const decodeContent = (response: IncomingMessage): Readable => {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? ""
  if (!Object.hasOwn(decoders, encoding)) return response
  // The reader of the decoder receives its errors; the empty callback only keeps them from being thrown.
  return pipeline(response, decoders[encoding as keyof typeof decoders](), () => undefined)
}

const readBody = async (response: IncomingMessage, limit: number): Promise<Pick<HttpReply, "body" | "end">> => {
  const chunks: Array<Uint8Array> = []
  const end = (end: HttpReply["end"]) => ({ body: Buffer.concat(chunks), end })
  let left = limit
  try {
    for await (const chunk of decodeContent(response) as AsyncIterable<Buffer>) {
      if (chunk.length > left) {
        // Leaving the loop closes the connection.
        chunks.push(chunk.subarray(0, left))
        return end("over")
      }
      left -= chunk.length
      chunks.push(chunk)
    }
    return end("whole")
  } catch {
    return end("cut")
  }
}

/** The error's code. Its message is left out, because it may quote header values. */
const findErrorCode = (error: unknown): string | null => {
  const code = error instanceof Error && "code" in error ? error.code : null
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : null
}

const ownHeaders = {
  "content-type": "application/json",
  accept: "application/json",
  "accept-encoding": "gzip, br, deflate",
  "user-agent": "sov"
}

/** Maximum bytes to read of a body that is not an answer. */
const maxErrorBytes = 16_384

/**
 * Whether this version of Node can send one client's calls through a proxy; an older Node would silently bypass the
 * proxy.
 */
export const canProxy = (nodeVersion: string): boolean => {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number)
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
}

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The request body; null sends a GET request. */
  readonly body: string | null
  readonly maxBytes: number
}

/**
 * Creates the transport of one platform. With a proxy, every connection goes through it: https calls as a CONNECT
 * tunnel, http calls as absolute requests.
 *
 * The returned function reads at most `maxBytes` of a 2xx body and 16 KiB of any other. Interruption closes the
 * connection.
 */
export const makeTransport = (proxy: string | null) => {
  const options = proxy === null ? null : { keepAlive: true, proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }
  const agents = options === null ? {} : { http: new HttpAgent(options), https: new HttpsAgent(options) }

  const exchange = (request: PostRequest, signal: AbortSignal) =>
    new Promise<HttpReply>((resolve, reject) => {
      const url = new URL(request.url)
      const secure = url.protocol === "https:"
      const agent = secure ? agents.https : agents.http
      const outgoing = (secure ? httpsRequest : httpRequest)(url, {
        method: request.body === null ? "GET" : "POST",
        headers: { ...ownHeaders, ...request.headers },
        signal,
        ...(agent === undefined ? {} : { agent })
      })
      outgoing.on("error", reject)
      outgoing.on("response", (response) => {
        const status = response.statusCode ?? 0
        const { headers } = response
        const limit = status >= 200 && status <= 299 ? request.maxBytes : maxErrorBytes
        if (limit === request.maxBytes && Number(headers["content-length"] ?? 0) > limit) {
          response.destroy()
          return resolve({ status, headers, body: new Uint8Array(0), end: "over" })
        }
        readBody(response, limit).then((read) => resolve({ status, headers, ...read }), reject)
      })
      outgoing.end(request.body ?? undefined)
    })

  return (request: PostRequest): Effect.Effect<HttpReply, NetworkFailure> =>
    Effect.tryPromise({
      try: (signal) => exchange(request, signal),
      catch: (error) => new NetworkFailure({ code: findErrorCode(error) })
    })
}
