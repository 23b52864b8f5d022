import { Effect, Result } from "effect"
import { cardQuestion } from "../../domain/card/claims/cardQuestion.ts"
import {
  type CardDecision,
  decideFacts,
  type FactReply,
  type JudgedFact,
  maxJudgedLength,
  unreadableMarks
} from "../../domain/card/claims/judgedFacts.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformError } from "../../ports/AnswerPlatform.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import type { NewestMeasured } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"
import { makePaidCalls } from "../platforms/makePaidCalls.ts"
import { readAnswersOf, readCardBasis } from "./checkCard.ts"

/** Failures that show something about this answer alone: its decisions are stored as unusable and not asked again. */
const isOfAnswer: ReadonlySet<PlatformError["reason"]> = new Set(["refused", "too_large"])
/** Failures after which no other call succeeds. */
const isLasting: ReadonlySet<PlatformError["reason"]> = new Set(["auth", "no_credit", "ended"])
/** After this many failed calls in a row nothing more is asked; fewer may be the fault of single answers. */
const maxFailures = 3

type CallFailure = Pick<PlatformError, "reason" | "message">

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
  /** Number of answers that were not asked about, because the judge's replies could not be read twice. */
  readonly skipped: number
}

/**
 * Lets the configured judge decide what answers that name the brand say about the facts in free text, newest scan
 * first. Stores each decision, also that an answer states nothing, and asks nothing that is decided already. A call
 * that fails, or whose reply cannot be read, decides nothing; after two unreadable replies an answer is skipped. It
 * stops if calls keep failing, if another run judges the same answers, if the organization is suspended, or if its
 * budget or that of the platform is spent; a later run continues. The usage is charged to the scan of the answer, in
 * one transaction with the decisions; an interruption waits for the call under way. `onAnswer` runs after each call.
 * Fails with Rejected if no judge is configured, with NotFound, with OrganizationSuspended, or with NoCompletedScan.
 */
export const judgeCard = Effect.fn("judgeCard")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { maxCalls, scans }: JudgeScope,
  onAnswer: () => void = () => undefined
) {
  const { call, findBar, isSimulated, judge } = yield* makePaidCalls(organizationId)
  const { brand, decisions, facts, ruled } = yield* readCardBasis(organizationId, window, scans)
  const run = (calls: number, failure: string | null, skipped = 0): CardJudgeRun => ({
    judgedBy: judge.by,
    calls,
    failure,
    skipped
  })
  // Simulated answers are not worth a call, and decisions of a simulated platform must not be stored
  if (ruled.scans[0].simulated) return run(0, "simulated answers are not judged")
  if (isSimulated) return run(0, `${judge.platform} is simulated, and cannot judge`)
  const listOpen = (decided: ReadonlyArray<CardDecision> = []) => {
    const hashes = new Set(decided.map(({ factHash }) => factHash))
    return facts.filter(({ hash }) => !hashes.has(hash))
  }
  const decided = Map.groupBy(decisions, ({ answerId }) => answerId)
  const isOpen = (answerId: AnswerId) => listOpen(decided.get(answerId)).length > 0
  const cards = yield* BusinessCardStore
  const marks = unreadableMarks(facts, judge.by)
  const undecided = [...ruled.naming.keys()].filter(isOpen)
  const marked = Map.groupBy(
    yield* cards.decisions(organizationId, undecided, marks.map(({ hash }) => hash)),
    ({ answerId }) => answerId
  )
  const isSkipped = (answerId: AnswerId) => marked.get(answerId)?.length === marks.length
  const skipped = [...marked.keys()].filter(isSkipped).length
  const answers: Array<NewestMeasured> = []
  yield* readAnswersOf(organizationId, facts.length === 0 ? [] : ruled.scans.map(({ id }) => id), {
    isWanted: ({ answerId, rawResponse }) =>
      ruled.naming.has(answerId) && rawResponse.length <= maxJudgedLength && isOpen(answerId) &&
      !isSkipped(answerId),
    limit: maxCalls
  }, (answer) => answers.push(answer))
  const readDecisions = ({ answerId }: NewestMeasured) =>
    cards.decisions(organizationId, [answerId], facts.map(({ hash }) => hash))

  /** Whether another run decided about an answer while this one asked about it. */
  const other = { isJudging: false }
  const storeDecisions = Effect.fnUntraced(
    function*(answer: NewestMeasured, open: ReadonlyArray<JudgedFact>, replies: ReadonlyArray<FactReply> | null) {
      const made = { judgedBy: judge.by, judgedAt: yield* now }
      yield* cards.addDecisions(organizationId, decideFacts(brand, open, answer, replies, made))
      const kept = yield* readDecisions(answer)
      other.isJudging = kept.some((one) =>
        one.judgedAt.getTime() !== made.judgedAt.getTime() && open.some(({ hash }) => hash === one.factHash)
      )
    }
  )

  /** Marks that the reply about an answer could not be read. */
  const storeMark = Effect.fnUntraced(function*(answer: NewestMeasured) {
    const stored = marked.get(answer.answerId)?.length ?? 0
    const made = { judgedBy: judge.by, judgedAt: yield* now }
    const mark = decideFacts(brand, marks.slice(stored, stored + 1), answer, null, made)
    yield* cards.addDecisions(organizationId, mark)
  })

  /** Judges one answer. Returns the reason and the message of a failure, or null. */
  const judgeAnswer = Effect.fnUntraced(function*(answer: NewestMeasured, open: ReadonlyArray<JudgedFact>) {
    const outcome = yield* call(
      ruled.naming.get(answer.answerId)!.scanId,
      judge.ask(cardQuestion({ brand, facts: open, answer: answer.rawResponse })),
      Result.match({
        onFailure: ({ reason }) => isOfAnswer.has(reason) ? storeDecisions(answer, open, null) : Effect.void,
        onSuccess: ({ verdict }) => verdict === null ? storeMark(answer) : storeDecisions(answer, open, verdict)
      })
    )
    if (Result.isFailure(outcome)) return outcome.failure
    return outcome.success.verdict === null
      ? { reason: "malformed" as const, message: `${judge.platform}: the reply could not be read as verdicts` }
      : null
  })

  let calls = 0
  let last: CallFailure | null = null
  let failuresInARow = 0
  for (const answer of answers) {
    const bar = yield* findBar
    if (bar !== null) return run(calls, bar, skipped)
    // Another run may have decided since
    const open = listOpen(yield* readDecisions(answer))
    if (open.length === 0) continue
    const error: CallFailure | null = yield* judgeAnswer(answer, open)
    calls++
    onAnswer()
    if (other.isJudging) return run(calls, "another run judges the same answers", skipped)
    last = error ?? last
    failuresInARow = error === null || isOfAnswer.has(error.reason) ? 0 : failuresInARow + 1
    if (failuresInARow === maxFailures || (error !== null && isLasting.has(error.reason))) break
  }
  return run(calls, last?.message ?? null, skipped)
})
