import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { KeywordStatus } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"

/** The audit action for a change to each status. */
export const statusActions = {
  active: "keyword.resumed",
  paused: "keyword.paused",
  archived: "keyword.archived"
} as const

/** Pauses, resumes or archives a keyword and returns it with its new status. Its answers stay. Fails with NotFound. */
export const setKeywordStatus = Effect.fn("setKeywordStatus")(
  function*(organizationId: OrganizationId, id: KeywordId, status: KeywordStatus) {
    const store = yield* KeywordStore
    const set = Effect.gen(function*() {
      const before = yield* store.find(organizationId, id)
      const changed = yield* store.setStatus(organizationId, id, status)
      if (before === null || changed === null) return yield* new NotFound({ what: "keyword", id })
      return { before, changed }
    })
    const { changed } = yield* runActs(
      organizationId,
      set,
      ({ before, changed: { text } }) =>
        before.status === status ? [] : [{ action: statusActions[status], subjectId: id, detail: { text } }]
    )
    return changed
  }
)
