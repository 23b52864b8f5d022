/**
 * A route without a role does not compile, and neither does a route of an organization with anything other than a role.
 */
import { Effect } from "effect"
import { to } from "../../../packages/http/src/dashboard/Address.ts"
import type { OrganizationRequest, PageRequest } from "../../../packages/http/src/dashboard/guard/PageRequest.ts"
import { type PageReply, seeOther } from "../../../packages/http/src/dashboard/guard/Reply.ts"
import type { Route } from "../../../packages/http/src/dashboard/routes.ts"

const handle = ({ next }: PageRequest): Effect.Effect<PageReply> => Effect.succeed(seeOther(to(next ?? "/")))
const ofOrganization = ({ organization: { slug } }: OrganizationRequest): Effect.Effect<PageReply> =>
  Effect.succeed(seeOther(to(`/o/${slug}`)))

export const allowed: ReadonlyArray<Route> = [
  { method: "GET", path: "/x", least: "anybody", handle },
  { method: "GET", path: "/x", least: "person", handle },
  { method: "GET", path: "/o/:slug/x", least: "member", handle: ofOrganization }
]

// @ts-expect-error -- a route names who may see it
export const withoutRole: Route = { method: "GET", path: "/o/:slug/x", handle: ofOrganization }
// @ts-expect-error -- a page that needs an organization is not for everybody
export const forAnybody: Route = { method: "GET", path: "/x", least: "anybody", handle: ofOrganization }
// @ts-expect-error -- a role is one in the organization that the path names
export const nowhere: Route = { method: "GET", path: "/x", least: "viewer", handle: ofOrganization }
// @ts-expect-error -- there is no such role
export const unknownRole: Route = { method: "GET", path: "/o/:slug/x", least: "admin", handle: ofOrganization }
