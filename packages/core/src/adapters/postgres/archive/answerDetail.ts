/**
 * Rows of one answer's detail: how it was obtained, and the answers to the same question on the same platform beside
 * it.
 */
import type { Finish } from "../../../domain/archive/Answer.ts"
import type { AnswerCall, AnswerNeighbour } from "../../../domain/archive/AnswerDetail.ts"
import type { AnswerId, ScanId } from "../../../domain/ids.ts"
import type { Sentiment } from "../../../domain/measuring/Measurement.ts"

export interface CallRow {
  readonly adapter: string
  readonly model: string
  readonly sample: number
  readonly latency_ms: number
  readonly finish: string
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
  readonly requests: number
  readonly searches: number | null
}

export const callFromRow = (row: CallRow): AnswerCall => ({
  adapter: row.adapter,
  model: row.model,
  sample: row.sample,
  latencyMs: row.latency_ms,
  finish: row.finish as Finish,
  usage: {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    costUsd: row.cost_usd,
    requests: row.requests,
    ...row.searches === null ? {} : { searches: row.searches }
  }
})

export interface NeighbourRow {
  readonly side: "before" | "after"
  readonly id: string
  readonly scan_id: string
  readonly created_at: Date
  readonly brand_mentioned: boolean | null
  readonly mention_position: number | null
  readonly sentiment: string | null
}

export const neighbourFromRow = (row: NeighbourRow): AnswerNeighbour => ({
  id: row.id as AnswerId,
  scanId: row.scan_id as ScanId,
  createdAt: row.created_at,
  brandMentioned: row.brand_mentioned,
  mentionPosition: row.mention_position,
  sentiment: row.sentiment as Sentiment | null
})

const selectBeside = (side: NeighbourRow["side"]): string =>
  `(
  select '${side}' as side, id, scan_id, created_at from answer
  where answer.organization_id = own.organization_id and answer.keyword_id = own.keyword_id
    and answer.platform = own.platform and answer.simulated = own.simulated and answer.sample = own.sample
    and answer.scan_id <> own.scan_id
    and (answer.created_at, answer.id) ${side === "before" ? "<" : ">"} (own.created_at, own.id)
  order by created_at ${side === "before" ? "desc" : ""}, id ${side === "before" ? "desc" : ""} limit 1
)`

/**
 * The answer before and the one after an answer, of other scans, with their newest measurements; ends in `… = ` for the
 * organization.
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
