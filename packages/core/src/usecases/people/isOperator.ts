import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { consoleIdentity } from "../../domain/people/Person.ts"
import { PersonStore } from "../../ports/PersonStore.ts"

/**
 * Whether this is the person that `openDashboard` signs in: whoever can open the database. What belongs to no single
 * organization (workers, what platforms cost, making organizations) is theirs alone, whatever anybody else owns.
 */
export const isOperator = Effect.fn("isOperator")(function*(personId: PersonId) {
  return (yield* (yield* PersonStore).findByIdentity(consoleIdentity))?.id === personId
})
