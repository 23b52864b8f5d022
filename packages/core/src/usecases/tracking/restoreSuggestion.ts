import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"

/**
 * Stops ignoring a name: it may be suggested as a competitor again, and rule `new_competitor` reports it the next time
 * it is new. Returns whether it was ignored before.
 */
export const restoreSuggestion = Effect.fn("restoreSuggestion")(
  function*(organizationId: OrganizationId, name: string) {
    const store = yield* TrackedSetStore
    const alerts = yield* AlertStore
    const form = toComparisonForm(name)
    return yield* runActs(
      organizationId,
      Effect.tap(store.stopIgnoring(organizationId, form), () => alerts.forgetTold(organizationId, form)),
      (wasIgnored) => wasIgnored ? [{ action: "suggestion.restored", subjectId: organizationId, detail: { name } }] : []
    )
  }
)
