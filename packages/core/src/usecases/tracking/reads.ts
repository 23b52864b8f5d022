import { Effect, Schema } from "effect"
import { KeywordId, type OrganizationId } from "../../domain/ids.ts"
import { type KeywordStatus, keywordStatuses, tidyKeyword } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotFound, NotReady } from "../errors.ts"

/**
 * Finds a keyword, including archived ones, by its id or its text; ignores surrounding white space and the amount of
 * white space between words. Fails with NotFound.
 */
export const findKeyword = Effect.fn("findKeyword")(function*(organizationId: OrganizationId, idOrText: string) {
  if (Schema.is(KeywordId)(idOrText)) {
    const keyword = yield* (yield* KeywordStore).find(organizationId, idOrText)
    return keyword ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
  }
  const all = yield* readKeywords(organizationId)
  const tidied = tidyKeyword(idOrText)
  const found = all.find(({ text }) => text === idOrText) ?? all.find(({ text }) => tidyKeyword(text) === tidied)
  return found ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
})

/** All keywords with one of the statuses (default: any status), oldest first. */
export const readKeywords = Effect.fn("readKeywords")(
  function*(organizationId: OrganizationId, statuses: ReadonlyArray<KeywordStatus> = keywordStatuses) {
    return yield* (yield* KeywordStore).list(organizationId, statuses)
  }
)

/** The newest version of the organization's tracked set. Fails with NotReady if no brand is set. */
export const readTrackedSet = Effect.fn("readTrackedSet")(function*(organizationId: OrganizationId) {
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  return set ?? (yield* new NotReady({ missing: "brand" }))
})
