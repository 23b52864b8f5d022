import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { type Keyword, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { findSystemTag, tagKey } from "../../domain/tracking/Tag.ts"
import { groupTags } from "../../domain/tracking/tagging.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotFound } from "../errors.ts"

/** The assigned tags by keyword; keywords without tags are left out. */
export const readTags = Effect.fn("readTags")(function*(organizationId: OrganizationId) {
  return groupTags(yield* (yield* KeywordStore).listTags(organizationId))
})

/** All assigned tags, without duplicates, in alphabetical order. */
export const listTags = Effect.fn("listTags")(function*(organizationId: OrganizationId) {
  const tags = new Map((yield* (yield* KeywordStore).listTags(organizationId)).map(({ tag }) => [tagKey(tag), tag]))
  return [...tags].toSorted(([a], [b]) => a < b ? -1 : 1).map(([, tag]) => tag)
})

/** Whether each keyword itself names the brand, by the present names; false for all if no names are tracked. */
export const readBranded = Effect.fn("readBranded")(function*(organizationId: OrganizationId) {
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  const keywords = yield* (yield* KeywordStore).list(organizationId, keywordStatuses)
  return { keywords, branded: set === null ? new Set<KeywordId>() : brandedAmong(set, keywords) }
})

/** Keywords, and which of them name the brand. */
interface BrandedKeywords {
  readonly keywords: ReadonlyArray<Pick<Keyword, "id">>
  readonly branded: ReadonlySet<KeywordId>
}

/**
 * The keywords that have a tag, in any status; `branded` and `unbranded` are computed from `known`, by default from the
 * present names.
 */
export const findTagged = Effect.fn("findTagged")(function*(
  organizationId: OrganizationId,
  tag: string,
  known?: BrandedKeywords
) {
  const system = findSystemTag(tag)
  if (system === null) {
    const key = tagKey(tag)
    const tagged = yield* (yield* KeywordStore).listTags(organizationId)
    return tagged.filter((one) => tagKey(one.tag) === key).map(({ keywordId }) => keywordId)
  }
  const { branded, keywords }: BrandedKeywords = known ?? (yield* readBranded(organizationId))
  return keywords.map(({ id }) => id).filter((id) => branded.has(id) === (system === "branded"))
})

/** Like `findTagged`, for a tag that a person entered. Fails with NotFound if no keyword has it. */
export const findNamedTag = Effect.fn("findNamedTag")(function*(organizationId: OrganizationId, tag: string) {
  const ids = yield* findTagged(organizationId, tag)
  return ids.length > 0 ? ids : yield* new NotFound({ what: "tag", id: JSON.stringify(tag) })
})
