import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { redirectPrefix } from "../../domain/sources/resolvedUrl.ts"
import type { Source } from "../../domain/sources/Source.ts"
import { ResolvedUrlStore } from "../../ports/ResolvedUrlStore.ts"

/** Where the redirects among these sources lead, by their URL, as far as they are resolved. */
export const findTargets = Effect.fnUntraced(
  function*(organizationId: OrganizationId, sources: Iterable<Pick<Source, "url">>) {
    const urls = new Set<string>()
    for (const { url } of sources) if (url.startsWith(redirectPrefix)) urls.add(url)
    return yield* (yield* ResolvedUrlStore).listTargets(organizationId, [...urls])
  }
)
