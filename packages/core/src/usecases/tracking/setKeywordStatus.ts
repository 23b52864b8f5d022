import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { KeywordStatus } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { NotFound } from "../errors.ts"

/** Pauses, resumes or archives a keyword and returns it as it now is. Its answers stay. Fails with NotFound. */
export const setKeywordStatus = Effect.fn("setKeywordStatus")(
  function*(organizationId: OrganizationId, id: KeywordId, status: KeywordStatus) {
    const changed = yield* (yield* KeywordStore).setStatus(organizationId, id, status)
    return changed ?? (yield* new NotFound({ what: "keyword", id }))
  }
)
