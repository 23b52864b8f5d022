import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { now } from "../now.ts"

/** Ignores a name from now on: it is no longer suggested as a competitor. Returns false if it was already ignored. */
export const ignoreSuggestion = Effect.fn("ignoreSuggestion")(function*(organizationId: OrganizationId, name: string) {
  const store = yield* TrackedSetStore
  const ignoredAt = yield* now
  return yield* runActs(
    organizationId,
    store.ignore(organizationId, { name, form: toComparisonForm(name), ignoredAt }),
    (isNew) => isNew ? [{ action: "suggestion.ignored", subjectId: organizationId, detail: { name } }] : []
  )
})
