/** Checks single sign-on: the settings, and with --online whether the issuer answers. */
import type { OpenIdSettings } from "@sov/http"
import { Effect, Result } from "effect"
import { readOpenIdSettings, readProxyUserHeader } from "../../../settings/singleSignOn.ts"
import { type Check, type CheckContext, fail, type Finding, ok, skipped, warn } from "./Check.ts"

/** Reads the settings of `sov serve`; invalid settings become a finding. */
const readSettings = Effect.fnUntraced(function*(env: CheckContext["env"]) {
  const { trustedProxies } = yield* Effect.promise(() => import("../../serve/trustedProxies.ts"))
  const trusted = yield* Effect.result(trustedProxies(env["SOV_TRUSTED_PROXIES"] ?? ""))
  if (Result.isFailure(trusted)) {
    return Result.fail(fail(trusted.failure.message, "name networks, as SOV_TRUSTED_PROXIES=10.0.0.5/32"))
  }
  const publicUrl = env["SOV_PUBLIC_URL"] || undefined
  return Result.all({
    // The address can also come from `sov serve --public-url`, so a missing address is not a fault
    openId: readOpenIdSettings(env, publicUrl ?? "https://sov.invalid"),
    header: readProxyUserHeader(env, trusted.success)
  }).pipe(
    Result.map((found) => ({ ...found, publicUrl })),
    Result.mapError(({ hint, message }) => fail(message, hint ?? "see docs/dashboard.md"))
  )
})

const tryIssuer = Effect.fnUntraced(function*(settings: OpenIdSettings) {
  const { probeOpenId } = yield* Effect.promise(() => import("@sov/http"))
  return yield* Effect.match(probeOpenId(settings), {
    onSuccess: (): Finding => ok(`${settings.name} answers`),
    onFailure: ({ detail }): Finding =>
      fail(
        `${settings.issuer} cannot be used: ${detail}`,
        "check SOV_OIDC_ISSUER, the network, and a firewall in between"
      )
  })
})

/** Whether single sign-on is configured; without it, the code that reads the settings is not loaded. */
const isConfigured = (env: CheckContext["env"]): boolean =>
  Object.entries(env).some(([name, value]) => /^SOV_(?:OIDC_|PROXY_USER_HEADER$)/.test(name) && value !== "")

export const singleSignOnCheck: Check = {
  name: "single-sign-on",
  run: Effect.fnUntraced(function*({ env, online }) {
    if (!isConfigured(env)) return skipped("not configured: people sign in by links")
    const read = yield* readSettings(env)
    if (Result.isFailure(read)) return read.failure
    const { header, openId, publicUrl } = read.success
    if (openId === null) {
      return header === null
        ? skipped("not configured: people sign in by links")
        : ok(`a proxy names people in ${header}`)
    }
    if (publicUrl === undefined) {
      return warn(
        "SOV_PUBLIC_URL is not set here, and OpenID Connect needs it",
        "set it, unless sov serve --public-url names the address"
      )
    }
    return online
      ? yield* tryIssuer(openId)
      : skipped(`${openId.name} is configured and was not asked`, "sov doctor --online asks it")
  })
}
