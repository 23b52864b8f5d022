import { Effect } from "effect"
import { leadToSignIn } from "../guard/leadToSignIn.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type Reply, seeOther, showPage } from "../guard/Reply.ts"
import { noOrganizationPage } from "../pages/noOrganization.ts"
import { inOrganization } from "../pages/sections.ts"

/** GET / leads to the organization that was looked at last, to the oldest otherwise, or to the sign-in page. */
export const goHome = ({ lastOrganization, theme, visitor }: PageRequest): Effect.Effect<Reply> => {
  if (visitor === null) return Effect.succeed(leadToSignIn(null))
  const { memberships, person } = visitor
  const slugs = memberships.map(({ organization }) => organization.slug)
  const slug = slugs.find((one) => one === lastOrganization) ?? slugs[0]
  return Effect.succeed(
    slug === undefined ? showPage(noOrganizationPage(person.name, theme)) : seeOther(inOrganization(slug, ""))
  )
}
