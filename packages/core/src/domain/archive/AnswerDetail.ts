/** Details of one answer besides its text and measurement, and how it differs from the answer before it. */
import type { CompetitorId } from "../ids.ts"
import type { Mention } from "../measuring/Measurement.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { Finish, Usage } from "./Answer.ts"
import type { ArchiveRow } from "./ArchiveRow.ts"

/** How an answer was obtained. */
export interface AnswerCall {
  readonly adapter: string
  /** The model, as the provider names it. */
  readonly model: string
  /** From 1 to the number of samples */
  readonly sample: number
  readonly latencyMs: number
  readonly finish: Finish
  readonly usage: Usage
}

/** The measurement of the brand in an answer; null until the answer is measured. */
export type BrandReading = Pick<ArchiveRow, "brandMentioned" | "mentionPosition" | "sentiment">

/** An answer to the same question on the same platform in another scan. */
export type AnswerNeighbour = BrandReading & Pick<ArchiveRow, "id" | "scanId" | "createdAt">

/** A mention with its entity. */
export interface NamedMention extends Pick<Mention, "start" | "end"> {
  readonly who: "brand" | "competitor"
  /** The mentioned competitor; null for the brand. */
  readonly competitorId: CompetitorId | null
  readonly name: string
}

/** The mentions of a measurement with this tracked set. */
export const nameMentions = (
  mentions: ReadonlyArray<Mention>,
  { brand, competitors }: Pick<TrackedSet, "brand" | "competitors">
): ReadonlyArray<NamedMention> =>
  mentions.flatMap(({ end, entity, start }): ReadonlyArray<NamedMention> => {
    if (entity === "brand") return [{ start, end, who: "brand", competitorId: null, name: brand.name }]
    const competitor = competitors[entity]
    return competitor === undefined
      ? []
      : [{ start, end, who: "competitor", competitorId: competitor.id, name: competitor.name }]
  })

const describeName = ({ brandMentioned }: BrandReading): string => brandMentioned === true ? "named" : "not named"

/**
 * Describes the changes of the brand from one answer to the next, most important first: "named → not named", "place 1 →
 * 3", "positive → neutral". Empty without a change; null if one of the answers is not measured.
 */
export const describeAnswerChange = (before: BrandReading, after: BrandReading): ReadonlyArray<string> | null => {
  if (before.brandMentioned === null || after.brandMentioned === null) return null
  if (before.brandMentioned !== after.brandMentioned) return [`${describeName(before)} → ${describeName(after)}`]
  return [
    ...before.mentionPosition === after.mentionPosition
      ? []
      : [`place ${before.mentionPosition} → ${after.mentionPosition}`],
    ...before.sentiment === after.sentiment
      ? []
      : [`${before.sentiment ?? "not judged"} → ${after.sentiment ?? "not judged"}`]
  ]
}
