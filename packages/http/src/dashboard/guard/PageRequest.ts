/** Requests as handlers receive them. Each is built once, before its use case is called. */
import type { Place } from "@sov/core/common"
import type { HistoryWindow, Organization } from "@sov/core/organizations"
import type { FoundSession, Role } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { ScanFollower } from "@sov/core/scanning"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import type { Stream } from "effect"
import type { Frame, Theme } from "../pages/Frame.ts"
import type { OpenId } from "../sso/OpenId.ts"
import type { PageRefused } from "./PageRefused.ts"
import type { ChosenFormats } from "./place.ts"
import type { ProxySignIns } from "./proxySignIns.ts"
import type { SharedReports } from "./sharedReports.ts"

/** A signed-in person. */
export type Visitor = FoundSession

/** A request of any visitor. */
export interface PageRequest {
  /** Path parameters, such as `id`. */
  readonly params: { readonly [name: string]: string | undefined }
  readonly query: URLSearchParams
  /** Form fields; empty for GET. */
  readonly form: URLSearchParams
  /** The uploaded file, which can be read once; only routes with `upload` accept one. */
  readonly upload: Stream.Stream<Uint8Array, PageRefused>
  readonly at: Date
  readonly theme: Theme | null
  /** The person's choice of language and CSV separator, and the time zone of the organization in the path. */
  readonly place: Place
  readonly chosen: ChosenFormats
  /** The session token that the browser sent; undefined = none. */
  readonly presented: string | undefined
  /** The signed-in person; null = not signed in. */
  readonly visitor: Visitor | null
  /** Path to open after the sign-in; null = the default. */
  readonly next: `/${string}` | null
  /** The organization that the browser opened last. */
  readonly lastOrganization: string | undefined
  /** Scheme and host of links in mails; null = links are not mailed. */
  readonly mailOrigin: string | null
  /** Scheme and host of invitation links; null = invitations are mailed, but no public address is configured. */
  readonly origin: string | null
  /** Scheme and host that this client uses to reach the server. Shown only to this client, never mailed. */
  readonly serverUrl: string
  /** The OpenID Connect issuer; null = not configured. */
  readonly openId: OpenId | null
  /** The encrypted cookie of a sign-in that the issuer has not finished. */
  readonly attempt: string | undefined
  /** The user that a trusted proxy names; null = no user, or no such proxy is configured. */
  readonly proxyUser: string | null
  readonly proxySignIns: ProxySignIns
  readonly sharedReports: SharedReports
  /** Number of organizations that a person may own and still create another; 0 = only the operator creates them. */
  readonly maxOwned: number
  readonly scanFollower: ScanFollower
  /** Called when the token in the path is valid, so that the attempt does not count as a wrong token. */
  readonly tokenIsKnown: () => void
  /** The operator's names of platforms; a platform without a name is shown by its identifier. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  /** The User-Agent header. */
  readonly userAgent: string
  /** The id of the request in the log. */
  readonly requestId: string
}

/** A request of a signed-in person. */
export interface PersonRequest extends PageRequest {
  readonly visitor: Visitor
}

/** A request of a member with the role that the route requires. */
export interface OrganizationRequest extends PersonRequest {
  readonly organization: Organization
  readonly role: Role
  /** Start of the history that the plan shows; passed to every read. */
  readonly window: HistoryWindow
  /** The configured platforms, including those that this server cannot ask; null = unknown. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** Samples per keyword and platform for scans started in the dashboard. */
  readonly samples: number
  readonly frame: Frame
}
