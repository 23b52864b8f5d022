/** The dashboard: pages for people, served by the same server as the REST API. */
import { readInstanceTag } from "@sov/core/access"
import { makeSessionCache } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import { makeScanFollower } from "@sov/core/scanning"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import { Effect, Layer } from "effect"
import { makeClientNetwork, namesTooMany } from "../middleware/clientAddress.ts"
import { ErrorPages } from "../middleware/ErrorPages.ts"
import { makeReadProxyUser } from "../middleware/proxyUser.ts"
import { Stopping } from "../middleware/Stopping.ts"
import { layerRoute } from "../routes.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { readAssets } from "./assets.ts"
import { answer } from "./guard/answer.ts"
import { makeCookies } from "./guard/cookies.ts"
import type { Guard } from "./guard/Guard.ts"
import { respondAsset } from "./guard/pages.ts"
import { makeProxySignIns } from "./guard/proxySignIns.ts"
import { makeSharedReports } from "./guard/sharedReports.ts"
import { showError } from "./guard/showError.ts"
import { makeThrottle } from "./guard/throttle.ts"
import { routes } from "./routes.ts"
import { makeOpenId } from "./sso/OpenId.ts"
import type { OpenIdSettings } from "./sso/OpenIdSettings.ts"

export interface DashboardOptions {
  /** The configured platforms, including those that this server cannot ask; null = unknown. */
  readonly platforms: ReadonlyArray<ConfiguredPlatform> | null
  /** The operator's names for platforms. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  /**
   * Whether a mail server is configured. If the server also has a public address, people can request a sign-in link.
   */
  readonly canMail: boolean
  /** The OpenID Connect issuer for sign-ins; requires a public address of the server. */
  readonly openId?: OpenIdSettings
  /** The header in which a trusted proxy sends the e-mail address of a signed-in user. Requires `trustedProxies`. */
  readonly proxyUserHeader?: string
}

const defaultAnswerMs = 10_000

const makeGuard = Effect.fnUntraced(function*(
  { canMail, openId, platformLabels, platforms, proxyUserHeader }: DashboardOptions
) {
  const { maxOwned = 0, publicUrl, samples, timeouts, trustedProxies = [] } = yield* ServerSettings
  if (openId !== undefined && publicUrl === undefined) {
    return yield* Effect.die(new Error("signing in with OpenID Connect needs the public address of the server"))
  }
  if (proxyUserHeader !== undefined && trustedProxies.length === 0) {
    return yield* Effect.die(new Error("a header that says who signs in needs trusted proxies"))
  }
  if (proxyUserHeader !== undefined && namesTooMany(trustedProxies)) {
    return yield* Effect.die(
      new Error("a header that says who signs in needs trusted proxies that do not name everybody")
    )
  }
  const sessions = yield* makeSessionCache()
  const guard: Guard = {
    publicUrl,
    canMail,
    mailOrigin: canMail && publicUrl !== undefined ? publicUrl : null,
    cookies: makeCookies(publicUrl, yield* readInstanceTag()),
    sessions,
    throttle: makeThrottle(),
    clientNetwork: makeClientNetwork(trustedProxies),
    openId: openId === undefined || publicUrl === undefined ? null : yield* makeOpenId(openId, publicUrl),
    readProxyUser: makeReadProxyUser(proxyUserHeader, trustedProxies),
    proxySignIns: makeProxySignIns(sessions),
    sharedReports: makeSharedReports(),
    maxOwned,
    scanFollower: yield* makeScanFollower(),
    configured: platforms,
    samples,
    platformLabels,
    timeoutMs: timeouts?.answerMs ?? defaultAnswerMs
  }
  return guard
})

const layerAssets = Layer.unwrap(Effect.sync(() => {
  const [first, ...others] = Object.values(readAssets()).map((asset) =>
    layerRoute("GET", asset.path, respondAsset(asset))
  )
  return Layer.mergeAll(first!, ...others)
}))

const layerPages = (options: DashboardOptions) =>
  Layer.unwrap(Effect.gen(function*() {
    const guard = yield* makeGuard(options)
    const stopping = yield* Stopping
    const errorPages = yield* ErrorPages
    errorPages.render = ({ requestId, status }) => showError(guard, { status, requestId })
    const [first, ...others] = routes.map((route) =>
      layerRoute(route.method, route.path, answer(guard, stopping, route))
    )
    return Layer.mergeAll(first!, ...others)
  }))

/** Routes for `layerServer`: all pages, their assets, and error pages. */
export const layerDashboard = (options: DashboardOptions) => Layer.mergeAll(layerPages(options), layerAssets)
