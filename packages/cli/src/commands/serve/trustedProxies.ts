import { Rejected } from "@sov/core/common"
import { parseTrustedProxies } from "@sov/http"
import { Effect, Result } from "effect"

/** The networks in SOV_TRUSTED_PROXIES. Fails with Rejected for anything that is not a network, including `*`. */
export const trustedProxies = (text: string) =>
  Result.match(parseTrustedProxies(text), {
    onSuccess: (networks) => Effect.succeed(networks),
    onFailure: (message) =>
      Effect.fail(new Rejected({ field: "SOV_TRUSTED_PROXIES", message: `SOV_TRUSTED_PROXIES: ${message}` }))
  })
