import { Clock, Deferred, Effect, Latch } from "effect"
import type { AnswerId } from "../domain/ids.ts"
import { measureVersion } from "../domain/measuring/measureAnswer.ts"
import { MeasurementStore, type Unmeasured } from "../ports/MeasurementStore.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import type { Judge } from "../ports/SentimentJudge.ts"
import { completeWhenDone } from "./completeWhenDone.ts"
import { makeMeasurers, type TrackedBy } from "./measurers.ts"
import { lookEveryMs, type WorkPlace } from "./workPlatform.ts"

/** An answer that waits, and by what it is measured. */
interface Waiting {
  readonly tracked: TrackedBy
  readonly scanId: Parameters<typeof completeWhenDone>[1]
  readonly answer: Unmeasured
}

/**
 * Has the answers of running scans judged on the judge's platform, within its limits, for ever: an archived answer
 * without measurement is the work. Each is stored with the judge's word for its stance, or with the rules' where the
 * judge gave none. Interruption ends judging; judgements in flight are awaited.
 */
export const judgeAnswers = (judge: Judge, { calls, cut, heard, platform }: WorkPlace) =>
  Effect.scoped(Effect.gen(function*() {
    const [measurements, scans] = yield* Effect.all([MeasurementStore, ScanStore])
    const scope = yield* Effect.scope
    const measurerOf = makeMeasurers()
    const inFlight = new Set<AnswerId>()
    const awake = Latch.makeUnsafe(true)
    let waiting: ReadonlyArray<Waiting> = []
    let lookAt = 0
    yield* heard(() => {
      lookAt = 0
      awake.openUnsafe()
    }, () => awake.openUnsafe())

    const judgeOne = Effect.fnUntraced(function*({ answer, scanId, tracked }: Waiting) {
      const { measure, set } = yield* measurerOf(tracked)
      const measurement = yield* measure(answer)
      // An answer that names nobody has no stance (M16), whyever it is still unmeasured
      const sentiment = measurement.brandMentioned
        ? yield* Effect.catchDefect(
          judge.judge({ brand: set.brand.name, answer: answer.rawResponse }),
          () => Effect.succeed(null)
        )
        : null
      const judged = sentiment === null ? measurement : { ...measurement, sentiment, sentimentBy: judge.by }
      yield* measurements.insert(tracked.organizationId, [judged])
      yield* completeWhenDone(tracked.organizationId, scanId)
    })

    const begin = (one: Waiting, nowMs: number) => {
      const call = calls.begin()
      call.sent(nowMs)
      inFlight.add(one.answer.answerId)
      return Effect.raceFirst(
        Effect.interruptible(judgeOne(one)),
        Effect.interruptible(Deferred.await(cut))
      ).pipe(
        Effect.catchCause((cause) => Effect.logDebug("a judgement is left for later", cause)),
        Effect.ensuring(Effect.sync(() => {
          inFlight.delete(one.answer.answerId)
          call.ended(null, nowMs)
        })),
        Effect.forkIn(scope, { uninterruptible: true })
      )
    }

    const look = Effect.fnUntraced(function*(nowMs: number) {
      const limit = inFlight.size + 2 * platform.concurrency
      const found: Array<Waiting> = []
      for (const { organizationId, scan } of yield* scans.running) {
        if (scan.simulated) continue
        const tracked = { organizationId, trackedSetVersion: scan.trackedSetVersion }
        const versions = { measureVersion, trackedSetVersion: scan.trackedSetVersion }
        const answers = yield* measurements.unmeasured(organizationId, scan.id, versions, limit)
        for (const answer of answers) {
          if (!inFlight.has(answer.answerId)) found.push({ tracked, scanId: scan.id, answer })
        }
      }
      waiting = found
      lookAt = nowMs + lookEveryMs
    })

    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs >= lookAt) yield* look(nowMs)
      for (const one of waiting) {
        if (calls.free(nowMs) <= 0) break
        waiting = waiting.slice(1)
        if (waiting.length === 0) lookAt = 0
        yield* begin(one, nowMs)
      }
      const wakeAt = Math.min(lookAt, calls.next(nowMs) ?? Infinity)
      yield* Effect.raceFirst(awake.await, Effect.sleep(Math.max(0, wakeAt - nowMs)))
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.logDebug("judging pauses", cause).pipe(Effect.andThen(Effect.sleep("1 second")))
      )
    )
    return yield* Effect.forever(step)
  }))
