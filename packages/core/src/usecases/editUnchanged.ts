import { Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import { OrganizationStore } from "../ports/OrganizationStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { ChangedMeanwhile } from "./errors.ts"

/**
 * Runs an edit only while what it changes is as its editor has seen it: both in one transaction, and one such edit of
 * an organization after the other, so that of two editors the second never overwrites what it has not seen. Fails with
 * ChangedMeanwhile, and as `isUnchanged` and `edit` do.
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
