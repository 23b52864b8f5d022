import { Clock, type Deferred, Effect, Exit, Option, Result } from "effect"
import type { CellId, ScanId } from "../../domain/ids.ts"
import type { Market } from "../../domain/platforms/surface.ts"
import { concerns } from "../../domain/workers/NewWork.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { type CellFailure, CellStore, type ClaimedCell, type NamedScan, type ScanQueue } from "../../ports/CellStore.ts"
import type { Judge } from "../../ports/Judge.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { makeMeasurers } from "../measuring/measurers.ts"
import { archiveDeadline } from "../measuring/measureStored.ts"
import { askCell } from "../scanning/askCell.ts"
import { completeWhenDone } from "../scanning/completeWhenDone.ts"
import type { Kind, Queue } from "../workers/runKind.ts"
import type { makeBudget } from "./budget.ts"
import type { Call, CallLimiter } from "./callLimiter.ts"
import type { makeHealthRecord } from "./healthRecord.ts"
import { makeOrganizationBars } from "./organizationBars.ts"
import { makeRefusals } from "./refusals.ts"
import { reportUnusable } from "./reportUnusable.ts"

/**
 * One platform with its limits, budget, breaker and health, which are shared by all code in this process that calls it.
 */
export interface SharedPlatform {
  readonly platform: AnswerPlatform
  /** The judge of sentiment; null if the rules decide alone. */
  readonly judge: Judge | null
  readonly calls: CallLimiter
  readonly health: ReturnType<typeof makeHealthRecord>
  readonly budget: ReturnType<typeof makeBudget>
  readonly abort: Deferred.Deferred<void>
}

interface CellQueue extends ScanQueue, Queue {
  readonly dueAt: Date
  readonly id: ScanId
}
interface CellPiece extends ClaimedCell {
  readonly id: CellId
}

/**
 * The open cells of all running scans on one platform. A platform that fails repeatedly is not called for a while and
 * its cells wait; cells of a scan that has waited for the entire retry time fail. Cells fail at once if the month's
 * budget of the platform or of the organization is spent, if the organization is suspended, if the account has no
 * credit, if the API or the model has ended, or if key or request are refused again and again.
 */
