/** Replies that many handlers give. */
import { roundHalfUp } from "@sov/core/scoring"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type PageOptions, type PageReply, seeOther, showPage } from "../guard/Reply.ts"
import type { Html } from "../html.ts"
import type { DoneCode } from "../pages/done.ts"
import { inOrganization } from "../pages/sections.ts"

/** A share in a CSV: one digit; null where it is not known. */
export const oneDigit = (value: number | null | undefined): number | null =>
  value == null ? null : roundHalfUp(value, 1)

/** Shows the page that an effect makes. */
export const shown = <E, R>(
  page: Effect.Effect<Html, E, R>,
  options: PageOptions = {}
): Effect.Effect<PageReply, E, R> => Effect.map(page, (made) => showPage(made, options))

/** Leads to a page of the organization, which then says what was done. */
export const leadTo = (
  { organization: { slug } }: Pick<OrganizationRequest, "organization">,
  path: "" | `/${string}`,
  done: DoneCode
): PageReply => seeOther(inOrganization(slug, path, { done }))
