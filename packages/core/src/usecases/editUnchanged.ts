import { Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import { OrganizationStore } from "../ports/OrganizationStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { ChangedMeanwhile } from "./errors.ts"

/**
 * Runs an edit only if the record still is as its editor saw it. The check and the edit share one transaction, and such
 * edits of an organization run one at a time, so the second of two editors never overwrites changes that they have not
 * seen. Fails with ChangedMeanwhile, and as `isUnchanged` and `edit` do.
 */
export const editUnchanged = Effect.fn("editUnchanged")(
  function*<A, E, R, E2, R2>(
    organizationId: OrganizationId,
    isUnchanged: Effect.Effect<boolean, E2, R2>,
    edit: Effect.Effect<A, E, R>
  ) {
    const organizations = yield* OrganizationStore
    const { run } = yield* Transaction
    return yield* run(Effect.gen(function*() {
      yield* organizations.lock(organizationId)
      if (!(yield* isUnchanged)) return yield* new ChangedMeanwhile()
      return yield* edit
    }))
  }
)
