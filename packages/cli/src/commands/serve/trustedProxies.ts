import { Rejected } from "@sov/core/common"
import { parseTrustedProxies } from "@sov/http"
import { Effect, Result } from "effect"

/** The networks of SOV_TRUSTED_PROXIES. Fails with Rejected for what is no network, `*` as well. */
export const trustedProxies = (text: string) =>
  Result.match(parseTrustedProxies(text), {
    onSuccess: (networks) => Effect.succeed(networks),
    onFailure: (message) =>
      Effect.fail(new Rejected({ field: "SOV_TRUSTED_PROXIES", message: `SOV_TRUSTED_PROXIES: ${message}` }))
  })
