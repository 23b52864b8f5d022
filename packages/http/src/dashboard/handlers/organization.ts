/** Settings of the organization itself. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { setTimeZone } from "@sov/core/organizations"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type OrganizationContent, organizationPage } from "../pages/organization.ts"
import { findTimeZone, isAsSeen, readFormId, readText } from "./forms.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const path = "/settings/organization"

const makePage = Effect.fnUntraced(function*(
  { frame, organization: { timeZone } }: OrganizationRequest,
  given: Partial<Omit<OrganizationContent, "formId" | "timeZone">> = {}
) {
  const content = { timeZone, typed: timeZone, faults: {}, changed: false, ...given }
  return organizationPage(frame, { ...content, formId: yield* makeFormId })
})

/** GET /o/{slug}/settings/organization */
export const showOrganization = (request: OrganizationRequest) => replyWithPage(makePage(request))

/** POST /o/{slug}/settings/organization */
export const saveOrganization = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = request.organization
  const typed = readText(request, "timeZone")
  const set = setTimeZone(id, findTimeZone(typed), (before) => isAsSeen(request, before))
  return yield* runOnce(id, yield* readFormId(request), set).pipe(
    Effect.as(redirectTo(request, path, "time-zone-set")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, path, "sent-before")),
      ChangedMeanwhile: () => replyWithPage(makePage(request, { typed, changed: true }), { status: 409 }),
      Rejected: ({ message }) =>
        replyWithPage(makePage(request, { typed, faults: { timeZone: message } }), { status: 422 })
    })
  )
})