export const makeCellKind = Effect.fnUntraced(function*(
  { abort, budget, calls, health, judge, platform }: SharedPlatform
) {
  const cells = yield* CellStore
  const measurerOf = makeMeasurers(archiveDeadline)
  const refusals = makeRefusals()
  const bars = makeOrganizationBars(platform)
  const reported = new Set<ScanId>()

  /**
   * Reports once per scan that the account has no credit, or that the API or model has ended. A failed report does not
   * fail any cell.
   */
  const reportIfUnusable = Effect.fnUntraced(
    function*({ organizationId, scanId }: CellQueue) {
      const failure = refusals.giveUpReason(scanId)
      if (failure === null || reported.has(scanId)) return
      const { message, reason } = failure
      if (reason !== "ended" && reason !== "no_credit") return
      reported.add(scanId)
      yield* reportUnusable(organizationId, platform, { reason, message })
    },
    Effect.catchCause((cause) => Effect.logWarning("an unusable platform could not be reported by e-mail", cause))
  )

  /**
   * Why a refused scan is no longer asked, once no call is in flight that may still be answered; null if it is still
   * asked.
   */
  const refusedReason = Effect.fnUntraced(function*({ organizationId, scanId }: CellQueue) {
    const failure = refusals.giveUpReason(scanId)
    const unproven = failure?.reason === "rejected" || (failure?.reason === "ended" && failure.status === 404)
    const counts = unproven ? yield* cells.counts(organizationId, scanId) : []
    if (!counts.some((one) => one.platform === platform.id && one.answered > 0)) return failure
    refusals.recordAnswer(scanId)
    return null
  })

  const kind: Kind<
    CellQueue,
    NamedScan,
    CellPiece,
    Call,
    StoreError,
    | Effect.Services<ReturnType<typeof askCell> | ReturnType<typeof completeWhenDone> | typeof health.save>
    | Effect.Services<ReturnType<typeof reportIfUnusable> | ReturnType<ReturnType<typeof makeMeasurers>>>
    | Effect.Services<ReturnType<typeof budget.reached> | ReturnType<typeof bars.find>>
  > = {
    name: `asking ${platform.id}`,
    told: (work) => work.of === "scan" ? work : concerns(work, "scan") ? "all" : null,
    nameOf: (queue) => queue,
    keyOf: ({ scanId }) => scanId,
    look: Effect.fnUntraced(function*(which, working) {
      health.recordPoll(yield* Clock.currentTimeMillis)
      const found = yield* cells.queues(platform.id, platform.simulated, [...working.keys()], which)
      return found.map((queue) => ({ ...queue, id: queue.scanId }))
    }),
    giveUp: Effect.fnUntraced(function*(queues, nowMs, working) {
      const inWork = new Set([...working.values()].map(({ id }) => id))
      const unpaid = queues.length > 0 && calls.countFree(nowMs) > 0
        ? (yield* health.noCreditReason(nowMs)) ?? (yield* budget.reached(nowMs))
        : null
      const left: Array<CellQueue> = []
      for (const queue of queues) {
        const failure: CellFailure | null = (yield* bars.find(queue.organizationId, nowMs)) ?? unpaid ??
          health.giveUpReason(queue.startedAt, nowMs) ??
          (inWork.has(queue.id) ? null : yield* refusedReason(queue))
        if (failure === null) left.push(queue)
        else yield* cells.failOpen(queue, platform.id, [...working.keys()], failure)
      }
      return left
    }),
    slots: {
      countFree: ({ scanId }, nowMs) => refusals.giveUpReason(scanId) === null ? calls.countFree(nowMs) : 0,
      take: calls.begin,
      findNextStart: (nowMs) => calls.findNextStart(nowMs) ?? Infinity
    },
    claimAtOnce: 1,
    claim: Effect.fnUntraced(function*([turn], now, working) {
      const { queue, slots } = turn!
      yield* health.saveBeforeCalls
      const claimed = yield* cells.claim(queue, platform.id, {
        now,
        limit: slots.length,
        inFlight: [...working.keys()]
      })
      return claimed.map((one) => [queue.id, { ...one, id: one.cell.id }] as const)
    }),
    run: Effect.fnUntraced(function*(queue, claimed, call) {
      const { organizationId, scanId } = queue
      const exit = yield* Effect.exit(Effect.gen(function*() {
        const measurer = yield* measurerOf(queue)
        const judged = judge !== null && !platform.simulated
        const sent = Effect.map(Clock.currentTimeMillis, call.markSent)
        const sending = {
          ...platform,
          ask: (prompt: string, market?: Market) => Effect.andThen(sent, platform.ask(prompt, market))
        }
        return yield* askCell({ organizationId, platform: sending, abort, judged, measurer }, claimed)
      }))
      const outcome = Exit.isSuccess(exit) ? exit.value.outcome : null
      const nowMs = yield* Clock.currentTimeMillis
      if (outcome === null) yield* health.recordCallEnd(call, undefined, nowMs)
      else {
        const failure = Option.getOrNull(Result.getFailure(outcome))
        // Recorded before another call begins, because its scan may just have been refused
        refusals.record(scanId, claimed.cell.keywordId, failure)
        const { usage } = Result.merge(outcome)
        if (usage !== undefined) budget.record(usage.costUsd)
        const answer = Option.getOrNull(Result.getSuccess(outcome))
        const end = answer?.endsOn ?? (platform.findEnd === undefined ? null : undefined)
        yield* health.recordCallEnd(call, failure, nowMs, end)
      }
      return (yield* exit).due
    }),
    after: Effect.fnUntraced(function*(queue, drained) {
      yield* reportIfUnusable(queue)
      if (drained) yield* completeWhenDone(queue.organizationId, queue.scanId)
    }),
    retain: (known) => {
      refusals.retain(known)
      for (const scanId of reported) if (!known.has(scanId)) reported.delete(scanId)
    }
  }
  return kind
})
