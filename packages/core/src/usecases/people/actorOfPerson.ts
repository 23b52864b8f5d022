import type { Actor } from "../../domain/audit/Actor.ts"
import type { Person } from "../../domain/people/Person.ts"
import type { FoundSession } from "../../ports/SessionStore.ts"

/** A person as the one who acts. */
export const actorOfPerson = ({ id, name }: Pick<Person, "id" | "name">): Actor => ({
  kind: "person",
  name,
  personId: id
})

/** Whoever uses a session as the one who acts: the person, or somebody who knew the link that began it. */
export const actorOfSession = ({ person, session }: Pick<FoundSession, "person" | "session">): Actor => ({
  ...actorOfPerson(person),
  knownTo: session.madeBy === null ? session.knownTo : [session.madeBy, ...session.knownTo]
})
