import { Effect } from "effect"
import type { CompetitorId, OrganizationId } from "../../domain/ids.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { readRows } from "./readHeadlines.ts"

/**
 * Counts the measured answers to each question of a score's scan, and those that name the competitor and the brand;
 * ordered by keyword id.
 */
export const countNaming = Effect.fn("countNaming")(
  function*(organizationId: OrganizationId, score: Score, competitor: CompetitorId) {
    const { rows } = yield* readRows(organizationId, [score.scanId], score)
    return [...Map.groupBy(rows, ({ keywordId }) => keywordId)].map(([keywordId, own]) => ({
      keywordId,
      answers: own.length,
      rival: own.filter(({ competitorsMentioned }) => competitorsMentioned.includes(competitor)).length,
      brand: own.filter(({ brandMentioned }) => brandMentioned).length
    })).toSorted((a, b) => a.keywordId < b.keywordId ? -1 : 1)
  }
)
