import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { type KeywordStatus, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { readTags } from "./readTags.ts"

/**
 * Exports the keywords with one of these statuses and their tags, oldest first, in the form that `importKeywords`
 * reads; with `ids`, only these keywords.
 */
export const exportKeywords = Effect.fn("exportKeywords")(function*(
  organizationId: OrganizationId,
  { ids, statuses = keywordStatuses }: {
    readonly statuses?: ReadonlyArray<KeywordStatus> | undefined
    readonly ids?: ReadonlySet<KeywordId> | undefined
  } = {}
) {
  const tags = yield* readTags(organizationId)
  const keywords = yield* (yield* KeywordStore).list(organizationId, statuses)
  return keywords.filter(({ id }) => ids?.has(id) ?? true).map((keyword) => ({
    keyword,
    tags: tags.get(keyword.id) ?? []
  }))
})
