/** Every page, with the least role that may see it. The tests read this table, and the server mounts it. */
import type { BadCursor, NotFound, OutsideWindow, Rejected, Role, startScan, StoragePorts, StoreError } from "@sov/core"
import type { Effect } from "effect"
import type { PageRefused } from "./guard/PageRefused.ts"
import type { OrganizationRequest, PageRequest, PersonRequest } from "./guard/PageRequest.ts"
import type { Reply } from "./guard/Reply.ts"
import { endOtherSessions, endOwnSession, setTheme, showAccount } from "./handlers/account.ts"
import { goHome } from "./handlers/home.ts"
import { downloadOverview, showOverview } from "./handlers/overview.ts"
import { requestLink, showLink, showSignIn, signIn, signOutHere } from "./handlers/signIn.ts"

/** What use cases of pages need. */
export type PageServices = StoragePorts | Effect.Services<ReturnType<typeof startScan>>

/** Errors that the server shows as a page; a handler deals with every other one. */
export type PageError = PageRefused | NotFound | OutsideWindow | BadCursor | Rejected | StoreError

/** Calls a use case and hands what it returns to a page. */
export type Handler<Request> = (request: Request) => Effect.Effect<Reply<PageServices>, PageError, PageServices>

interface Address<Path extends `/${string}`> {
  readonly method: "GET" | "POST"
  readonly path: Path
  /** What a network may not do too often: try links that do not work (410), or ask for mails. */
  readonly limit?: "links" | "mails"
}

/**
 * A page. `least` is who may see it at the least: `anybody`, a `person` who is signed in, or a role in the organization that
 * the path names. Without it a route does not compile, and a route of an organization takes nothing but a role.
 */
export type Route =
  | Address<`/${string}`> & { readonly least: "anybody"; readonly handle: Handler<PageRequest> }
  | Address<`/${string}`> & { readonly least: "person"; readonly handle: Handler<PersonRequest> }
  | Address<`/o/:slug${string}`> & { readonly least: Role; readonly handle: Handler<OrganizationRequest> }

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "/", least: "anybody", handle: goHome },

  { method: "GET", path: "/login", least: "anybody", handle: showSignIn },
  { method: "POST", path: "/login", least: "anybody", limit: "mails", handle: requestLink },
  { method: "GET", path: "/login/link/:token", least: "anybody", limit: "links", handle: showLink },
  { method: "POST", path: "/login/link/:token", least: "anybody", limit: "links", handle: signIn },
  { method: "POST", path: "/logout", least: "anybody", handle: signOutHere },

  { method: "GET", path: "/account", least: "person", handle: showAccount },
  { method: "POST", path: "/account/theme", least: "person", handle: setTheme },
  { method: "POST", path: "/account/sessions/end", least: "person", handle: endOtherSessions },
  { method: "POST", path: "/account/sessions/:id/end", least: "person", handle: endOwnSession },

  { method: "GET", path: "/o/:slug", least: "viewer", handle: showOverview },
  { method: "GET", path: "/o/:slug/overview.csv", least: "viewer", handle: downloadOverview }
]
