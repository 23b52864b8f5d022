import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readTrackedSet } from "./reads.ts"

/** Reads the names that are not suggested as competitors, the one ignored last first. */
export const readIgnoredNames = Effect.fn("readIgnoredNames")(function*(organizationId: OrganizationId) {
  const ignored = yield* (yield* TrackedSetStore).listIgnored(organizationId)
  return ignored.map(({ name }) => name).toReversed()
})

/** What a name is for suggestions: one that may be suggested, one that is ignored, or one that is tracked. */
export type SuggestionState = "open" | "ignored" | "tracked"

/** Reads what a name is for suggestions, in whatever spelling. Fails with NotReady before there is a brand. */
export const readSuggestionState = Effect.fn("readSuggestionState")(
  function*(organizationId: OrganizationId, name: string) {
    const form = toComparisonForm(name)
    const { brand, competitors } = yield* readTrackedSet(organizationId)
    const tracked = [brand, ...competitors].flatMap((one) => [one.name, ...one.aliases])
    const ignored = yield* readIgnoredNames(organizationId)
    const has = (names: ReadonlyArray<string>) => names.some((one) => toComparisonForm(one) === form)
    const state: SuggestionState = has(tracked) ? "tracked" : has(ignored) ? "ignored" : "open"
    return state
  }
)
