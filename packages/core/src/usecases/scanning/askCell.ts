import { Deferred, Effect, Random, type Result } from "effect"
import type { Answer, Usage } from "../../domain/archive/Answer.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { maxAttempts, retryDelayMs } from "../../domain/platforms/retryPolicy.ts"
import type { Cell } from "../../domain/scanning/Cell.ts"
import type { AnswerPlatform, PlatformError } from "../../ports/AnswerPlatform.ts"
import { CellStore, type ClaimedCell } from "../../ports/CellStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import type { Measurer } from "../measuring/measureStored.ts"
import { now } from "../now.ts"
import { newCharge } from "../platforms/newCharge.ts"
import { keepTrying } from "../workers/keepTrying.ts"
import { archiveAnswer } from "./archiveAnswer.ts"

/** The context for asking a cell, in addition to the stores. */
export interface AskContext {
  readonly organizationId: OrganizationId
  readonly platform: AnswerPlatform
  readonly measurer: Measurer
  /**
   * Whether there is a judge. An answer that names the brand is then stored unmeasured, and the judge measures it
   * later.
   */
  readonly judged: boolean
  /** Completes when the process must end and calls in flight must be aborted. */
  readonly abort: Deferred.Deferred<void>
}

/**
 * How many times a write that the database rejects is repeated, over half a minute; after that, the write itself must
 * be wrong.
 */
const maxRejections = 30

/**
 * Repeats the write until it succeeds, or until the process must end: the call has been paid for, so a database that is
 * temporarily unavailable or full must not lose its answer. A write that the database rejects again and again fails.
 */
const retryWrite = ({ abort, platform }: AskContext) => <R>(write: Effect.Effect<void, StoreError, R>) => {
  let warned = false
  let rejections = 0
  const isTemporary = ({ reason }: StoreError) =>
    reason !== "constraint" && (reason !== "internal" || ++rejections <= maxRejections)
  return write.pipe(
    Effect.tapError(({ message }) => {
      const line = `an answer of ${platform.id} waits to be archived: ${message}`
      return warned ? Effect.logDebug(line) : Effect.andThen(Effect.sync(() => warned = true), Effect.logWarning(line))
    }),
    keepTrying(abort, isTemporary),
    Effect.tapError((error) =>
      Effect.logError(`an answer of ${platform.id} could not be archived and may be lost: ${error.message}`)
    )
  )
}

/** Runs `write` and stores the charge of a call that returned no answer, in one transaction. */
const withCharge = (
  { organizationId, platform }: AskContext,
  { scanId }: Cell,
  usage: Usage | undefined,
  write: Effect.Effect<void, StoreError>
) =>
  Effect.gen(function*() {
    if (usage === undefined || platform.simulated) return { write }
    const usages = yield* UsageStore
    const { run } = yield* Transaction
    const charge = yield* newCharge({ scanId, platform: platform.id, kind: "unanswered", usage })
    return { write: run(Effect.andThen(usages.charge(organizationId, charge), write)) }
  })

/** Ends the cell or postpones it. Returns when it is due again; null if it has ended. */
const settleFailure = Effect.fnUntraced(function*(asking: AskContext, cell: Cell, error: PlatformError) {
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
  const due = delay === null ? null : new Date(at.getTime() + delay)
  const ending = due === null
    ? cells.fail(asking.organizationId, cell.id, failure)
    : cells.postpone(asking.organizationId, cell.id, due, failure)
  const { write } = yield* withCharge(asking, cell, error.usage, ending)
  yield* retryWrite(asking)(write)
  return due
})

/** Fails a cell whose answer cannot be archived, because another answer would also be paid for and rejected. */
const failRejectedCell = Effect.fnUntraced(
  function*(asking: AskContext, cell: Cell, { usage }: Answer, message: string) {
    const cells = yield* CellStore
    const failure = {
      reason: "malformed",
      message: `the platform's answer cannot be archived: ${message}`,
      excerpt: null,
      status: null
    } as const
    const { write } = yield* withCharge(asking, cell, usage, cells.fail(asking.organizationId, cell.id, failure))
    yield* retryWrite(asking)(write)
  }
)

/**
 * Archives an answer. If the database rejects the answer, or a fault of ours prevents storing it, the cell fails and
 * its charge is stored. After a fault, the answer is first tried again without its citations, which are the most likely
 * cause.
 */
const archiveOrFail = (asking: AskContext, cell: Cell, answer: Answer) => {
  const archive = (one: Answer) => archiveAnswer({ ...asking, persist: retryWrite(asking) }, cell, one)
  const report = (defect: unknown, then: string) =>
    Effect.logError(`an answer of ${asking.platform.id} meets a fault while it is archived, and ${then}`, defect)
  return archive(answer).pipe(
    Effect.catchDefect((defect) =>
      Effect.andThen(report(defect, "is archived without its citations"), archive({ ...answer, citations: [] }))
    ),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        report(defect, "is lost"),
        failRejectedCell(asking, cell, answer, defect instanceof Error ? defect.name : "an unexpected fault")
      )
    ),
    Effect.catchIf(
      ({ reason }) => reason === "constraint" || reason === "internal" && !Deferred.isDoneUnsafe(asking.abort),
      ({ message }) => failRejectedCell(asking, cell, answer, message)
    )
  )
}

/**
 * The result of asking: when the cell is due again (null if it has ended), and how the call ended (null if it was
 * aborted or never made).
 */
export interface AskResult {
  readonly due: Date | null
  readonly outcome: Result.Result<Answer, PlatformError> | null
}

/**
 * Asks a claimed cell once: archives the answer with its measurement, or records why there is no answer.
 * Uninterruptible, so that neither a stop nor a takeover pays twice; `abort` ends the call early and leaves the cell
 * open.
 */
export const askCell = (asking: AskContext, { cell, exhausted }: ClaimedCell) =>
  Effect.gen(function*() {
    const cells = yield* CellStore
    if (exhausted) {
      // The last call of the cell was aborted before its outcome was recorded; repeated crashes must not pay for calls
      // without end
      const message = `${maxAttempts} calls were begun, the last one was aborted`
      const failure = { reason: "unavailable", message, excerpt: null, status: null } as const
      yield* retryWrite(asking)(cells.fail(asking.organizationId, cell.id, failure))
      return { due: null, outcome: null } satisfies AskResult
    }
    const outcome = yield* Effect.raceFirst(
      Effect.result(Effect.interruptible(asking.platform.ask(cell.prompt, cell.view))),
      Effect.as(Effect.interruptible(Deferred.await(asking.abort)), "aborted" as const)
    )
    // Keeps its due time, because this process ends and another one will ask it
    if (outcome === "aborted") return { due: yield* now, outcome: null } satisfies AskResult
    if (outcome._tag === "Failure") {
      return { due: yield* settleFailure(asking, cell, outcome.failure), outcome } satisfies AskResult
    }
    yield* archiveOrFail(asking, cell, outcome.success)
    return { due: null, outcome } satisfies AskResult
  }).pipe(Effect.uninterruptible)
