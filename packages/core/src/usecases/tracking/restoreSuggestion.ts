import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"

/** Ends ignoring a name: it may be suggested as a competitor again. Returns whether it was ignored before. */
export const restoreSuggestion = Effect.fn("restoreSuggestion")(
  function*(organizationId: OrganizationId, name: string) {
    const store = yield* TrackedSetStore
    return yield* runActs(
      organizationId,
      store.stopIgnoring(organizationId, toComparisonForm(name)),
      (wasIgnored) => wasIgnored ? [{ action: "suggestion.restored", subjectId: organizationId, detail: { name } }] : []
    )
  }
)
