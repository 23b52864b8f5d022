import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { PersonStore } from "../../ports/PersonStore.ts"

/** Lists the organizations that a person is a member of now, with their role in each. */
export const listMemberships = Effect.fn("listMemberships")(function*(personId: PersonId) {
  return yield* (yield* PersonStore).listMemberships(personId)
})
