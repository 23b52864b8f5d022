/** The comparison of the card with answers as clients see it: `sov card check --json`, the tool's `claims`, and CSV. */
import type { AnswerClaim, CheckedCard, FactStanding } from "../domain/card/claims/summarizeClaims.ts"
import { simulatedJson } from "./simulated.ts"

/** The statement of one answer about one fact. */
export const claimJson = (claim: AnswerClaim) => ({
  fact: claim.fact,
  verdict: claim.verdict,
  stated: claim.stated,
  quote: claim.quote,
  answer_id: claim.answerId,
  scan_id: claim.scanId,
  platform: claim.platform,
  keyword_id: claim.keywordId,
  created_at: claim.createdAt.toISOString(),
  cited_domains: claim.cited,
  decided_by: claim.decidedBy
})

/** The result for one fact over all answers. */
export const factStandingJson = ({ counts, fact, isContradicted, kind, notJudged, notStated, says }: FactStanding) => ({
  fact,
  kind,
  card_says: says,
  agrees: counts.agrees,
  contradicts: counts.contradicts,
  out_of_date: counts.out_of_date,
  not_stated: notStated,
  not_judged: notJudged,
  contradicted: isContradicted
})

/** The result for the whole card. */
export const checkedCardJson = ({ claims, facts, judge, read, scans, unread }: CheckedCard) => ({
  scans: scans.map(({ id }) => id),
  answers_read: read,
  answers_not_read: unread,
  facts: facts.map(factStandingJson),
  claims: claims.map(claimJson),
  judge: judge === null ? null : {
    judged_by: judge.by,
    facts: judge.facts,
    facts_left_out: judge.factsLeftOut,
    facts_not_judged: judge.factsNotJudged,
    answers_judged: judge.answersJudged,
    answers_not_judged: judge.answersNotJudged,
    decisions_discarded: judge.discarded
  },
  ...simulatedJson(scans[0].simulated)
})
