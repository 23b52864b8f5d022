import { Effect, Stream } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { makeOwnerLookup, type Owner } from "../../domain/sources/owners.ts"
import { moveToTarget } from "../../domain/sources/resolvedUrl.ts"
import type { Source } from "../../domain/sources/Source.ts"
import { type ListedAnswer, SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotReady } from "../errors.ts"
import { streamEndedScans } from "../measuring/rescore.ts"
import { findTargets } from "./reads.ts"

/** One source of one answer, under the address that the platform named, even if that redirects elsewhere. */
export interface ExportedSource extends Source {
  readonly answer: Omit<ListedAnswer, "sources">
  /** Position among the sources of the answer, from 1. */
  readonly ordinal: number
  readonly owner: Owner
  /** Target of the redirect in its URL; null if the target was not requested or is unknown. */
  readonly resolved: string | null
}

/**
 * All sources of the newest ended scans within the window (of all such scans if `scans` is null), newest scan first,
 * with one scan in memory at a time. Fails with NotReady if no brand is set.
 */
export const exportSources = (organizationId: OrganizationId, window: HistoryWindow, scans: number | null) =>
  Stream.unwrap(Effect.gen(function*() {
    const sources = yield* SourceStore
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    if (set === null) return yield* new NotReady({ missing: "brand" })
    const ownerOf = makeOwnerLookup(set)
    const ended = streamEndedScans(organizationId, { only: null, since: window.since })
    return (scans === null ? ended : Stream.take(ended, scans)).pipe(
      Stream.mapEffect(Effect.fnUntraced(function*({ id }) {
        const answers = yield* sources.ofScan(organizationId, id)
        const targets = yield* findTargets(organizationId, answers.flatMap((answer) => answer.sources))
        return answers.flatMap(({ sources: own, ...answer }) =>
          own.map((source, i): ExportedSource => {
            const moved = moveToTarget(source, targets)
            return {
              ...moved,
              answer,
              ordinal: i + 1,
              owner: ownerOf(moved),
              resolved: targets.get(source.url) ?? null
            }
          })
        )
      }))
    )
  }))
