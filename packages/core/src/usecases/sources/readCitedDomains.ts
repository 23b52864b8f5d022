import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"

/** What an answer cites, in short. */
export interface CitedDomains {
  /** Each domain once, in the order of the sources; those of answer and search engines left out. */
  readonly domains: ReadonlyArray<string>
  /** Whether a page of the brand is among them. */
  readonly ownCited: boolean
}

/**
 * What answers cite. An answer whose platform reports no sources, and that has none in its text, is left out: it is not known
 * to cite nobody.
 */
export const readCitedDomains = Effect.fn("readCitedDomains")(
  function*(organizationId: OrganizationId, ids: ReadonlyArray<AnswerId>) {
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    const ownerOf = makeOwnerLookup(set ?? { brand: { domains: [] }, competitors: [] })
    const found = ids.length === 0 ? [] : yield* (yield* SourceStore).ofAnswers(organizationId, ids)
    return new Map(found.flatMap(({ answerId, sources, status }): ReadonlyArray<[AnswerId, CitedDomains]> => {
      const cited = sources.flatMap((source) => {
        if (source.kind === "retrieved" || source.domain === null) return []
        const owner = ownerOf(source)
        return owner.kind === "engine" ? [] : [{ domain: source.domain, own: owner.kind === "own" }]
      })
      if (cited.length === 0 && status !== "complete") return []
      return [[answerId, {
        domains: [...new Set(cited.map(({ domain }) => domain))],
        ownCited: cited.some(({ own }) => own)
      }]]
    }))
  }
)
