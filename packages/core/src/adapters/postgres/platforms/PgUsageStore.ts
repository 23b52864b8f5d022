import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { OrganizationId, ScanId } from "../../../domain/ids.ts"
import { PlatformId, platformIds } from "../../../domain/platforms/Platform.ts"
import { PlatformFailure } from "../../../domain/scanning/Cell.ts"
import { type OrganizationUsage, UsageStore } from "../../../ports/UsageStore.ts"
import { decodeOne, decodeRows, jsonOf, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"
import { formatUuidArray, literalBoolean, literalInteger, literalNames, toInt4 } from "../values.ts"

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
const OwnerRow = rowOf({ organizationId: OrganizationId, ...spent, more: Schema.Boolean })
const SpendingRow = rowOf({
  platform: PlatformId,
  answers: Schema.Int,
  charges: Schema.Int,
  inputTokens: Schema.Number,
  outputTokens: Schema.Number,
  searches: Schema.Number,
  ...spent
})

const OwnSpentRow = rowOf({ platform: PlatformId, ...spent })
const CallsRow = rowOf({
  platform: PlatformId,
  calls: Schema.Int,
  failed: Schema.Int,
  reason: Schema.NullOr(PlatformFailure),
  message: Schema.NullOr(Schema.String),
  at: Schema.NullOr(Schema.Date)
}).pipe(mapRow(({ at, message, reason, ...calls }) => ({
  ...calls,
  lastFailure: reason === null ? null : { reason, message: message!, at: at! }
})))
const UsageRow = rowOf({
  organizationId: OrganizationId,
  scans: Schema.Int,
  platforms: jsonOf<OrganizationUsage["platforms"]>()
})

/** Sums over tables `answer` and `charge`. */
export const PgUsageStore = Layer.effect(
  UsageStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    /** Matches answers that came from a call to a platform, rather than recorded, imported or captured ones. */
    const given = sql.literal("adapter <> 'recorded' and adapter <> 'import' and adapter <> 'captured'")
    const readRecent = (simulated: boolean, whose: Statement.Fragment) =>
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
            where ${whose} platform = asked.platform and simulated = ${literalBoolean(simulated)} and ${given}
            order by created_at desc limit 100
          ) last
          group by asked.platform order by asked.platform
        `.pipe(tryElsewhere(sql), decodeRows(RecentRow), withStoreErrors("read recent answers"))
    return UsageStore.of({
      recent: (simulated) => readRecent(simulated, sql.literal("")),

      recentOf: (organizationId, simulated) => readRecent(simulated, sql`organization_id = ${organizationId} and`),

      callsOf: (organizationId, simulated) =>
        // Reads only the newest 20 scans, which contain the last hundred questions per platform
        sql`
          select platform, sum(attempts)::int as calls,
            sum(attempts - (state = 'answered' or state = 'open' and reason is null)::int)::int as failed,
            (array_agg(reason order by started_at desc, id desc) filter (where failure))[1] as reason,
            (array_agg(message order by started_at desc, id desc) filter (where failure))[1] as message,
            max(first_attempt_at) filter (where failure) as at
          from (
            select cell.*, scan.started_at, cell.reason is not null and cell.reason not in ('budget', 'suspended') as failure,
              row_number() over (partition by cell.platform order by scan.started_at desc, cell.id desc) as place
            from (
              select * from scan where organization_id = ${organizationId} and simulated = ${literalBoolean(simulated)}
              order by started_at desc, id desc limit 20
            ) scan join cell on cell.organization_id = scan.organization_id and cell.scan_id = scan.id
            where cell.attempts > 0
          ) asked
          where place <= 100 group by platform order by platform
        `.pipe(decodeRows(CallsRow), withStoreErrors("read the organization's calls")),

      spentOf: (organizationId, from) =>
        sql`
          select platform, coalesce(sum(cost_usd), 0)::float8 as cost_usd,
            count(*) filter (where cost_usd is null)::int as unpriced
          from (
            select platform, cost_usd from answer
            where organization_id = ${organizationId} and not simulated and ${given} and created_at >= ${from}
            union all
            select platform, cost_usd from charge where organization_id = ${organizationId} and created_at >= ${from}
          ) used
          group by platform order by platform
        `.pipe(tryElsewhere(sql), decodeRows(OwnSpentRow), withStoreErrors("sum costs")),

      ofMonth: (from, to, organizationId) => {
        const whose = organizationId === undefined ? sql.literal("") : sql`organization_id = ${organizationId} and`
        return sql`
          with asked as (
            select organization_id, id, started_at from scan
            where ${whose} not simulated and started_at < ${to} and (completed_at is null or completed_at >= ${from})
              and coalesce((
                select answer.adapter from answer
                where answer.organization_id = scan.organization_id and answer.scan_id = scan.id limit 1
              ), '') not in ('recorded', 'import', 'captured')
          ), used as (
            select organization_id, platform, 1 as answers, 0 as charges, 0 as calls, input_tokens, output_tokens,
              searches, cost_usd, true as priceable
            from answer where ${whose} not simulated and ${given} and created_at >= ${from} and created_at < ${to}
            union all
            select organization_id, platform, 0, 1, case kind when 'judgement' then requests else 0 end, input_tokens,
              output_tokens, searches, cost_usd, true
            from charge where ${whose} created_at >= ${from} and created_at < ${to}
            union all
            select cell.organization_id, cell.platform, 0, 0, cell.attempts, 0, 0, 0, 0, false
            from asked join cell on cell.organization_id = asked.organization_id and cell.scan_id = asked.id
            where cell.first_attempt_at >= ${from} and cell.first_attempt_at < ${to}
          ), sums as (
            select organization_id, platform, sum(answers)::int as answers, sum(charges)::int as charges,
              sum(calls)::int as calls, coalesce(sum(input_tokens), 0)::float8 as input_tokens,
              coalesce(sum(output_tokens), 0)::float8 as output_tokens, coalesce(sum(searches), 0)::float8 as searches,
              coalesce(sum(cost_usd), 0)::float8 as cost_usd,
              count(*) filter (where priceable and cost_usd is null)::int as unpriced
            from used group by organization_id, platform
          ), started as (
            select organization_id, count(*)::int as scans from asked where started_at >= ${from} group by organization_id
          )
          select organization_id, coalesce(started.scans, 0) as scans, coalesce(platforms, '[]') as platforms
          from started full join (
            select organization_id, jsonb_agg(jsonb_build_object('platform', platform, 'answers', answers,
              'charges', charges, 'calls', calls, 'inputTokens', input_tokens, 'outputTokens', output_tokens,
              'searches', searches, 'costUsd', cost_usd, 'unpriced', unpriced) order by platform) as platforms
            from sums group by organization_id
          ) summed using (organization_id)
          order by organization_id
        `.pipe(decodeRows(UsageRow), withStoreErrors("sum usage"))
      },

      spentSince: (platform, from) =>
        // Runs often, so the sum reads a single index, and the count uses the index of answers that are not 'recorded'
        sql`
          select coalesce((
              select sum(cost_usd) from answer
              where platform = ${platform} and not simulated and created_at >= ${from}
            ), 0)::float8 + coalesce(charged.cost_usd, 0)::float8 as cost_usd,
            (
              select count(*) from answer
              where platform = ${platform} and not simulated and adapter <> 'recorded' and adapter <> 'import' and adapter <> 'captured'
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
      },

      // A scan that is not paid for has no id here, so that none of its answers is read
      spentOnScans: (organizationIds, since, limit) =>
        sql`
          with started as materialized (
            select wanted.id as organization_id, place,
              case when not simulated and place <= ${literalInteger(limit)} then found.id end as paid_id
            from unnest(${formatUuidArray(organizationIds)}::uuid[]) wanted (id)
            cross join lateral (
              select id, simulated, row_number() over (order by started_at desc, id desc) as place from (
                select id, simulated, started_at from scan
                where scan.organization_id = wanted.id and started_at >= ${since}
                order by started_at desc, id desc limit ${literalInteger(limit + 1)}
              ) newest
            ) found
          )
          select organization_id, coalesce(sum(cost_usd), 0)::float8 as cost_usd,
            coalesce(sum(unpriced), 0)::int as unpriced, max(place) > ${literalInteger(limit)} as more
          from started cross join lateral (
            select sum(cost_usd) as cost_usd, count(*) filter (where cost_usd is null) as unpriced from (
              select cost_usd from answer
              where answer.organization_id = started.organization_id and answer.scan_id = started.paid_id
              union all
              select cost_usd from charge
              where charge.organization_id = started.organization_id and charge.scan_id = started.paid_id
            ) used
          ) spent
          group by organization_id
        `.pipe(
          decodeRows(OwnerRow),
          Effect.map((rows) => new Map(rows.map(({ organizationId, ...its }) => [organizationId, its]))),
          withStoreErrors("sum costs")
        )
    })
  })
)
