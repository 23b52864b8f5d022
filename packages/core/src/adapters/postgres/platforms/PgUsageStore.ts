import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { ScanId } from "../../../domain/ids.ts"
import { PlatformId, platformIds } from "../../../domain/platforms/Platform.ts"
import { UsageStore } from "../../../ports/UsageStore.ts"
import { decodeOne, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, literalBoolean, literalNames, toInt4 } from "../values.ts"

const RecentRow = rowOf({
  platform: PlatformId,
  answers: Schema.Int,
  lastAt: Schema.Date,
  models: Schema.Array(Schema.String),
  latencyP50: Schema.Number,
  latencyP95: Schema.Number,
  inputTokens: Schema.NullOr(Schema.Number),
  outputTokens: Schema.NullOr(Schema.Number),
  requests: Schema.Number,
  searches: Schema.Number,
  costUsd: Schema.NullOr(Schema.Number)
}, { latencyP50: "p50", latencyP95: "p95" }).pipe(
  mapRow(({ answers, lastAt, latencyP50, latencyP95, models, platform, ...mean }) => ({
    platform,
    answers,
    lastAt,
    answeredBy: [...new Set(models)],
    latencyP50,
    latencyP95,
    mean
  }))
)

const spent = { costUsd: Schema.Number, unpriced: Schema.Int }
const SpentRow = rowOf(spent)
const ScanRow = rowOf({ scanId: ScanId, ...spent })
const SpendingRow = rowOf({
  platform: PlatformId,
  answers: Schema.Int,
  charges: Schema.Int,
  inputTokens: Schema.Number,
  outputTokens: Schema.Number,
  searches: Schema.Number,
  ...spent
})

/** Sums over tables `answer` and `charge`. */
export const PgUsageStore = Layer.effect(
  UsageStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return UsageStore.of({
      recent: (simulated) =>
        sql`
          select asked.platform, count(*)::int as answers, max(last.created_at) as last_at,
            array_agg(last.model order by last.created_at desc, last.id desc) as models,
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
        `.pipe(decodeRows(RecentRow), withStoreErrors("read recent answers")),

      spentSince: (platform, from) =>
        // Asked often: the sum reads one index alone, and the count reads the index of answers that are not 'recorded'
        sql`
          select coalesce((
              select sum(cost_usd) from answer
              where platform = ${platform} and not simulated and created_at >= ${from}
            ), 0)::float8 + coalesce(charged.cost_usd, 0)::float8 as cost_usd,
            (
              select count(*) from answer
              where platform = ${platform} and not simulated and adapter <> 'recorded' and adapter <> 'import'
                and cost_usd is null and created_at >= ${from}
            )::int + charged.unpriced::int as unpriced
          from (
            select sum(cost_usd) as cost_usd, count(*) filter (where cost_usd is null) as unpriced from charge
            where platform = ${platform} and created_at >= ${from}
          ) charged
        `.pipe(decodeOne(SpentRow), withStoreErrors("sum costs")),

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
        sql`
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
        `.pipe(decodeRows(SpendingRow), withStoreErrors("sum costs")),

      spentByScans: (organizationId, scanIds) => {
        const ofScans = sql`
          organization_id = ${organizationId} and scan_id = any(${formatUuidArray(scanIds)}::uuid[])
        `
        return sql`
          select scan_id, coalesce(sum(cost_usd), 0)::float8 as cost_usd,
            count(*) filter (where cost_usd is null)::int as unpriced
          from (
            select scan_id, cost_usd from answer where ${ofScans}
            union all
            select scan_id, cost_usd from charge where ${ofScans}
          ) used
          group by scan_id
        `.pipe(
          decodeRows(ScanRow),
          Effect.map((rows) => new Map(rows.map(({ scanId, ...its }) => [scanId, its]))),
          withStoreErrors("sum costs")
        )
      }
    })
  })
)
