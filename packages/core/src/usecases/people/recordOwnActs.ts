import { Effect } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { PersonId } from "../../domain/ids.ts"
import type { Membership, Person } from "../../domain/people/Person.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { Actor } from "../audit/Actor.ts"
import { recordActs } from "../audit/recordActs.ts"
import { actorOfPerson } from "./actorOfPerson.ts"

/**
 * Records an act of a person in each of their organizations, by the name that they have there; inside the caller's
 * transaction.
 */
export const recordOwnActs = Effect.fnUntraced(function*(id: PersonId, toAct: (person: Person) => Act) {
  const people = yield* PersonStore
  const person = yield* people.find(id)
  if (person === null) return
  const record = ({ name, organization }: Membership) => {
    const known = { ...person, name }
    return Effect.provideService(recordActs(organization.id, [toAct(known)]), Actor, actorOfPerson(known))
  }
  yield* Effect.forEach(yield* people.listMemberships(id), record, { discard: true })
})
