/**
 * The JSON that clients see: field names and rounding of the service contract (service.md §2), the same in the command
 * line's `--json`, exports and the REST API. Objects made from simulated answers carry one more member, `simulated: true`,
 * and an answer whose sentiment a judge decided carries `sentiment_by`.
 */
import type { ApiKey } from "./access/ApiKey.ts"
import { type Alert, alertEvents, type AlertRule, alertScan } from "./alerts/AlertRule.ts"
import type { ArchiveRow, RowProvenance } from "./archive/ArchiveRow.ts"
import type { Organization } from "./organizations/Organization.ts"
import type { Quota } from "./organizations/Quota.ts"
import type { CellCounts } from "./scanning/Cell.ts"
import type { Scan } from "./scanning/Scan.ts"
import type { Schedule, ScheduledRun } from "./schedules/Schedule.ts"
import { roundHalfUp, type Score } from "./scoring/Score.ts"
import type { Keyword } from "./tracking/Keyword.ts"
import type { Brand, Competitor } from "./tracking/TrackedSet.ts"
import type { Attempt, Delivery } from "./webhooks/Delivery.ts"
import type { Endpoint } from "./webhooks/Webhook.ts"

const label = (simulated: boolean): { readonly simulated?: true } => (simulated ? { simulated: true } : {})

export const organizationJson = ({ id, name, plan, slug }: Organization) => ({ id, name, slug, plan })

/** A brand or competitor: the names and hosts that count as it. */
export const entityJson = ({ aliases, domains, id, name }: Brand | Competitor) => ({ id, name, aliases, domains })

export const keywordJson = ({ createdAt, id, status, text }: Keyword) => ({
  id,
  text,
  status,
  created_at: createdAt.toISOString()
})

export const quotaJson = ({ limit, period, remaining, resetsAt, used }: Quota) => ({
  period,
  limit,
  used,
  remaining,
  resets_at: resetsAt.toISOString()
})

/** `platforms` null = those configured when it runs; `next_run_at` null = it is paused, or none will ever come. */
export const scheduleJson = ({ cron, nextAt, paused, platforms, samples, timeZone }: Schedule) => ({
  cron,
  time_zone: timeZone,
  platforms,
  samples,
  paused,
  next_run_at: nextAt?.toISOString() ?? null
})

/** `reason` and `message` say why a run that was skipped started no scan. */
export const scheduledRunJson = ({ ranAt, scanId, scheduledAt, skipped }: ScheduledRun) => ({
  scheduled_at: scheduledAt.toISOString(),
  ran_at: ranAt.toISOString(),
  outcome: skipped === null ? "started" : "skipped",
  scan_id: scanId,
  reason: skipped?.reason ?? null,
  message: skipped?.message ?? null
})

/** A key as listed: never the key itself. */
export const apiKeyJson = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null
})

export const alertRuleJson = ({ enabled, rule, sensitivity, threshold }: AlertRule) => ({
  rule,
  event: alertEvents[rule],
  enabled,
  threshold,
  sensitivity
})

/** An alert as it was raised; `data` is that of its event. */
export const alertJson = (alert: Alert) => ({
  id: alert.id,
  rule: alert.rule,
  event: alert.event,
  scan_id: alertScan(alert),
  created_at: alert.createdAt.toISOString(),
  data: alert.data
})

export const scanJson = (scan: Scan) => ({
  id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  ...label(scan.simulated)
})

/** Platform scores with one decimal (design §7). */
export const breakdownJson = (breakdown: Score["platformBreakdown"]): { readonly [platform: string]: number } =>
  Object.fromEntries(
    Object.entries(breakdown).sort(([a], [b]) => a < b ? -1 : 1).map(([id, value]) => [id, roundHalfUp(value, 1)])
  )

/** Points or per cent with one decimal, a half rounded away from zero; never -0. */
export const points = (value: number): number => roundHalfUp(Math.abs(value), 1) * Math.sign(value) + 0

/** The current share of voice: of a completed scan. */
export const summaryJson = (scan: Scan, score: Score) => ({
  scan_id: scan.id,
  completed_at: (scan.completedAt ?? scan.startedAt).toISOString(),
  avg_sov: roundHalfUp(score.avgSov ?? 0, 0),
  platform_breakdown: breakdownJson(score.platformBreakdown),
  ...label(scan.simulated)
})

