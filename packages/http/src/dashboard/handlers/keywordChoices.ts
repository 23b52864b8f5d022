import type { KeywordId, OrganizationId } from "@sov/core/common"
import { readKeywords } from "@sov/core/tracking"
import { Effect } from "effect"

/**
 * Maximum number of keywords that a field offers, because each takes a line of the page. Other keywords can be chosen
 * on their own pages.
 */
const maxChoices = 500

/** The options of a keyword field: the oldest keywords, at most 500, and the keyword that is selected. */
export const listKeywordChoices = Effect.fnUntraced(
  function*(organizationId: OrganizationId, chosen: KeywordId | undefined) {
    const keywords = yield* readKeywords(organizationId)
    return keywords.filter(({ id }, n) => n < maxChoices || id === chosen)
  }
)
