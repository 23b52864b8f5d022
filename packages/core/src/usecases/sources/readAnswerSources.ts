import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { SourceStore } from "../../ports/SourceStore.ts"

/** The newest sources of an answer with where they lie; null where none are derived yet (`sov rescore` derives them). */
export const readAnswerSources = Effect.fn("readAnswerSources")(
  function*(organizationId: OrganizationId, id: AnswerId) {
    return yield* (yield* SourceStore).find(organizationId, id)
  }
)
