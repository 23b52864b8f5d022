/**
 * Counts what many answers state about each fact, and tests whether misreading alone can explain the contradictions.
 */
import type { AnswerId, KeywordId, ScanId } from "../../ids.ts"
import type { PlatformId } from "../../platforms/Platform.ts"
import type { Scan } from "../../scanning/Scan.ts"
import { binomialAtLeast } from "../../sources/significance.ts"
import { pluralized } from "../../wording.ts"
import type { CheckedFact } from "./checkedFacts.ts"
import type { Claim, ClaimVerdict } from "./readClaims.ts"

/** The largest share of misread statements among contradictions that the labelled sentences allow. */
export const misreadRate = 0.05
/** Significance level: the highest probability that misreading alone gives as many contradictions. */
const level = 0.05

/** A fact with the numbers of answers by verdict, and of answers that do not state it. */
export interface FactStanding {
  readonly fact: string
  /** `text`: free text, on which only a judge decides. */
  readonly kind: CheckedFact["kind"] | "text"
  /** The card's values, in the form in which they are compared. */
  readonly says: ReadonlyArray<string>
  readonly counts: { readonly [V in ClaimVerdict]: number }
  readonly notStated: number
  /** Number of answers that a judge has not decided on; 0 for facts that rules read. */
  readonly notJudged: number
  /** Whether misreading is an unlikely reason for its contradictions; false if a judge found them. */
  readonly isContradicted: boolean
}

/** A claim with the answer that makes it. */
export interface AnswerClaim extends Claim {
  readonly answerId: AnswerId
  readonly scanId: ScanId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly createdAt: Date
  /** The domains that the answer cites. */
  readonly cited: ReadonlyArray<string>
  /** `rules`, or the judge's platform and model. */
  readonly decidedBy: string
}

/** What a judge decided about the facts in free text. */
export interface CardJudgeSummary {
  /** The judges' platforms and models; empty if no judge has decided. */
  readonly by: ReadonlyArray<string>
  /** Number of facts of the card that only a judge can decide on, and of further ones that it is not asked about. */
  readonly facts: number
  readonly factsLeftOut: number
  /** Number of answers with a decision. */
  readonly answersJudged: number
  /** Number of these facts on which an answer is not decided. */
  readonly factsNotJudged: number
  /** Number of answers with a fact that is not decided. */
  readonly answersNotJudged: number
  /** Number of decisions that count as nothing, because the judge does not read the answer or its quote is unusable. */
  readonly discarded: number
}

/** The comparison of the card with answers. */
export interface CheckedCard {
  /** The scans, newest first. */
  readonly scans: readonly [Scan, ...ReadonlyArray<Scan>]
  /** Number of answers that name the brand and were compared with the card, by rules or by a judge. */
  readonly read: number
  /** Number of further answers that name the brand but were not compared. */
  readonly unread: number
  readonly facts: ReadonlyArray<FactStanding>
  /**
   * The claims: contradictions first, then outdated statements; within each kind, those that rules found first, newest
   * first.
   */
  readonly claims: ReadonlyArray<AnswerClaim>
  /** Null if the card has no fact that only a judge can decide on. */
  readonly judge: CardJudgeSummary | null
}

const order: { readonly [V in ClaimVerdict]: number } = { contradicts: 0, out_of_date: 1, agrees: 2 }
const isJudged = ({ decidedBy }: AnswerClaim): number => Number(decidedBy !== "rules")

/** The order of claims in a `CheckedCard`. */
export const compareClaims = (a: AnswerClaim, b: AnswerClaim): number =>
  order[a.verdict] - order[b.verdict] || isJudged(a) - isJudged(b) || b.createdAt.getTime() - a.createdAt.getTime()

const countOf = (claims: ReadonlyArray<Pick<Claim, "verdict">>, verdict: ClaimVerdict): number =>
  claims.filter((one) => one.verdict === verdict).length

/** Statements that differ only in spaces and case are the same. */
export const statementOf = ({ fact, stated }: Pick<Claim, "fact" | "stated">): string =>
  `${fact} ${stated.toLowerCase().replace(/\s+/g, " ")}`

/** Whether misreading is an unlikely reason for this number of contradictions among the answers that state a fact. */
export const isMoreThanMisread = (contradicts: number, stated: number): boolean =>
  contradicts > 0 && binomialAtLeast(contradicts, stated, misreadRate) < level

/** The facts that rules read, whose errors are known, and those that a judge decides on. */
export const splitByReader = (facts: ReadonlyArray<FactStanding>) => ({
  ruled: facts.filter(({ kind }) => kind !== "text"),
  judged: facts.filter(({ kind }) => kind === "text")
})

/**
 * What rules found about these facts, as the end of a sentence: silence of the answers is no agreement with the card.
 */
export const describeFindings = (facts: ReadonlyArray<Pick<FactStanding, "counts" | "isContradicted">>): string => {
  const isStated = facts.some(({ counts }) => counts.agrees + counts.contradicts + counts.out_of_date > 0)
  if (!isStated) return `no answer states ${facts.length === 1 ? "this fact" : `any of these ${facts.length} facts`}`
  const contradicted = facts.filter(({ isContradicted }) => isContradicted).length
  return `${
    contradicted === 0
      ? "no fact is"
      : `${pluralized(contradicted, "fact")} ${contradicted === 1 ? "is" : "are"}`
  } contradicted more often than misreading explains`
}

/** Counts the statements about each fact, contradicted facts first; `read` is the number of compared answers. */
export const summarizeClaims = (
  facts: ReadonlyArray<CheckedFact>,
  claims: ReadonlyArray<Pick<Claim, "fact" | "verdict">>,
  read: number
): ReadonlyArray<FactStanding> => {
  const byFact = Map.groupBy(claims, ({ fact }) => fact)
  return facts.map(({ kind, name, values }): FactStanding => {
    const own = byFact.get(name) ?? []
    const contradicts = countOf(own, "contradicts")
    return {
      fact: name,
      kind,
      says: values.map(({ text }) => text),
      counts: { agrees: countOf(own, "agrees"), contradicts, out_of_date: countOf(own, "out_of_date") },
      notStated: read - own.length,
      notJudged: 0,
      isContradicted: isMoreThanMisread(contradicts, own.length)
    }
  }).toSorted((a, b) =>
    Number(b.isContradicted) - Number(a.isContradicted) || b.counts.contradicts - a.counts.contradicts
  )
}
