import { Effect } from "effect"
import type { Membership } from "../../domain/people/Person.ts"
import { listOrganizations } from "../organizations/listOrganizations.ts"

/**
 * Whether these are the memberships of somebody who runs the installation: an owner of every organization, as `openDashboard`
 * makes whoever can open the database. What belongs to no single organization (workers, what platforms cost) is theirs alone.
 */
export const isOperator = Effect.fn("isOperator")(function*(memberships: ReadonlyArray<Membership>) {
  const owned = new Set(memberships.filter(({ role }) => role === "owner").map(({ organization }) => organization.id))
  return (yield* listOrganizations()).every(({ id }) => owned.has(id))
})
