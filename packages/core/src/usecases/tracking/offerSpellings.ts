import { Effect, Stream } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type EntityTerms, toEntityTerms } from "../../domain/measuring/Measurement.ts"
import { offeredSpellings } from "../../domain/measuring/spellings.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { AnswerAnalysis } from "../../ports/AnswerAnalysis.ts"
import type { NewestMeasured } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { rescoreDeadline } from "../measuring/measureStored.ts"
import { readNewest } from "../measuring/readNewest.ts"

/** Number of completed scans whose answers are read. */
const readScans = 3

/** A spelling of a name that could also be another word, so that it counts only once it is added as an alias. */
export interface OfferedSpelling {
  readonly text: string
  /** Number of the newest answers that contain this spelling and do not name the entity otherwise. */
  readonly answers: number
}

/**
 * The spellings of one entity that would count only as aliases, each with the number of answers that it would add, from
 * the newest completed scans within the window. Answers that cannot be measured are left out.
 */
export const offerSpellings = Effect.fn("offerSpellings")(
  function*(organizationId: OrganizationId, window: HistoryWindow, set: TrackedSet, entity: EntityTerms) {
    const offered = offeredSpellings(entity).map(({ text }) => text)
    if (offered.length === 0) return []
    const others = [set.brand, ...set.competitors].filter((one) => one.name !== entity.name)
    // Each spelling is searched as a separate entity, so that one measurement finds all spellings in an answer
    const entities = {
      brand: toEntityTerms(entity),
      competitors: [
        ...others.map(toEntityTerms),
        ...offered.map((name) => toEntityTerms({ name, aliases: [], domains: [], context: entity.context ?? [] }))
      ],
      excludes: set.brand.excludes
    }
    const analysis = yield* AnswerAnalysis
    const scans = yield* (yield* ScanStore).list(organizationId, {
      limit: readScans,
      status: "completed",
      since: window.since
    })
    const gained = offered.map(() => 0)
    const readAnswer = Effect.fnUntraced(function*({ promptUsed, rawResponse }: NewestMeasured) {
      const read = yield* Effect.option(
        analysis.measure(entities, { text: rawResponse, prompt: promptUsed }, rescoreDeadline)
      )
      if (read._tag === "None" || read.value.mentioned) return
      for (const index of new Set(read.value.mentions.map((one) => Number(one.entity) - others.length))) {
        if (index >= 0) gained[index]!++
      }
    })
    for (const { id } of scans) {
      yield* Stream.runForEach(Stream.flattenIterable(readNewest(organizationId, id)), readAnswer)
    }
    return offered.map((text, index): OfferedSpelling => ({ text, answers: gained[index]! }))
  }
)
