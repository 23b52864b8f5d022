import { Effect } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { PersonId } from "../../domain/ids.ts"
import type { Membership, Person } from "../../domain/people/Person.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { Actor } from "../audit/Actor.ts"
import { recordActs } from "../audit/recordActs.ts"
import { actorOfPerson } from "./actorOfPerson.ts"

/** Records a person's act in each of their organizations, under their name there. Joins the caller's transaction. */
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
