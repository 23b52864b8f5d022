import { Deferred, Effect, Random, Schedule } from "effect"
import { type Answer, archivableText } from "../domain/Answer.ts"
import type { ArchivedAnswer } from "../domain/ArchiveRow.ts"
import { type Cell, maxAttempts, retryDelayMs } from "../domain/Cell.ts"
import { AnswerId, type OrganizationId } from "../domain/ids.ts"
import { leafHash } from "../domain/Seal.ts"
import type { AnswerPlatform, PlatformError } from "../ports/AnswerPlatform.ts"
import { ArchiveStore } from "../ports/ArchiveStore.ts"
import { CellStore } from "../ports/CellStore.ts"
import { MeasurementStore } from "../ports/MeasurementStore.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import type { Measurable, Measure } from "./measureStored.ts"
import { newId } from "./newId.ts"
import { now } from "./now.ts"
import { sealAnswers } from "./sealAnswers.ts"

/** What asking needs beside the stores. */
export interface Asking {
  readonly organizationId: OrganizationId
  readonly platform: AnswerPlatform
  readonly measure: Measure
  /** The answer is measured by who judges it, after it has been archived: judging may take as long as asking. */
  readonly judged: boolean
  /** Done when calls in flight must be cut: the process has to end. */
  readonly cut: Deferred.Deferred<void>
}

/**
 * Tried again until it works, or until the process has to end: the answer has been paid for, so a database that is away
 * for a while must not lose it.
 */
const archiveRetry = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

const archive = Effect.fnUntraced(function*(
  { cut, judged, measure, organizationId, platform }: Asking,
  cell: Cell,
  answer: Answer
) {
  const [answers, cells, measurements, scans] = yield* Effect.all([
    ArchiveStore,
    CellStore,
    MeasurementStore,
    ScanStore
  ])
  const { run } = yield* Transaction
  const createdAt = yield* now
  const id = yield* newId(AnswerId)
  const shown = {
    id,
    scanId: cell.scanId,
    platform: cell.platform,
    keywordId: cell.keywordId,
    promptUsed: cell.prompt,
    rawResponse: archivableText(answer.text),
    createdAt
  }
  const row: ArchivedAnswer = {
    ...shown,
    cellId: cell.id,
    sample: cell.sample,
    payload: answer.payload,
    leafHash: leafHash(shown),
    adapter: platform.adapter,
    model: answer.model,
    latencyMs: Math.round(answer.latencyMs),
    finish: answer.finish,
    usage: answer.usage,
    citations: answer.citations,
    simulated: answer.simulated
  }
  // A savepoint of its own: trouble with measuring must not cost the answer. Completion measures what is missing.
  const measurable: Measurable = { answerId: id, promptUsed: cell.prompt, rawResponse: row.rawResponse }
  const measured = measure(measurable).pipe(
    Effect.flatMap((measurement) => run(measurements.insert(organizationId, [measurement]))),
    Effect.catchCause((cause) => Effect.logDebug("an answer is archived unmeasured for now", cause))
  )
  yield* run(Effect.gen(function*() {
    if (!(yield* answers.append(organizationId, row))) return
    if (!judged) yield* measured
    if (yield* cells.answered(organizationId, cell.id)) return
    // The cell ended while this call was in flight, usually because its scan was cancelled. If the scan has been sealed,
    // the answer is kept under a seal of its own; the lock waits for who may be sealing it now.
    const scan = yield* scans.lock(organizationId, cell.scanId)
    if (scan?.status === "running") return
    yield* sealAnswers(organizationId, cell.scanId, [{ id, hash: row.leafHash }], createdAt)
  })).pipe(
    Effect.tapError((error) => Effect.logWarning(`an answer waits to be archived: ${error.message}`)),
    Effect.retry({
      schedule: archiveRetry,
      while: (error) => error.reason !== "constraint" && !Deferred.isDoneUnsafe(cut)
    }),
    Effect.tapError((error) =>
      Effect.logError(`an answer of ${platform.id} could not be archived and is lost: ${error.message}`)
    )
  )
  return measurable
})

const settleFailure = Effect.fnUntraced(function*(
  { organizationId }: Asking,
  cell: Cell,
  error: PlatformError
) {
  const cells = yield* CellStore
  const { excerpt, message, reason, status } = error
  const at = yield* now
  const delay = error.retryable
    ? retryDelayMs({
      attempts: cell.attempts,
      sinceFirstMs: at.getTime() - (cell.firstAttemptAt ?? at).getTime(),
      retryAfterMs: error.retryAfterMs,
      jitter: yield* Random.next
    })
    : null
  const failure = { reason, message, excerpt, status }
  if (delay === null) yield* cells.failed(organizationId, cell.id, failure)
  else yield* cells.postpone(organizationId, cell.id, new Date(at.getTime() + delay), failure)
})

/**
 * Asks one cell once: counts the call, asks, archives the answer with its measurement or keeps why there is none.
 * Uninterruptible from the call on, so that neither a stop nor a hand-over pays twice; `cut` ends the call early and
 * leaves the cell open. Returns what was archived, for the judge.
 */
export const askCell = (asking: Asking, open: Cell) =>
  Effect.gen(function*() {
    const cells = yield* CellStore
    if (open.attempts >= maxAttempts) {
      // Its last call was cut before its outcome could be kept: a crash loop must not pay without end.
      const message = `${maxAttempts} calls were begun, the last one was cut`
      yield* cells.failed(asking.organizationId, open.id, {
        reason: "unavailable",
        message,
        excerpt: null,
        status: null
      })
      return null
    }
    const cell = yield* cells.beginAttempt(asking.organizationId, open, yield* now)
    if (cell === null) return null
    const outcome = yield* Effect.raceFirst(
      Effect.result(Effect.interruptible(asking.platform.ask(cell.prompt))),
      Effect.as(Effect.interruptible(Deferred.await(asking.cut)), "cut" as const)
    )
    if (outcome !== "cut" && outcome._tag === "Success") return yield* archive(asking, cell, outcome.success)
    if (outcome === "cut") yield* cells.postpone(asking.organizationId, cell.id, yield* now, null)
    else yield* settleFailure(asking, cell, outcome.failure)
    return null
  }).pipe(Effect.uninterruptible)
