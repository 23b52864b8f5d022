/** Replies that many handlers use. */
import { roundHalfUp } from "@sov/core/scoring"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type PageOptions, type PageReply, seeOther, showPage } from "../guard/Reply.ts"
import type { Html } from "../html.ts"
import type { DoneCode } from "../pages/done.ts"
import { inOrganization } from "../pages/sections.ts"

/** A share for a CSV, rounded to one decimal; null if unknown. */
export const roundToOneDecimal = (value: number | null | undefined): number | null =>
  value == null ? null : roundHalfUp(value, 1)

/** Replies with the page that an effect creates. */
export const replyWithPage = <E, R>(
  page: Effect.Effect<Html, E, R>,
  options: PageOptions = {}
): Effect.Effect<PageReply, E, R> => Effect.map(page, (made) => showPage(made, options))

/** Redirects to a page of the organization, which says what was done. */
export const redirectTo = (
  { organization: { slug } }: Pick<OrganizationRequest, "organization">,
  path: "" | `/${string}`,
  done: DoneCode
): PageReply => seeOther(inOrganization(slug, path, { done }))
