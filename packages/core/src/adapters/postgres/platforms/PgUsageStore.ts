import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { ScanId } from "../../../domain/ids.ts"
import { type PlatformId, platformIds } from "../../../domain/platforms/Platform.ts"
import { type PlatformSpending, type RecentAnswers, type Spent, UsageStore } from "../../../ports/UsageStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, literalBoolean, literalNames, toInt4 } from "../values.ts"

interface RecentRow {
  readonly platform: string
  readonly answers: number
  readonly last_at: Date
  readonly p50: number
  readonly p95: number
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly requests: number
  readonly searches: number
  readonly cost_usd: number | null
}

const recentFromRow = (row: RecentRow): RecentAnswers => ({
  platform: row.platform as PlatformId,
  answers: row.answers,
  lastAt: row.last_at,
  latencyP50: row.p50,
  latencyP95: row.p95,
  mean: {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    requests: row.requests,
    searches: row.searches,
    costUsd: row.cost_usd
  }
})

interface SpendingRow {
  readonly platform: string
  readonly answers: number
  readonly charges: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly searches: number
  readonly cost_usd: number
  readonly unpriced: number
}

const spendingFromRow = (row: SpendingRow): PlatformSpending => ({
  platform: row.platform as PlatformId,
  answers: row.answers,
  charges: row.charges,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  searches: row.searches,
  costUsd: row.cost_usd,
  unpriced: row.unpriced
})

/** Sums over tables `answer` and `charge`. */
export const PgUsageStore = Layer.effect(
  UsageStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return UsageStore.of({
      recent: (simulated) =>
        sql<RecentRow>`
          select asked.platform, count(*)::int as answers, max(last.created_at) as last_at,
            percentile_disc(0.5) within group (order by last.latency_ms) as p50,
            percentile_disc(0.95) within group (order by last.latency_ms) as p95,
            avg(last.input_tokens)::float8 as input_tokens, avg(last.output_tokens)::float8 as output_tokens,
            avg(last.requests)::float8 as requests, avg(coalesce(last.searches, 0))::float8 as searches,
            avg(last.cost_usd) as cost_usd
          from unnest(${literalNames(platformIds)}) asked (platform) cross join lateral (
            select * from answer
            where platform = asked.platform and simulated = ${
          literalBoolean(simulated)
        } and adapter <> 'recorded' and adapter <> 'import'
            order by created_at desc limit 100
          ) last
          group by asked.platform order by asked.platform
        `.pipe(Effect.map((rows) => rows.map(recentFromRow)), withStoreErrors("read recent answers")),

      spentSince: (platform, from) =>
        // The first sum reads one index alone, the count another one (of what is not 'recorded'): this is asked often
        sql<Spent>`
          select coalesce((
              select sum(cost_usd) from answer
              where platform = ${platform} and not simulated and created_at >= ${from}
            ), 0)::float8 + coalesce(charged.cost_usd, 0)::float8 as "costUsd",
            (
              select count(*) from answer
              where platform = ${platform} and not simulated and adapter <> 'recorded' and adapter <> 'import'
                and cost_usd is null and created_at >= ${from}
            )::int + charged.unpriced::int as unpriced
          from (
            select sum(cost_usd) as cost_usd, count(*) filter (where cost_usd is null) as unpriced from charge
            where platform = ${platform} and created_at >= ${from}
          ) charged
        `.pipe(Effect.map(([row]) => row!), withStoreErrors("sum costs")),

      charge: (organizationId, { createdAt, id, kind, platform, scanId, usage }) =>
        sql`
          insert into charge ${
          sql.insert({
            organization_id: organizationId,
            id,
            scan_id: scanId,
            platform,
            kind,
            input_tokens: toInt4(usage.inputTokens),
            output_tokens: toInt4(usage.outputTokens),
            cost_usd: usage.costUsd,
            requests: toInt4(usage.requests ?? 1),
            searches: toInt4(usage.searches ?? null),
            created_at: createdAt
          })
        } on conflict do nothing
        `.pipe(Effect.asVoid, withStoreErrors("keep a charge")),

      ofScan: (organizationId, scanId) =>
        sql<SpendingRow>`
          select platform, count(*) filter (where archived)::int as answers,
            count(*) filter (where not archived)::int as charges,
            coalesce(sum(input_tokens), 0)::float8 as input_tokens,
            coalesce(sum(output_tokens), 0)::float8 as output_tokens, coalesce(sum(searches), 0)::float8 as searches,
            coalesce(sum(cost_usd), 0)::float8 as cost_usd, count(*) filter (where cost_usd is null)::int as unpriced
          from (
            select platform, input_tokens, output_tokens, searches, cost_usd, true as archived from answer
            where organization_id = ${organizationId} and scan_id = ${scanId}
            union all
            select platform, input_tokens, output_tokens, searches, cost_usd, false from charge
            where organization_id = ${organizationId} and scan_id = ${scanId}
          ) used
          group by platform order by platform
        `.pipe(Effect.map((rows) => rows.map(spendingFromRow)), withStoreErrors("sum costs")),

      spentByScans: (organizationId, scanIds) => {
        const ofScans = sql`
          organization_id = ${organizationId} and scan_id = any(${formatUuidArray(scanIds)}::uuid[])
        `
        return sql<Spent & { readonly scan_id: string }>`
          select scan_id, coalesce(sum(cost_usd), 0)::float8 as "costUsd",
            count(*) filter (where cost_usd is null)::int as unpriced
          from (
            select scan_id, cost_usd from answer where ${ofScans}
            union all
            select scan_id, cost_usd from charge where ${ofScans}
          ) used
          group by scan_id
        `.pipe(
          Effect.map((rows) => new Map(rows.map(({ scan_id, ...spent }) => [scan_id as ScanId, spent]))),
          withStoreErrors("sum costs")
        )
      }
    })
  })
)
