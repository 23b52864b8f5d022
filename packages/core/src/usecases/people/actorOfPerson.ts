import type { Actor } from "../../domain/audit/Actor.ts"
import type { Person } from "../../domain/people/Person.ts"
import type { FoundSession } from "../../ports/SessionStore.ts"

/** A person as an actor. */
export const actorOfPerson = ({ id, name }: Pick<Person, "id" | "name">): Actor => ({
  kind: "person",
  name,
  personId: id
})

/** The actor of a session: the person, or an unknown holder of the link that began it. */
export const actorOfSession = ({ person, session }: Pick<FoundSession, "person" | "session">): Actor => ({
  ...actorOfPerson(person),
  knownTo: session.madeBy === null ? session.knownTo : [session.madeBy, ...session.knownTo]
})
