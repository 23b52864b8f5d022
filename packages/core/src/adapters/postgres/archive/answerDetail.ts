/**
 * Rows for the detail of one answer: how it was obtained, and its neighbours, which answer the same question on the
 * same platform.
 */
import { Schema } from "effect"
import { Finish } from "../../../domain/archive/Answer.ts"
import type { AnswerCall } from "../../../domain/archive/AnswerDetail.ts"
import { AnswerId, ScanId } from "../../../domain/ids.ts"
import { Sentiment } from "../../../domain/measuring/Measurement.ts"
import { mapRow, rowOf } from "../rows.ts"

const callColumns = {
  adapter: Schema.String,
  model: Schema.String,
  sample: Schema.Int,
  latencyMs: Schema.Int,
  finish: Finish,
  inputTokens: Schema.NullOr(Schema.Int),
  outputTokens: Schema.NullOr(Schema.Int),
  costUsd: Schema.NullOr(Schema.Number),
  requests: Schema.Int,
  searches: Schema.NullOr(Schema.Int)
}

const toCall = (
  { costUsd, inputTokens, outputTokens, requests, searches, ...call }: Schema.Struct.Type<typeof callColumns>
): AnswerCall => ({
  ...call,
  usage: { inputTokens, outputTokens, costUsd, requests, ...searches === null ? {} : { searches } }
})

/** How an answer was obtained. */
export const CallRow = rowOf(callColumns).pipe(mapRow(toCall))

/** The answer before or after another one. */
export const NeighbourRow = rowOf({
  side: Schema.Literals(["before", "after"]),
  id: AnswerId,
  scanId: ScanId,
  createdAt: Schema.Date,
  brandMentioned: Schema.NullOr(Schema.Boolean),
  mentionPosition: Schema.NullOr(Schema.Int),
  sentiment: Schema.NullOr(Sentiment)
})

/** Whether both answers have the same view and both come from an app, or neither does. */
const isOneSeries = `
    answer.asked ->> 'view' is not distinct from own.asked ->> 'view'
    and (answer.asked ->> 'surface' is not distinct from 'app') = (own.asked ->> 'surface' is not distinct from 'app')`

const selectBeside = (side: "before" | "after"): string =>
  `(
  select '${side}' as side, id, scan_id, created_at from answer
  where answer.organization_id = own.organization_id and answer.keyword_id = own.keyword_id
    and answer.platform = own.platform and answer.simulated = own.simulated and answer.sample = own.sample
    and answer.scan_id <> own.scan_id and ${isOneSeries}
    and (answer.created_at, answer.id) ${side === "before" ? "<" : ">"} (own.created_at, own.id)
  order by created_at ${side === "before" ? "desc" : ""}, id ${side === "before" ? "desc" : ""} limit 1
)`

/**
 * Selects the answers before and after an answer, from other scans, with their newest measurements; ends in `… = ` for
 * the organization.
 */
export const selectNeighbours = `
  select beside.side, beside.id, beside.scan_id, beside.created_at, newest.brand_mentioned, newest.mention_position,
    newest.sentiment
  from answer own
  cross join lateral (${selectBeside("before")} union all ${selectBeside("after")}) beside
  left join lateral (
    select brand_mentioned, mention_position, sentiment from measurement
    where measurement.organization_id = own.organization_id and measurement.answer_id = beside.id
    order by tracked_set_version desc, measure_version desc limit 1
  ) newest on true
  where own.organization_id = `
