/** What is shown of one answer beside its text and measurement, and how it differs from the answer before it. */
import type { CompetitorId } from "../ids.ts"
import type { Mention } from "../measuring/Measurement.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { Finish, Usage } from "./Answer.ts"
import type { ArchiveRow } from "./ArchiveRow.ts"

/** How an answer was obtained. */
export interface AnswerCall {
  readonly adapter: string
  /** As the provider named it. */
  readonly model: string
  /** 1 … samples */
  readonly sample: number
  readonly latencyMs: number
  readonly finish: Finish
  readonly usage: Usage
}

/** What is measured of an answer about the brand; null until it is measured. */
export type BrandReading = Pick<ArchiveRow, "brandMentioned" | "mentionPosition" | "sentiment">

/** An answer to the same question on the same platform in another scan. */
export type AnswerNeighbour = BrandReading & Pick<ArchiveRow, "id" | "scanId" | "createdAt">

/** A mention with whose it is. */
export interface NamedMention extends Pick<Mention, "start" | "end"> {
  readonly who: "brand" | "competitor"
  /** Null for the brand. */
  readonly competitorId: CompetitorId | null
  readonly name: string
}

/** The mentions of a measurement that was made with this tracked set. */
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
 * What changed about the brand from one answer to the next, in words, in order of weight: "named → not named", "place 1
 * → 3", "positive → neutral". Nothing where nothing did; null where one of them is not measured.
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
      : [`${before.sentiment ?? "no stance"} → ${after.sentiment ?? "no stance"}`]
  ]
}
