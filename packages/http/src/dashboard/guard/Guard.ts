import type { SessionCache } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { ScanFollower } from "@sov/core/scanning"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import type { HttpServerRequest } from "effect/http"
import type { ReadProxyUser } from "../../middleware/proxyUser.ts"
import type { OpenId } from "../sso/OpenId.ts"
import type { Cookies } from "./cookies.ts"
import type { ProxySignIns } from "./proxySignIns.ts"
import type { SharedReports } from "./sharedReports.ts"
import type { Throttle } from "./throttle.ts"

/** What one server checks its requests with. */
export interface Guard {
  /** Scheme and host under which browsers reach the server, where that was given. */
  readonly publicUrl: string | undefined
  /** Scheme and host to which links in mails lead; null = no link is mailed. */
  readonly mailOrigin: string | null
  /** Whether a mail server is configured. */
  readonly canMail: boolean
  readonly cookies: Cookies
  readonly sessions: SessionCache
  readonly throttle: Throttle
  /** The address, or the IPv6 network, from which a request comes, behind proxies that are trusted. */
  readonly clientNetwork: (request: HttpServerRequest.HttpServerRequest) => string
  /** The issuer where people sign in; null = none. */
  readonly openId: OpenId | null
  readonly readProxyUser: ReadProxyUser
  readonly proxySignIns: ProxySignIns
  /** The platforms of the configuration; null = not known. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** How often a scan that is started here asks each keyword on each platform. */
  readonly samples: number
  readonly sharedReports: SharedReports
  readonly scanFollower: ScanFollower
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  /** Milliseconds after which a page fails because the database does not answer. */
  readonly timeoutMs: number
}
