/** Counts a judge's stored decisions, as `summarizeClaims` counts what rules found. */
import type { AnswerId } from "../../ids.ts"
import { type CardDecision, isDiscarded, type JudgedFact } from "./judgedFacts.ts"
import type { AnswerClaim, CardJudgeSummary, FactStanding } from "./summarizeClaims.ts"

/** The answer in which a claim was found. */
type ClaimingAnswer = Pick<AnswerClaim, "answerId" | "scanId" | "keywordId" | "platform" | "createdAt" | "cited">

/** A judge's decisions on facts and answers. */
export interface JudgedCard {
  /** Empty if no judge has decided anything. */
  readonly standings: ReadonlyArray<FactStanding>
  readonly claims: ReadonlyArray<AnswerClaim>
  readonly judge: CardJudgeSummary | null
}

/**
 * The claim that results from a decision; none if the answer does not state the fact, or if the decision was discarded.
 */
const claimOf = (
  { answerId, fact, judgedBy, quote, start, verdict }: CardDecision,
  answers: ReadonlyMap<AnswerId, ClaimingAnswer>
): ReadonlyArray<AnswerClaim> => {
  const answer = answers.get(answerId)
  if (answer === undefined || quote === null || start === null) return []
  return verdict === "agrees" || verdict === "contradicts"
    ? [{ ...answer, fact, verdict, stated: quote, quote, start, end: start + quote.length, decidedBy: judgedBy }]
    : []
}

/**
 * Summarizes decisions on `facts` in these answers, which name the brand; `factsLeftOut` is the number of facts beyond
 * `maxJudgedFacts`. A judge's contradictions never give a fact the verdict "contradicted", because the judge's error
 * rate has not been measured.
 */
export const summarizeDecisions = (
  facts: ReadonlyArray<JudgedFact>,
  decisions: ReadonlyArray<CardDecision>,
  answers: ReadonlyMap<AnswerId, ClaimingAnswer>,
  factsLeftOut: number
): JudgedCard => {
  if (facts.length === 0) return { standings: [], claims: [], judge: null }
  const claims = decisions.flatMap((one) => claimOf(one, answers))
  const byFact = Map.groupBy(decisions, ({ factHash }) => factHash)
  const byAnswer = Map.groupBy(decisions, ({ answerId }) => answerId)
  const standings = facts.map(({ hash, name, says }): FactStanding => {
    const own = claims.filter(({ fact }) => fact === name)
    const agrees = own.filter(({ verdict }) => verdict === "agrees").length
    const decided = byFact.get(hash) ?? []
    return {
      fact: name,
      kind: "text",
      says: [says],
      counts: { agrees, contradicts: own.length - agrees, out_of_date: 0 },
      notStated: decided.filter((one) => !isDiscarded(one)).length - own.length,
      notJudged: answers.size - decided.length,
      isContradicted: false
    }
  })
  return {
    standings: decisions.length === 0 ? [] : standings,
    claims,
    judge: {
      by: [...new Set(decisions.map(({ judgedBy }) => judgedBy))].toSorted(),
      facts: facts.length,
      factsLeftOut,
      answersJudged: byAnswer.size,
      factsNotJudged: standings.filter(({ notJudged }) => notJudged > 0).length,
      answersNotJudged: [...answers.keys()].filter((id) => (byAnswer.get(id)?.length ?? 0) < facts.length).length,
      discarded: decisions.filter(isDiscarded).length
    }
  }
}
