import type { Duration } from "effect"
import { Effect, Option } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { monotonicMs } from "../now.ts"
import { readTrackedSet } from "./reads.ts"
import { listScansToRead, suggestCompetitors, type Suggestions, type SuggestionScope } from "./suggestCompetitors.ts"

interface Kept {
  /** The data that the result depends on. */
  readonly key: string
  /** Null if the search took too long. */
  readonly found: Suggestions | null
  readonly until: number
}

/**
 * How long a result is reused, in milliseconds. The time is limited, because late measurements do not change the key.
 */
const keptMs = 600_000
/** How long until a search that took too long is tried again, in milliseconds. */
const tooLongForMs = 60_000
const memories = makeMemory<Kept>(100)

/**
 * `suggestCompetitors` for pages, which are shown often: searches again only if the scans, tracked names, ignored names
 * or the window have changed, and returns null if the search takes longer than `maxDuration`.
 */
export const readRecentSuggestions = Effect.fn("readRecentSuggestions")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  scope: SuggestionScope,
  maxDuration: Duration.Input
) {
  const { version } = yield* readTrackedSet(organizationId)
  const sets = yield* TrackedSetStore
  const ignored = yield* sets.listIgnored(organizationId)
  const { isPart, scans } = yield* listScansToRead(organizationId, window, scope.maxAnswers)
  const key = JSON.stringify([scope, version, ignored.map(({ name }) => name), isPart, scans.map(({ id }) => id)])
  const memory = memories.of(sets)
  const last = memory.find(organizationId)
  if (last?.key === key && (yield* monotonicMs) < last.until) return last.found
  const found = yield* suggestCompetitors(organizationId, window, scope, () => {}).pipe(
    Effect.timeoutOption(maxDuration),
    Effect.map(Option.getOrNull)
  )
  memory.keep(organizationId, { key, found, until: (yield* monotonicMs) + (found === null ? tooLongForMs : keptMs) })
  return found
})
