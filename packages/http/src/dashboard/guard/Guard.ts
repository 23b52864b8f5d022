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

/** Settings and services that a server uses to check requests. */
export interface Guard {
  /** Scheme and host that browsers use to reach the server, if configured. */
  readonly publicUrl: string | undefined
  /** Scheme and host of links in mails; null = links are not mailed. */
  readonly mailOrigin: string | null
  /** Whether a mail server is configured. */
  readonly canMail: boolean
  readonly cookies: Cookies
  readonly sessions: SessionCache
  readonly throttle: Throttle
  /** The client's address (for IPv6, its network), determined behind trusted proxies. */
  readonly clientNetwork: (request: HttpServerRequest.HttpServerRequest) => string
  /** The OpenID Connect issuer; null = not configured. */
  readonly openId: OpenId | null
  readonly readProxyUser: ReadProxyUser
  readonly proxySignIns: ProxySignIns
  /** The configured platforms; null = unknown. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** Samples per keyword and platform for scans started in the dashboard. */
  readonly samples: number
  readonly sharedReports: SharedReports
  /** Number of organizations that an owner may have; 0 = only the operator creates them. */
  readonly maxOwned: number
  readonly scanFollower: ScanFollower
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  /** A page fails if the database does not answer within this number of milliseconds. */
  readonly timeoutMs: number
}
