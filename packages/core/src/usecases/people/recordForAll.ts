import { Effect } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { Membership } from "../../domain/people/Person.ts"
import { recordActs } from "../audit/recordActs.ts"

/** Records an act of a person in each of their organizations, inside the caller's transaction. */
export const recordForAll = (memberships: ReadonlyArray<Membership>, act: Act) =>
  Effect.forEach(memberships, ({ organization }) => recordActs(organization.id, [act]), { discard: true })
