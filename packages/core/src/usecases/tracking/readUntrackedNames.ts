import type { Duration } from "effect"
import { Effect } from "effect"
import type { ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { NameTally } from "../../domain/tracking/untracked/NameTally.ts"
import { maxSearchedLength } from "../../domain/tracking/untracked/SuggestionSearch.ts"
import { readRecentSuggestions } from "./readRecentSuggestions.ts"
import { readTrackedSet } from "./reads.ts"

/** How many of the newest answers decide which names are brands; the dashboard's suggestions use the same number. */
const maxAnswers = 500

/**
 * The suggested, untracked brands that an answer names, in order of their first mention. They do not count in the
 * position and share of the answer. Empty if the answer is too long or the search takes too long; fails with NotReady
 * if no brand is set.
 */
export const readUntrackedNames = Effect.fn("readUntrackedNames")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { promptUsed, rawResponse }: Pick<ArchiveRow, "promptUsed" | "rawResponse">,
  maxDuration: Duration.Input
) {
  const set = yield* readTrackedSet(organizationId)
  if (rawResponse.length > maxSearchedLength) return []
  const scope = { maxAnswers, maxLength: maxSearchedLength }
  const found = yield* readRecentSuggestions(organizationId, window, scope, maxDuration)
  const names = (found?.suggestions ?? []).map(({ name }) => name)
  return [...new NameTally(set, names).find(rawResponse, promptUsed).names.keys()].map((index) => names[index]!)
})
