import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { redirectPrefix } from "../../domain/sources/resolvedUrl.ts"
import type { Source } from "../../domain/sources/Source.ts"
import { ResolvedUrlStore } from "../../ports/ResolvedUrlStore.ts"
import { SourceStore, type StoredSources } from "../../ports/SourceStore.ts"

/** The targets of the redirects among these sources, by URL; unresolved redirects are left out. */
export const findTargets = Effect.fnUntraced(
  function*(organizationId: OrganizationId, sources: Iterable<Pick<Source, "url">>) {
    const urls = new Set<string>()
    for (const { url } of sources) if (url.startsWith(redirectPrefix)) urls.add(url)
    return yield* (yield* ResolvedUrlStore).listTargets(organizationId, [...urls])
  }
)

/** The sources of one answer; `targets` are the resolved targets of its redirects, by URL. */
export interface ReadSources extends StoredSources {
  readonly targets: ReadonlyMap<string, string>
}

/**
 * The newest sources of an answer with their redirect targets; null if no sources are derived yet (`sov rescore`
 * derives them).
 */
export const readAnswerSources = Effect.fn("readAnswerSources")(
  function*(organizationId: OrganizationId, id: AnswerId) {
    const found = yield* (yield* SourceStore).find(organizationId, id)
    if (found === null) return null
    const read: ReadSources = { ...found, targets: yield* findTargets(organizationId, found.sources) }
    return read
  }
)
