/** Preview of a rescore. */
import { Effect, Result, Stream } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { addToTally, type ChangeTally, classifyChange, noChanges } from "../../domain/measuring/changes.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Reading } from "../../domain/measuring/Measurement.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Score, ScoredRow } from "../../domain/scoring/Score.ts"
import type { NewestMeasured } from "../../ports/MeasurementStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { scoreRows } from "./measureScan.ts"
import { makeMeasurer, rescoreDeadline } from "./measureStored.ts"
import { readNewest } from "./readNewest.ts"
import { type RescorePlan, streamEndedScans } from "./rescore.ts"

/** One answer whose measurement would change. */
export interface ChangeExample {
  readonly answer: NewestMeasured
  readonly simulated: boolean
  readonly before: Reading
  readonly after: Reading
}

/** The changes that a rescore would make. Simulated and real answers are never added together. */
export interface RescorePreview {
  /** Changes per platform, ordered by kind and then platform. */
  readonly platforms: ReadonlyArray<{
    readonly platform: PlatformId
    readonly simulated: boolean
    readonly tally: ChangeTally
  }>
  /** The newest completed scans; `before` is the score that readers see now. */
  readonly scans: ReadonlyArray<{ readonly scan: Scan; readonly before: Score | null; readonly after: Score }>
  /** Changes of the newest answers; changes of whether the brand is named come first. */
  readonly examples: ReadonlyArray<ChangeExample>
}

const maxShownScans = 5
const maxShownExamples = 5

/**
 * Measures all answers of the plan and stores nothing. `onRead` receives the size of each page. Only one page and the
 * rows of one scan are in memory.
 */
export const previewRescore = Effect.fn("previewRescore")(function*(
  organizationId: OrganizationId,
  plan: Pick<RescorePlan, "only" | "since" | "set">,
  onRead: (answers: number) => void
) {
  const scores = yield* ScoreStore
  const { measureAll } = yield* makeMeasurer(plan.set, rescoreDeadline)
  const platforms = new Map<string, RescorePreview["platforms"][number]>()
  const scans: Array<RescorePreview["scans"][number]> = []
  const flips: Array<ChangeExample> = []
  const others: Array<ChangeExample> = []

  const noteChange = (simulated: boolean, answer: NewestMeasured, after: Reading) => {
    const { newest: before, platform } = answer
    const key = `${simulated ? 1 : 0}${platform}`
    const tally = addToTally(platforms.get(key)?.tally ?? noChanges, before, after)
    platforms.set(key, { platform, simulated, tally })
    const change = classifyChange(before, after)
    if (before === null || change === "none") return
    const examples = change === "otherwise" ? others : flips
    if (examples.length < maxShownExamples) examples.push({ answer, simulated, before, after })
  }

  const readScan = Effect.fnUntraced(function*(scan: Scan) {
    const shown = scan.status === "completed" && scans.length < maxShownScans
    const rows: Array<ScoredRow> = []
    const readPage = Effect.fnUntraced(function*(page: ReadonlyArray<NewestMeasured>) {
      const results = yield* measureAll(page)
      for (const [n, answer] of page.entries()) {
        const result = results[n]!
        if (Result.isFailure(result)) {
          yield* Effect.logWarning(`answer ${answer.answerId} cannot be measured: ${result.failure.message}`)
          continue
        }
        const measured = result.success
        const { measureVersion: version, trackedSetVersion } = answer.newest ?? {}
        const current = version === measureVersion && trackedSetVersion === plan.set.version
        // An existing measurement of these versions stays, even if a judge decided it
        noteChange(scan.simulated, answer, current ? answer.newest! : measured)
        const { brandMentioned, competitorsMentioned } = measured
        if (shown) {
          rows.push({ platform: answer.platform, keywordId: answer.keywordId, brandMentioned, competitorsMentioned })
        }
      }
      onRead(page.length)
    })
    yield* Stream.runForEach(readNewest(organizationId, scan.id), readPage)
    if (!shown || rows.length === 0) return
    const before = yield* scores.ofScan(organizationId, scan.id)
    scans.push({ scan, before, after: yield* scoreRows(organizationId, scan, plan.set, rows) })
  })
  yield* Stream.runForEach(streamEndedScans(organizationId, plan), readScan)

  const preview: RescorePreview = {
    platforms: [...platforms].toSorted(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one),
    scans,
    examples: [...flips, ...others].slice(0, maxShownExamples)
  }
  return preview
})
