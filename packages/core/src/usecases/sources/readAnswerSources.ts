import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { SourceStore, type StoredSources } from "../../ports/SourceStore.ts"
import { findTargets } from "./findTargets.ts"

/** The sources of one answer; `targets` are those of its redirects that are resolved, by their URL. */
export interface ReadSources extends StoredSources {
  readonly targets: ReadonlyMap<string, string>
}

/**
 * The newest sources of an answer with where they lie; null where none are derived yet (`sov rescore` derives them).
 */
export const readAnswerSources = Effect.fn("readAnswerSources")(
  function*(organizationId: OrganizationId, id: AnswerId) {
    const found = yield* (yield* SourceStore).find(organizationId, id)
    if (found === null) return null
    const read: ReadSources = { ...found, targets: yield* findTargets(organizationId, found.sources) }
    return read
  }
)
