import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readTrackedSet } from "./reads.ts"

/** Reads the names that are not suggested as competitors, most recently ignored first. */
export const readIgnoredNames = Effect.fn("readIgnoredNames")(function*(organizationId: OrganizationId) {
  const ignored = yield* (yield* TrackedSetStore).listIgnored(organizationId)
  return ignored.map(({ name }) => name).toReversed()
})

/** The status of a name in suggestions: it may be suggested, is ignored, or is tracked. */
export type SuggestionState = "open" | "ignored" | "tracked"

/** Reads the status of a name in suggestions, in any spelling. Fails with NotReady if no brand is set. */
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
