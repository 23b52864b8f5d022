/** Finds measurements that stay valid with another tracked set, so that their answers need not be measured again. */
import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Measured } from "../../domain/measuring/Measurement.ts"
import { compareTerms, type MeasuredNames, renumber, type TermsChange } from "../../domain/measuring/termsChange.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { IcuVersion } from "../../ports/IcuVersion.ts"
import { type MeasuredByRules, MeasurementStore, type StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { now } from "../now.ts"
import { takeTurns } from "../tracking/takeTurns.ts"
import type { Measurable, Measurer } from "./measureStored.ts"

const toNames = ({ brand, competitors }: TrackedSet): MeasuredNames => ({
  brand,
  competitors,
  excludes: brand.excludes
})

const toMeasured = (stored: MeasuredByRules): Measured => ({
  mentioned: stored.brandMentioned,
  count: stored.mentionCount,
  position: stored.mentionPosition,
  sentiment: stored.sentiment,
  mentions: stored.mentions
})

/**
 * Creates a function that finds the measurements that stay valid with the measurer's tracked set: the present rules
 * measured their answers with another set, and the texts contain no name that differs between the two sets. Each of
 * them equals a new measurement of its answer. The search of the texts yields to other work.
 */
export const makeKeeper = Effect.fnUntraced(function*(organizationId: OrganizationId, measurer: Measurer) {
  const [measurements, trackedSets, icuVersion] = yield* Effect.all([MeasurementStore, TrackedSetStore, IcuVersion])
  const names = toNames(measurer.set)
  const changes = new Map<number, TermsChange | undefined>()

  const learnChange = Effect.fnUntraced(function*(version: number) {
    if (changes.has(version)) return
    const set = yield* trackedSets.find(organizationId, version)
    changes.set(version, set === null ? undefined : compareTerms(toNames(set), names))
  })

  return Effect.fnUntraced(function*(page: ReadonlyArray<Measurable>) {
    const kept = new Map<AnswerId, StoredMeasurement>()
    const ids = page.map(({ answerId }) => answerId)
    const found = yield* measurements.newestByRules(organizationId, ids, { measureVersion, icuVersion })
    const earlier = new Map(found.map((one) => [one.answerId, one]))
    yield* Effect.forEach(new Set(found.map((one) => one.trackedSetVersion)), learnChange, { discard: true })
    const at = yield* now
    yield* takeTurns(page, ({ answerId, promptUsed, rawResponse }) => {
      const stored = earlier.get(answerId)
      const change = stored && changes.get(stored.trackedSetVersion)
      if (stored === undefined || change === undefined || change.mayConcern(rawResponse, promptUsed)) return
      const measured = renumber(toMeasured(stored), change)
      if (measured !== undefined) kept.set(answerId, measurer.toStored(answerId, measured, at))
    })
    return kept
  })
})

/** The result of `makeKeeper`: finds the valid measurements of a page of answers. */
export type FindKept = Effect.Success<ReturnType<typeof makeKeeper>>
