import { Clock, Effect, Result } from "effect"
import type { Usage } from "../../domain/archive/Answer.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { AnswerPlatforms, type PlatformError } from "../../ports/AnswerPlatform.ts"
import { ConfiguredJudge } from "../../ports/Judge.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { Rejected } from "../errors.ts"
import { findSpentBudget, findSuspension } from "../organizations/findScanBar.ts"
import { findOrganization } from "../organizations/reads.ts"
import { makeBudget } from "./budget.ts"
import { makeCallLimiter } from "./callLimiter.ts"
import { newCharge } from "./newCharge.ts"

/**
 * Prepares calls of a judge on demand, one after another. Fails with Rejected if no judge is configured, with NotFound,
 * or with OrganizationSuspended.
 */
export const makePaidCalls = Effect.fnUntraced(
  function*(organizationId: OrganizationId) {
    const judge = yield* ConfiguredJudge
    const platform = judge === null ? undefined : (yield* AnswerPlatforms).all.get(judge.platform)
    if (judge === null || platform === undefined) {
      return yield* new Rejected({
        field: "judge",
        message: "no judge is configured: name one of the platforms in sentiment.judge of sov.config.json"
      })
    }
    const suspension = findSuspension(yield* findOrganization(organizationId))
    if (suspension !== null) return yield* suspension
    const usages = yield* UsageStore
    const transaction = yield* Transaction
    const budget = makeBudget(platform)
    const limiter = makeCallLimiter(platform)
    return {
      judge,
      isSimulated: platform.simulated,

      /**
       * Waits until the platform's limit per minute allows a call. Returns why none may begin, because the organization
       * is suspended by now, or its budget or that of the platform is spent; null if one may.
       */
      findBar: Effect.gen(function*() {
        const startMs = limiter.findNextStart(yield* Clock.currentTimeMillis)
        if (startMs !== null) yield* Effect.sleep(Math.max(0, startMs - (yield* Clock.currentTimeMillis)))
        const organization = yield* findOrganization(organizationId)
        const suspended = findSuspension(organization)
        const reached = suspended ?? (yield* budget.reached(yield* Clock.currentTimeMillis))
        const spent = reached ?? (platform.simulated ? null : yield* findSpentBudget(organization))
        return spent === null ? null : spent.message
      }),

      /**
       * Makes a call and charges its usage to the scan; null charges nothing. `store` runs in the transaction of the
       * charge; if it fails, the charge is stored alone. Uninterruptible, because the call is paid for: it ends by the
       * platform's own time limit. Returns the reply or the error.
       */
      call: Effect.fnUntraced(
        function*<A extends { readonly usage: Usage | null }>(
          scanId: ScanId | null,
          asking: Effect.Effect<A, PlatformError>,
          store: (outcome: Result.Result<A, PlatformError>) => Effect.Effect<void, StoreError> = () => Effect.void
        ) {
          const sent = limiter.begin()
          sent.markSent(yield* Clock.currentTimeMillis)
          const outcome = yield* Effect.result(asking)
          // The callers stop after failures themselves, so no breaker is needed
          sent.markEnded(null, yield* Clock.currentTimeMillis)
          const { usage } = Result.merge(outcome)
          let charging: Effect.Effect<void, StoreError> = Effect.void
          if (usage != null && scanId !== null) {
            budget.record(usage.costUsd)
            const charge = yield* newCharge({ scanId, platform: platform.id, kind: "judgement", usage })
            charging = usages.charge(organizationId, charge)
          }
          yield* transaction.run(Effect.andThen(charging, store(outcome))).pipe(Effect.tapError(() => charging))
          return outcome
        },
        Effect.uninterruptible
      )
    }
  }
)
