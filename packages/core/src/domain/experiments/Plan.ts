/**
 * The plan of an experiment. It is stored in the facts of a seal (version 4) and nowhere else, so nobody can edit it.
 */
import { Schema } from "effect"
import { ExperimentId, KeywordId } from "../ids.ts"
import { isOneSeries, type Scan } from "../scanning/Scan.ts"

const Keywords = Schema.Array(KeywordId)

/** The sealed plan. Canonical JSON has no fractions, so every number is an integer. */
export const Plan = Schema.Struct({
  id: ExperimentId,
  name: Schema.String,
  /** The planned change, which is expected to raise the share of the treated topics. */
  change: Schema.String,
  /** `YYYY-MM-DD`, UTC: the day of the change, and the last day of the scans that count. */
  from: Schema.String,
  until: Schema.String,
  /** The seed of the draw, and the pairs that the draw gave. */
  seed: Schema.String,
  pairs: Schema.Array(Schema.Struct({ treated: Keywords, held_out: Keywords })),
  /** How many scans count: the newest ones before the change, and the first ones from the change on. */
  scans_before: Schema.Int,
  scans_after: Schema.Int,
  /** Method of analysis: matched-pair difference in differences, t interval, 5 %. */
  analysis: Schema.Literal("pairs-1"),
  simulated: Schema.Boolean,
  /** The rise that would be detected in 80 of 100 cases, in tenths of a point; null if no rise would be. */
  rise_tenths: Schema.NullOr(Schema.Int)
})
export type Plan = typeof Plan.Type

/** Maximum length of the description of the change and of the reason for an early end, in UTF-16 code units. */
export const maxPlanText = 200

/** The first moment of the change, and the moment from which the result is shown. */
export const planTimes = ({ from, until }: Pick<Plan, "from" | "until">) => ({
  change: new Date(`${from}T00:00:00Z`),
  result: new Date(Date.parse(`${until}T00:00:00Z`) + 86_400_000)
})

/** Why a plan that was sealed at this time cannot have a result; null if it was sealed before its change. */
export const findLateSeal = (plan: Pick<Plan, "from" | "until">, sealedAt: Date): string | null =>
  sealedAt < planTimes(plan).change ? null : "its plan was sealed after the change had begun"

/**
 * The scans of the surface that the plan was made for: that of the last scan which was complete when the plan was
 * sealed. `scans` are in the order of their start.
 */
export const ofPlannedSurface = <One extends Pick<Scan, "completedAt" | "surface" | "view">>(
  scans: ReadonlyArray<One>,
  sealedAt: Date
): ReadonlyArray<One> => {
  const planned = scans.findLast(({ completedAt }) => completedAt !== null && completedAt <= sealedAt)
  return planned === undefined ? [] : scans.filter((one) => isOneSeries(one, planned))
}
