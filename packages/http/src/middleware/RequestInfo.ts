import { Context } from "effect"
import { randomUUID } from "node:crypto"

/** Facts about the current request. Handlers may add response headers, which are also sent with errors. */
interface RequestFacts {
  /** The id that the server gives the request: `req_` and a UUIDv7. */
  readonly id: string
  /** The client's `X-Request-Id`, if it is a plain word. */
  readonly clientId: string | undefined
  /** Response headers; names are in lower case. */
  readonly responseHeaders: Record<string, string>
}

/** The current request. Outside of a request this is a placeholder, and headers set there are lost. */
export const RequestInfo = Context.Reference<RequestFacts>("@sov/http/RequestInfo", {
  defaultValue: () => ({ id: "req_00000000-0000-0000-0000-000000000000", clientId: undefined, responseHeaders: {} })
})

/**
 * A UUIDv7 of the current millisecond. Uses Node's pool of random bytes for speed, because every request needs an id.
 */
export const newRequestUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
