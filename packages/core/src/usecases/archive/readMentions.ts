import { Effect } from "effect"
import { type NamedMention, nameMentions } from "../../domain/archive/AnswerDetail.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"

/** The mentions in an answer, from its newest measurement. */
export interface AnswerMentions extends MeasurementVersions {
  /** The mentions in text order. */
  readonly mentions: ReadonlyArray<NamedMention>
}

/**
 * Reads the names in these answers, by answer, as the entities were called at the time of measuring. Leaves out
 * unmeasured answers.
 */
export const readMentions = Effect.fn("readMentions")(
  function*(organizationId: OrganizationId, ids: ReadonlyArray<AnswerId>) {
    const found = ids.length === 0 ? [] : yield* (yield* MeasurementStore).newestMentions(organizationId, ids)
    const sets = yield* TrackedSetStore
    const versions = [...new Set(found.map(({ trackedSetVersion }) => trackedSetVersion))]
    const byVersion = new Map(
      yield* Effect.forEach(
        versions,
        (version) => Effect.map(sets.find(organizationId, version), (set) => [version, set!] as const)
      )
    )
    return new Map(
      found.map(({ answerId, measureVersion, mentions, trackedSetVersion }): [AnswerId, AnswerMentions] => [
        answerId,
        { measureVersion, trackedSetVersion, mentions: nameMentions(mentions, byVersion.get(trackedSetVersion)!) }
      ])
    )
  }
)
