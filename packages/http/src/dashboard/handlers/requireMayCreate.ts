import { isOperator } from "@sov/core/people"
import { Effect } from "effect"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { requireOperator } from "./requireOperator.ts"

/** The organizations that the visitor owns. */
export const listOwned = ({ visitor: { memberships } }: PersonRequest) =>
  memberships.flatMap(({ organization, role }) => role === "owner" ? [organization] : [])

/**
 * Whether the visitor may create an organization: the operator always, an owner if the operator allows it and the owner
 * does not own that many yet.
 */
export const mayCreate = Effect.fnUntraced(function*(request: PersonRequest) {
  const owned = listOwned(request)
  return (owned.some(({ suspendedAt }) => suspendedAt === null) && owned.length < request.maxOwned) ||
    (yield* isOperator(request.visitor.person.id))
})

/** Refuses everybody who may not create an organization; returns the most that the visitor may own, null = no limit. */
export const requireMayCreate = Effect.fnUntraced(function*(request: PersonRequest) {
  if (!(yield* mayCreate(request))) yield* requireOperator(request, "Organizations are set up")
  return (yield* isOperator(request.visitor.person.id)) ? null : request.maxOwned
})
