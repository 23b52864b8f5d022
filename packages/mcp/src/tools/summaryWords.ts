/** The sentences in the result of get_visibility_summary. */
import { brandedOnlyNote, pluralized } from "@sov/core/common"
import type { PlatformId } from "@sov/core/platforms"
import {
  type Asked,
  describeNotComparable,
  describeTrend,
  formatAsked,
  type Score,
  type standingJson,
  type Visibility
} from "@sov/core/scoring"
import { quoteUntrustedName } from "../untrusted.ts"

export const describeTrendSince = ({ previous, since }: Visibility): string =>
  previous === null
    ? "There is no earlier scan to compare with."
    : since === null
    ? `${describeNotComparable("The scan before")}.`
    : `Since the scan before: ${describeTrend(since)}`

/** The brand's rank and the highest competitor; empty if no competitor is tracked. */
export const describeRank = ({ brand, competitors: [first] }: ReturnType<typeof standingJson>): string =>
  first === undefined || brand.rank === null
    ? ""
    : ` Rank ${brand.rank} of ${brand.rank_of}; the first competitor is ${
      quoteUntrustedName(first.name)
    } with ${first.sov} %.`

/** Sentences about what the number does not cover. */
export const listCaveats = (score: Score, silent: ReadonlyArray<PlatformId>, asked: Asked): ReadonlyArray<string> => {
  const part = formatAsked(asked)
  return [
    ...silent.length === 0 ? [] : [`No scored answer from ${silent.join(", ")}.`],
    ...score.noOverviewCount === 0 ? [] : [`The app showed no overview for ${score.noOverviewCount} questions.`],
    ...score.failedCount === 0 ? [] : [`${pluralized(score.failedCount, "question")} failed.`],
    ...score.unmeasuredCount === 0 ? [] : [`${pluralized(score.unmeasuredCount, "answer")} could not be measured.`],
    ...score.brandedOnly ? [brandedOnlyNote] : [],
    ...part === null ? [] : [`Its scan asked only ${part}.`]
  ]
}
