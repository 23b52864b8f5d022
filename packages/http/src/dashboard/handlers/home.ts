import { isOperator } from "@sov/core/people"
import { Effect } from "effect"
import { to } from "../Address.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { redirectToSignIn } from "../guard/redirectToSignIn.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { noOrganizationPage } from "../pages/noOrganization.ts"
import { inOrganization } from "../pages/sections.ts"

/**
 * GET / redirects to the organization that was opened last, else to the oldest, else to the sign-in page. If there is
 * no organization, the operator is redirected to its setup.
 */
export const redirectHome = Effect.fnUntraced(function*({ lastOrganization, theme, visitor }: PageRequest) {
  if (visitor === null) return redirectToSignIn(null)
  const { memberships, person } = visitor
  const slugs = memberships.map(({ organization }) => organization.slug)
  const slug = slugs.find((one) => one === lastOrganization) ?? slugs[0]
  if (slug !== undefined) return seeOther(inOrganization(slug, ""))
  return (yield* isOperator(person.id))
    ? seeOther(to("/setup"))
    : showPage(noOrganizationPage(person.name, theme))
})
