import { Effect } from "effect"
import { KeywordId, type OrganizationId } from "../../domain/ids.ts"
import { type Keyword, keywordStatuses, tidyKeyword } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { giveTags, listTagActs } from "./tagKeywords.ts"

/** A tracked keyword; `isNew` is true if it was not tracked before (an archived keyword counts as tracked). */
export interface AddedKeyword {
  readonly keyword: Keyword
  readonly isNew: boolean
}

/**
 * Tracks the prompts, tidied (`tidyKeyword`), without duplicates, in the given order. A prompt that is already tracked
 * keeps its id; an archived prompt becomes active again. Each receives the tags, which must have been checked (`Tag`),
 * in addition to its own; fails with Rejected if one would have too many.
 */
export const addKeywords = Effect.fn("addKeywords")(function*(
  organizationId: OrganizationId,
  texts: ReadonlyArray<string>,
  tags: ReadonlyArray<string> = []
) {
  const store = yield* KeywordStore
  const createdAt = yield* now
  const add = Effect.gen(function*() {
    const before = yield* store.list(organizationId, keywordStatuses)
    // A keyword that was stored untidied keeps its text, because answers to it exist
    const known = new Map([
      ...before.map(({ text }) => [tidyKeyword(text), text] as const),
      ...before.map(({ text }) => [text, text] as const)
    ])
    const keywords = yield* Effect.forEach(
      [...new Set(texts.map(tidyKeyword))],
      (text) =>
        Effect.map(
          newId(KeywordId),
          (id) => ({ id, text: known.get(text) ?? text, status: "active" as const, createdAt })
        )
    )
    const tracked = new Set(before.filter(({ status }) => status !== "archived").map(({ id }) => id))
    const added = (yield* store.add(organizationId, keywords))
      .map((keyword): AddedKeyword => ({ keyword, isNew: !tracked.has(keyword.id) }))
    return { added, tagged: yield* giveTags(organizationId, added.map(({ keyword }) => keyword.id), tags) }
  })
  const { added } = yield* runActs(
    organizationId,
    add,
    ({ added, tagged }) => [
      ...added.flatMap(({ isNew, keyword: { id, text } }) =>
        isNew ? [{ action: "keyword.added", subjectId: id, detail: { text } } as const] : []
      ),
      ...listTagActs("keyword.tagged", tagged, new Map(added.map(({ keyword }) => [keyword.id, keyword])))
    ]
  )
  return added
})
