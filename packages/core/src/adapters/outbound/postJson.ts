/** One POST with a bounded body, on Node's own fetch: no redirect, no retry, no proxy, cut by interruption. */
import { Data, Effect } from "effect"

/** No response head came. `code` is the system's name for the cause, e.g. `ECONNREFUSED`; null when it has none. */
export class NetworkFailure extends Data.TaggedError("NetworkFailure")<{ readonly code: string | null }> {}

/**
 * What came back. `end` says how the body ended: `whole`, `cut` (connection lost or encoding broken) or `over` (the
 * limit was passed; `body` then holds what had come before).
 */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  readonly end: "whole" | "cut" | "over"
}

const join = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const readBody = async (response: Response, limit: number): Promise<Pick<Reply, "body" | "end">> => {
  const chunks: Array<Uint8Array> = []
  const end = (end: Reply["end"]) => ({ body: join(chunks), end })
  if (response.body === null) return end("whole")
  const reader = response.body.getReader()
  let total = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return end("whole")
      total += value.length
      if (total > limit) {
        chunks.push(value.subarray(0, value.length - (total - limit)))
        // Closes the connection; how that goes changes nothing here.
        reader.cancel().catch(() => undefined)
        return end("over")
      }
      chunks.push(value)
    }
  } catch {
    return end("cut")
  }
}

/** Only the code: messages of the causes may quote header values. */
const codeOf = (error: unknown): string | null => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = "code" in cause ? cause.code : null
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code
  }
  return null
}

const jsonHeaders = { "content-type": "application/json", accept: "application/json", "user-agent": "sov" }

/** Bytes that are read of a body that is no answer. */
const errorBytes = 16_384

/** Posts `body`; reads at most `maxBytes` of a 2xx body, 16 KiB of any other. Interruption closes the connection. */
export const postJson = (request: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
}): Effect.Effect<Reply, NetworkFailure> =>
  Effect.tryPromise({
    try: async (signal) => {
      // @effect-diagnostics-next-line globalFetchInEffect:off -- HttpClient would add trace headers and follow redirects
      const response = await fetch(request.url, {
        method: "POST",
        headers: { ...jsonHeaders, ...request.headers },
        body: request.body,
        redirect: "manual",
        signal
      })
      const { headers, ok, status } = response
      if (ok && Number(headers.get("content-length") ?? 0) > request.maxBytes) {
        response.body?.cancel().catch(() => undefined)
        return { status, headers, body: new Uint8Array(0), end: "over" as const }
      }
      return { status, headers, ...(await readBody(response, ok ? request.maxBytes : errorBytes)) }
    },
    catch: (error) => new NetworkFailure({ code: codeOf(error) })
  })
