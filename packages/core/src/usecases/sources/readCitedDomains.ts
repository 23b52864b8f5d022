import { Effect } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { dependsOnOthers, readCitations } from "../../domain/sources/citing.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { moveToTarget } from "../../domain/sources/resolvedUrl.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { findTargets } from "./reads.ts"

/** A summary of the citations in an answer. */
export interface CitedDomains {
  /**
   * The cited domains, without duplicates, in the order of the sources; without domains of answer and search engines.
   */
  readonly domains: ReadonlyArray<string>
  /** Whether one of the cited pages belongs to the brand. */
  readonly ownCited: boolean
}

/**
 * Reads the citations in these answers of a scan, by the rules of `readSources`. Leaves out answers without citations
 * if their sources are uncertain: the platform reports no sources, no search was made, or the sources are not derived
 * yet.
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
