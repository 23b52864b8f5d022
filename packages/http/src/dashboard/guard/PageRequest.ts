/** Requests as handlers see them. Each is built once, before its use case is called. */
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
  /** Parameters of the path, such as `id`. */
  readonly params: { readonly [name: string]: string | undefined }
  readonly query: URLSearchParams
  /** Fields of the form; empty for GET. */
  readonly form: URLSearchParams
  /** The uploaded file, which can be read once; only on a route with `upload`. */
  readonly upload: Stream.Stream<Uint8Array, PageRefused>
  readonly at: Date
  readonly theme: Theme | null
  /** The person's choices of language and CSV, and the time zone of the organization that the path names. */
  readonly place: Place
  readonly chosen: ChosenFormats
  /** The session token of the browser; undefined = none. */
  readonly presented: string | undefined
  /** Null = not signed in. */
  readonly visitor: Visitor | null
  /** Path to open after signing in; null = the default. */
  readonly next: `/${string}` | null
  /** The organization that was opened last. */
  readonly lastOrganization: string | undefined
  /** Scheme and host of links in mails; null = no link is mailed. */
  readonly mailOrigin: string | null
  /** Scheme and host of an invitation; null = invitations are mailed, but no public address is set. */
  readonly origin: string | null
  /** Scheme and host by which this client reaches the server: shown to the client, never mailed. */
  readonly serverUrl: string
  /** The OpenID Connect issuer; null = none. */
  readonly openId: OpenId | null
  /** The encrypted cookie of a sign-in at the issuer. */
  readonly attempt: string | undefined
  /** The user that a trusted proxy names; null = no user, or no such proxy is configured. */
  readonly proxyUser: string | null
  readonly proxySignIns: ProxySignIns
  readonly sharedReports: SharedReports
  readonly scanFollower: ScanFollower
  /** Called when the token in the path is valid: the attempt then does not count as a wrong token. */
  readonly tokenIsKnown: () => void
  /** The operator's names of platforms; a platform without one is shown by its identifier. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  /** The User-Agent header. */
  readonly userAgent: string
  /** The request's id in the log. */
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
  /** The configured platforms, even those that this server cannot ask; null = unknown. */
  readonly configured: ReadonlyArray<ConfiguredPlatform> | null
  /** Samples per keyword and platform of a scan that is started here. */
  readonly samples: number
  readonly frame: Frame
}
