import { Effect, Option, Result } from "effect"
import { decideFacts, maxJudgedLength } from "../../domain/card/claims/judgedFacts.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformError } from "../../ports/AnswerPlatform.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { CardJudge } from "../../ports/CardJudge.ts"
import type { NewestMeasured } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"
import { makePaidCalls } from "../platforms/makePaidCalls.ts"
import { readAnswersOf, readCardBasis } from "./checkCard.ts"

/** Failures that show something about this answer alone: its decisions are stored as unusable and not asked again. */
const isOfAnswer: ReadonlySet<PlatformError["reason"]> = new Set(["refused", "empty", "too_large"])
/** Failures after which no other call succeeds. */
const isLasting: ReadonlySet<PlatformError["reason"]> = new Set(["auth", "no_credit", "ended"])
/** After this many failed calls in a row nothing more is asked; fewer may be the fault of single answers. */
const maxFailures = 3

/** Which answers are judged. */
interface JudgeScope {
  /** Number of newest comparable scans. */
  readonly scans: number
  /** Maximum number of calls: one per answer. */
  readonly maxCalls: number
}

/** What a judge was asked. */
export interface CardJudgeRun {
  /** The platform and model of the judge. */
  readonly judgedBy: string
  readonly calls: number
  /** The last reason why a call failed or could not be made; null if there was no failure. */
  readonly failure: string | null
}

/**
 * Lets the configured judge decide what answers that name the brand say about the facts in free text, newest scan
 * first. Stores each decision, also that an answer states nothing, and asks nothing that is decided already. It stops
 * if calls keep failing, or if the budget of the platform or of the organization is spent; a later run continues. The
 * usage is charged to the scan of the answer. `onAnswer` runs after each call. Fails with Rejected if no judge is
 * configured, with NotFound, with OrganizationSuspended, or with NoCompletedScan.
 */
export const judgeCard = Effect.fn("judgeCard")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { maxCalls, scans }: JudgeScope,
  onAnswer: () => void = () => undefined
) {
  const { call, findBar, isSimulated, judge } = yield* makePaidCalls(organizationId, yield* CardJudge)
  const { brand, decisions, facts, ruled } = yield* readCardBasis(organizationId, window, scans)
  const run = (calls: number, failure: string | null): CardJudgeRun => ({ judgedBy: judge.by, calls, failure })
  // Simulated answers are not worth a call, and decisions of a simulated platform must not be stored
  if (ruled.scans[0].simulated) return run(0, "simulated answers are not judged")
  if (isSimulated) return run(0, `${judge.platform} is simulated, and cannot judge`)
  const decided = Map.groupBy(decisions, ({ answerId }) => answerId)
  const openFacts = ({ answerId }: Pick<NewestMeasured, "answerId">) => {
    const hashes = new Set(decided.get(answerId)?.map(({ factHash }) => factHash))
    return facts.filter(({ hash }) => !hashes.has(hash))
  }
  const answers: Array<NewestMeasured> = []
  yield* readAnswersOf(organizationId, facts.length === 0 ? [] : ruled.scans.map(({ id }) => id), {
    isWanted: (answer) =>
      ruled.naming.has(answer.answerId) && answer.rawResponse.length <= maxJudgedLength && openFacts(answer).length > 0,
    limit: maxCalls
  }, (answer) => answers.push(answer))
  const cards = yield* BusinessCardStore

  /** Judges one answer. A decision that is paid for is stored even if the run is interrupted. */
  const judgeAnswer = (answer: NewestMeasured) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const open = openFacts(answer)
        const asking = restore(judge.judgeFacts({ brand, facts: open, answer: answer.rawResponse }))
        const outcome = yield* call(ruled.naming.get(answer.answerId)!.scanId, asking)
        const error = Option.getOrNull(Result.getFailure(outcome))
        if (error === null || isOfAnswer.has(error.reason)) {
          const replies = Option.match(Result.getSuccess(outcome), { onNone: () => null, onSome: (one) => one.replies })
          const made = { judgedBy: judge.by, judgedAt: yield* now }
          yield* cards.addDecisions(organizationId, decideFacts(open, answer, replies, made))
        }
        return error
      })
    )

  let calls = 0
  let last: PlatformError | null = null
  let failuresInARow = 0
  for (const answer of answers) {
    const bar = yield* findBar
    if (bar !== null) return run(calls, bar)
    const error: PlatformError | null = yield* judgeAnswer(answer)
    calls++
    onAnswer()
    last = error ?? last
    failuresInARow = error === null || isOfAnswer.has(error.reason) ? 0 : failuresInARow + 1
    if (failuresInARow === maxFailures || (error !== null && isLasting.has(error.reason))) break
  }
  return run(calls, last?.message ?? null)
})
