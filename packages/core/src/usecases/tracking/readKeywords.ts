import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type KeywordStatus, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"

/** All keywords with one of the statuses (left out: whatever their status), the oldest first. */
export const readKeywords = Effect.fn("readKeywords")(
  function*(organizationId: OrganizationId, statuses: ReadonlyArray<KeywordStatus> = keywordStatuses) {
    return yield* (yield* KeywordStore).list(organizationId, statuses)
  }
)
