import { Effect } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { dependsOnOthers, readCitations } from "../../domain/sources/citing.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { moveToTarget } from "../../domain/sources/resolvedUrl.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { findTargets } from "./reads.ts"

/** What an answer cites, in short. */
export interface CitedDomains {
  /** Each domain once, in the order of the sources; those of answer and search engines left out. */
  readonly domains: ReadonlyArray<string>
  /** Whether a page of the brand is among them. */
  readonly ownCited: boolean
}

/**
 * What these answers of a scan cite, by the rules of `readSources`. One that is not known to cite nobody is left out:
 * its platform reports no sources, it was not searched for, or its sources are not derived yet.
 */
export const readCitedDomains = Effect.fn("readCitedDomains")(
  function*(organizationId: OrganizationId, scanId: ScanId, ids: ReadonlyArray<AnswerId>) {
    const { listReportingPlatforms, ofAnswers } = yield* SourceStore
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    const ownerOf = makeOwnerLookup(set ?? { brand: { domains: [] }, competitors: [] })
    const found = ids.length === 0 ? [] : yield* ofAnswers(organizationId, ids)
    const targets = yield* findTargets(organizationId, found.flatMap(({ sources }) => sources))
    const reporting = found.some(dependsOnOthers) ? yield* listReportingPlatforms(organizationId, scanId) : null
    return new Map(found.flatMap((answer): ReadonlyArray<[AnswerId, CitedDomains]> => {
      const sources = answer.sources.map((source) => moveToTarget(source, targets))
      const { cited, domains, ownCited, reports } = readCitations(
        { ...answer, sources },
        ownerOf,
        reporting?.has(answer.platform) === true
      )
      return reports || cited.length > 0 ? [[answer.answerId, { domains: [...domains], ownCited }]] : []
    }))
  }
)
