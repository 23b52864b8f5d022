import { Context } from "effect"
import { randomUUID } from "node:crypto"

/** One request as it runs: who answers it may add response headers, on errors too. */
interface RequestFacts {
  /** `req_` and a UUIDv7. */
  readonly id: string
  /** What the client named its request, where that is a plain word. */
  readonly clientId: string | undefined
  /** Lower-case names. */
  readonly responseHeaders: Record<string, string>
}

/** The request that is being answered; what is set outside of one goes nowhere. */
export const RequestInfo = Context.Reference<RequestFacts>("@sov/http/RequestInfo", {
  defaultValue: () => ({ id: "req_00000000-0000-0000-0000-000000000000", clientId: undefined, responseHeaders: {} })
})

/** A UUIDv7 of the present millisecond, from Node's pool of random bytes: made for every request. */
export const newRequestUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
