import { Effect } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { type Keyword, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { type TaggedKeyword, tagKey } from "../../domain/tracking/Tag.ts"
import { groupTags, makeTagBook, tooManyTags } from "../../domain/tracking/tagging.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"

/** A keyword with its tags after a change, and whether it changed. */
export interface RetaggedKeyword {
  readonly keyword: Keyword
  readonly tags: ReadonlyArray<string>
  readonly changed: boolean
}

/** The audit acts for changed tags, one per keyword. */
export const listTagActs = (
  action: "keyword.tagged" | "keyword.untagged",
  changed: ReadonlyArray<TaggedKeyword>,
  keywords: ReadonlyMap<KeywordId, Pick<Keyword, "text">>
): ReadonlyArray<Act> =>
  [...groupTags(changed)].map(([id, tags]) => ({
    action,
    subjectId: id,
    detail: { text: keywords.get(id)!.text, tags }
  }))

/**
 * Adds tags, which must have been checked (`Tag`), to keywords. Must be called inside a transaction. Fails with
 * Rejected if a keyword would have too many.
 */
export const giveTags = Effect.fnUntraced(
  function*(organizationId: OrganizationId, ids: ReadonlyArray<KeywordId>, tags: ReadonlyArray<string>) {
    if (tags.length === 0) return []
    const store = yield* KeywordStore
    const book = makeTagBook(yield* store.listTags(organizationId))
    const given = ids.map((id) => book.give(id, tags))
    const whole = given.filter((one) => one !== null)
    if (whole.length < given.length) return yield* new Rejected({ field: "tag", message: tooManyTags })
    return yield* store.addTags(organizationId, whole.flat())
  }
)

const retag = (
  action: "keyword.tagged" | "keyword.untagged",
  change: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<KeywordId>,
    tags: ReadonlyArray<string>
  ) => ReturnType<typeof giveTags>
) =>
  Effect.fnUntraced(
    function*(organizationId: OrganizationId, ids: ReadonlyArray<KeywordId>, tags: ReadonlyArray<string>) {
      const store = yield* KeywordStore
      const all = new Map((yield* store.list(organizationId, keywordStatuses)).map((one) => [one.id, one]))
      const unknown = ids.find((id) => !all.has(id))
      if (unknown !== undefined) return yield* new NotFound({ what: "keyword", id: unknown })
      if (tags.some((tag) => all.has(tagKey(tag) as KeywordId))) {
        return yield* new Rejected({ field: "tag", message: "a keyword's id is no tag; tag one keyword at a time" })
      }
      const changed = yield* runActs(
        organizationId,
        change(organizationId, [...new Set(ids)], tags),
        (done) => listTagActs(action, done, all)
      )
      const after = groupTags(yield* store.listTags(organizationId))
      const touched = new Set(changed.map(({ keywordId }) => keywordId))
      return ids.map((id): RetaggedKeyword => ({
        keyword: all.get(id)!,
        tags: after.get(id) ?? [],
        changed: touched.has(id)
      }))
    }
  )

/**
 * Replaces the tags of a keyword by these tags, which must have been checked (`Tag`). Fails with NotFound, and with
 * Rejected if there are too many.
 */
export const setKeywordTags = Effect.fn("setKeywordTags")(
  function*(organizationId: OrganizationId, id: KeywordId, tags: ReadonlyArray<string>) {
    const store = yield* KeywordStore
    const set = Effect.gen(function*() {
      const keyword = yield* store.find(organizationId, id)
      if (keyword === null) return yield* new NotFound({ what: "keyword", id })
      const wanted = new Set(tags.map(tagKey))
      const has = (yield* store.listTags(organizationId)).filter(({ keywordId }) => keywordId === id)
      const taken = yield* store.removeTags(organizationId, has.filter(({ tag }) => !wanted.has(tagKey(tag))))
      return { keywords: new Map([[id, keyword]]), taken, given: yield* giveTags(organizationId, [id], tags) }
    })
    yield* runActs(organizationId, set, ({ given, keywords, taken }) => [
      ...listTagActs("keyword.untagged", taken, keywords),
      ...listTagActs("keyword.tagged", given, keywords)
    ])
  }
)

/**
 * Adds tags, which must have been checked (`Tag`), to keywords, in the spelling that other keywords use. Fails with
 * NotFound for an unknown keyword and with Rejected if a keyword would have too many tags; nothing changes then.
 */
export const tagKeywords = retag("keyword.tagged", giveTags)

/**
 * Removes tags from keywords; a tag that a keyword does not have is ignored. Fails with NotFound for an unknown
 * keyword.
 */
export const untagKeywords = retag(
  "keyword.untagged",
  Effect.fnUntraced(function*(organizationId, ids, tags) {
    const store = yield* KeywordStore
    return yield* store.removeTags(organizationId, ids.flatMap((keywordId) => tags.map((tag) => ({ keywordId, tag }))))
  })
)
