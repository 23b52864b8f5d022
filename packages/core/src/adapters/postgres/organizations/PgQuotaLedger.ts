import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import { QuotaLedger } from "../../../ports/QuotaLedger.ts"
import { decodeFirst, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const UsedRow = rowOf({ used: Schema.Int }).pipe(mapRow(({ used }) => used))

/**
 * Uses one unit of a month's quota for the row of `source`, which has at most one row, if fewer than `limit` units are
 * used. A single guarded statement: it locks the month's row, so that concurrent starts run one after another.
 */
export const takeUnit = (
  sql: PgClient.PgClient,
  organizationId: OrganizationId,
  { limit, period }: { readonly period: string; readonly limit: number },
  source: Statement.Fragment
): Statement.Statement<object> =>
  sql`
    insert into quota_usage (organization_id, period, used)
    select ${organizationId}::uuid, ${period}::text, 1 from ${source} where ${limit}::bigint > 0
    on conflict (organization_id, period) do update
    set used = quota_usage.used + 1 where quota_usage.used < ${limit}::bigint
    returning used
  `

/** Monthly counts in table `quota_usage`. */
export const PgQuotaLedger = Layer.effect(
  QuotaLedger,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return QuotaLedger.of({
      take: (organizationId, period, limit) =>
        takeUnit(sql, organizationId, { period, limit }, sql.literal("(select 1) as one")).pipe(
          decodeFirst(UsedRow),
          withStoreErrors("take quota")
        ),

      release: (organizationId, period) =>
        sql`
          update quota_usage set used = greatest(used - 1, 0)
          where organization_id = ${organizationId} and period = ${period}
        `.pipe(Effect.asVoid, withStoreErrors("give quota back")),

      used: (organizationId, period) =>
        sql`
          select used from quota_usage where organization_id = ${organizationId} and period = ${period}
        `.pipe(decodeFirst(UsedRow), Effect.map((used) => used ?? 0), withStoreErrors("read quota"))
    })
  })
)
