import type { KeywordId, OrganizationId } from "@sov/core/common"
import { readKeywords } from "@sov/core/tracking"
import { Effect } from "effect"

/** Keywords that one field offers: each is a line of the page. Others are chosen on their own page. */
const maxChoices = 500

/** The oldest keywords for a field to choose one of them, at most 500, and the chosen one. */
export const listKeywordChoices = Effect.fnUntraced(
  function*(organizationId: OrganizationId, chosen: KeywordId | undefined) {
    const keywords = yield* readKeywords(organizationId)
    return keywords.filter(({ id }, n) => n < maxChoices || id === chosen)
  }
)
