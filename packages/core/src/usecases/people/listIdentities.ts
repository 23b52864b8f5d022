import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import { PersonStore } from "../../ports/PersonStore.ts"

/** The identities by which the person signs in, oldest first. */
export const listIdentities = Effect.fn("listIdentities")(function*(personId: PersonId) {
  return yield* (yield* PersonStore).listIdentities(personId)
})
