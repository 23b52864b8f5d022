import { historyWindowAt } from "@sov/core/organizations"
import type { Membership } from "@sov/core/people"
import type { Query } from "../Address.ts"
import type { Frame, Theme } from "../pages/Frame.ts"
import type { Guard } from "./Guard.ts"
import type { Visitor } from "./PageRequest.ts"

/** The parts of a request that the frame of its page needs. */
interface Asked {
  readonly at: Date
  readonly theme: Theme | null
  readonly done: string | null
  readonly period?: Query
}

/** The visitor's membership in the organization with this slug; undefined if the visitor is not a member. */
export const findMembership = ({ memberships }: Visitor, slug: string | undefined): Membership | undefined =>
  memberships.find(({ organization }) => organization.slug === slug)

/** The frame of a member's pages. */
export const makeFrame = (
  { platformLabels }: Guard,
  { memberships }: Visitor,
  { name, organization, role }: Membership,
  { at, done, period = {}, theme }: Asked
): Frame => ({
  person: { name },
  role,
  organization: { name: organization.name, slug: organization.slug },
  organizations: memberships.map(({ organization: { name, slug } }) => ({ name, slug })),
  platformLabels,
  theme,
  at,
  since: historyWindowAt(organization, at).since,
  period,
  done
})
