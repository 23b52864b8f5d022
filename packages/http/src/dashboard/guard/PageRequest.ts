/** What a page is asked with. Each is formed once a request, before its use case is called. */
import type { HistoryWindow, Organization } from "@sov/core/organizations"
import type { FoundSession, Role } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { ScanFollower } from "@sov/core/scanning"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import type { Stream } from "effect"
import type { Frame, Theme } from "../pages/Frame.ts"
import type { OpenId } from "../sso/OpenId.ts"
import type { PageRefused } from "./PageRefused.ts"
import type { ProxySignIns } from "./proxySignIns.ts"
import type { SharedReports } from "./sharedReports.ts"

/** Somebody who is signed in. */
export type Visitor = FoundSession

/** A request of anybody. */
export interface PageRequest {
  /** Parts of the path that the route names, such as `id`. */
  readonly params: { readonly [name: string]: string | undefined }
  readonly query: URLSearchParams
  /** What a form has sent; empty for GET. */
  readonly form: URLSearchParams
  /** The file that a form has sent, to be read once; only of a route that takes one (`upload`). */
  readonly upload: Stream.Stream<Uint8Array, PageRefused>
  readonly at: Date
  readonly theme: Theme | null
  /** The token that the browser presented; undefined = none. */
  readonly presented: string | undefined
  /** Null = not signed in. */
  readonly visitor: Visitor | null
  /** Where to go on after signing in; null = nowhere in particular. */
  readonly next: `/${string}` | null
  /** The organization that was looked at last. */
  readonly lastOrganization: string | undefined
  /** Scheme and host to which links in mails lead; null = no link is mailed. */
  readonly mailOrigin: string | null
  /** Scheme and host to which an invitation leads; null = it is mailed, and no public address is set. */
  readonly origin: string | null
  /** Scheme and host at which the one who asks reaches the server: to be shown, and never to be mailed. */
  readonly serverUrl: string
  /** The issuer where people sign in; null = none. */
  readonly openId: OpenId | null
  /** The sealed cookie of a sign-in at the issuer. */
  readonly attempt: string | undefined
  /** Whom a trusted proxy names; null = nobody, or no such proxy is configured. */
  readonly proxyUser: string | null
  readonly proxySignIns: ProxySignIns
  readonly sharedReports: SharedReports
  readonly scanFollower: ScanFollower
  /** Called once the token in the path is found: however the answer ends, the try was none with a wrong one. */
  readonly tokenIsKnown: () => void
  /** The operator's names of platforms; one without stands by its identifier. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  /** The browser in its own words. */
  readonly userAgent: string
  /** The id under which the log has the request. */
  readonly requestId: string
}

/** A request of somebody who is signed in. */
export interface PersonRequest extends PageRequest {
  readonly visitor: Visitor
}

/** A request of a member with the role that the route needs. */
export interface OrganizationRequest extends PersonRequest {
  readonly organization: Organization
  readonly role: Role
  /** Given to every reader: what is older is not shown. */
  readonly window: HistoryWindow
  /** The platforms of the configuration, whether or not they can be asked from here; null = not known. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** How often a scan that is started here asks each keyword on each platform. */
  readonly samples: number
  readonly frame: Frame
}