/** What whoever starts a scan is told: it runs now. */
export const startedScanJson = (
  scan: Pick<Scan, "id" | "simulated"> & { readonly estimatedSeconds: number }
) => ({
  scan_id: scan.id,
  status: "running" as const,
  estimated_seconds: scan.estimatedSeconds,
  ...label(scan.simulated)
})

/** A scan with its score; a scan without one is counted by its cells and answers. Always says whether it is simulated. */
export const scanSummaryJson = (
  scan: Scan,
  score: Score | null,
  cells: ReadonlyArray<CellCounts>,
  archived: { readonly answers: number; readonly mentioned: number }
) => ({
  scan_id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  avg_sov: score?.avgSov == null ? null : roundHalfUp(score.avgSov, 0),
  platform_breakdown: breakdownJson(score?.platformBreakdown ?? {}),
  results_count: score?.resultsCount ?? archived.answers,
  failed_count: score?.failedCount ?? cells.reduce((total, count) => total + count.failed, 0),
  mentioned_count: score?.mentionedCount ?? archived.mentioned,
  simulated: scan.simulated
})
export type ScanSummaryJson = ReturnType<typeof scanSummaryJson>

/** How an answer speaks of the brand; who decided it is named when the rules did not. */
export const stanceJson = ({ sentiment, sentimentBy }: Pick<ArchiveRow, "sentiment" | "sentimentBy">) => ({
  sentiment,
  ...(sentimentBy === null || sentimentBy === "rules" ? {} : { sentiment_by: sentimentBy })
})

export const archiveRowJson = (row: ArchiveRow) => ({
  id: row.id,
  scan_id: row.scanId,
  platform: row.platform,
  keyword_id: row.keywordId,
  prompt_used: row.promptUsed,
  raw_response: row.rawResponse,
  brand_mentioned: row.brandMentioned,
  mention_count: row.mentionCount,
  mention_position: row.mentionPosition,
  ...stanceJson(row),
  sov_score: row.sovScore === null ? null : roundHalfUp(row.sovScore, 2),
  created_at: row.createdAt.toISOString(),
  ...label(row.simulated)
})
export type ArchiveRowJson = ReturnType<typeof archiveRowJson>

/**
 * Where an answer came from: its sources as they were captured. `sources_status`: `sealed` under the leaf, `derived` from
 * the payload later, `unknown` where the platform reports none, or what it sent could not be read.
 */
export const provenanceRowJson = (provenance: RowProvenance) => ({
  leaf_version: provenance.leafVersion,
  model: provenance.model,
  search: provenance.search,
  payload_sha256: provenance.payloadSha256,
  source_version: provenance.sourceVersion,
  sources_status: provenance.status !== "complete"
    ? "unknown" as const
    : provenance.leafVersion === 2
    ? "sealed" as const
    : "derived" as const,
  sources_cut: provenance.cut,
  sources: provenance.sources.map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end })),
  queries: provenance.queries
})
export type ProvenanceRowJson = ReturnType<typeof provenanceRowJson>

/** A row of an export: one whose leaf covers where it came from says that, too; others are as they always were. */
export const exportedRowJson = (row: ArchiveRow): ArchiveRowJson & Partial<ProvenanceRowJson> =>
  row.provenance?.leafVersion === 2
    ? { ...archiveRowJson(row), ...provenanceRowJson(row.provenance) }
    : archiveRowJson(row)

/** An endpoint as listed: never its secret. */
export const endpointJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  status: endpoint.disabledReason === null ? "enabled" : "disabled",
  disabled_reason: endpoint.disabledReason,
  disabled_at: endpoint.disabledAt?.toISOString() ?? null,
  next_secret_staged_at: endpoint.stagedAt?.toISOString() ?? null,
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  last_failure_at: endpoint.lastFailureAt?.toISOString() ?? null,
  last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
  created_at: endpoint.createdAt.toISOString()
})

/** One delivery; `webhook_id` is what its receiver sees. */
export const deliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.eventId,
  endpoint_id: delivery.endpointId,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: delivery.createdAt.toISOString(),
  next_attempt_at: delivery.state === "pending" ? delivery.dueAt.toISOString() : null,
  ended_at: delivery.endedAt?.toISOString() ?? null,
  last_status: delivery.last?.status ?? null,
  last_failure: delivery.last?.failure ?? null,
  last_message: delivery.last?.message ?? null
})

export const attemptJson = (attempt: Attempt) => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  status: attempt.status,
  failure: attempt.failure,
  message: attempt.message,
  response: attempt.response
})
