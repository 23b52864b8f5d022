import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { RateLimiter, type RateRequest } from "../../../ports/RateLimiter.ts"
import { decodeFirst, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { beginWithFallback } from "../tryElsewhere.ts"

const TakenRow = rowOf({ used: Schema.NullOr(Schema.Int), waitMs: Schema.NullOr(Schema.Number) })

/** Minimum wait that is returned, in milliseconds, so that no client retries immediately. */
const minWaitMs = 1

/**
 * Sliding logs in tables `request_log` and `organization_request_log`: one row per API key, and one per organization
 * that has its own limit, with the times of the last requests. Concurrent requests lock that row in turn.
 */
export const PgRateLimiter = Layer.effect(
  RateLimiter,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    /**
     * Counts one request. `log` contains the table, its key columns, and the values of these columns for this request.
     */
    const take = (
      log: { readonly table: string; readonly key: string; readonly values: Statement.Fragment },
      own: Statement.Fragment,
      { count, limit, windowMs }: RateRequest
    ) => {
      const [table, key] = [sql.literal(log.table), sql.literal(log.key)]
      // Reads the clock after the row is locked. The clock may have been set back, so times far in the future do not
      // count.
      return sql`
        with counted as (
          insert into ${table} as log (${key}, times)
          select ${log.values}, array_fill(clock_timestamp(), array[${count}::int])
          where ${count}::int <= ${limit}::int
          on conflict (${key}) do update set times = (
            select array_agg(time order by time) from (select clock_timestamp() as now) clock, lateral (
              select time from unnest(log.times) time
              where abs(extract(epoch from clock.now - time)) * 1000 < ${windowMs}::float8
              union all select clock.now from generate_series(1, ${count}::int)
            ) recent
          )
          where ${count}::int + (
            select count(*) from (select clock_timestamp() as now) clock, unnest(log.times) time
            where abs(extract(epoch from clock.now - time)) * 1000 < ${windowMs}::float8
          ) <= ${limit}::int
          returning cardinality(times) as used
        )
        select used, null::float8 as wait_ms from counted
        union all
        select null::int, (
          select ${windowMs}::float8 - extract(epoch from clock_timestamp() - time) * 1000
          from unnest(log.times) with ordinality as entry (time, place)
          where place = greatest(1, cardinality(log.times) - ${limit}::int + ${count}::int)
        ) from ${table} log
        where ${own} and not exists(select from counted)
      `.pipe(
        decodeFirst(TakenRow),
        // Repeating the statement could count the request twice, so only the start of its transaction may move to
        // another session
        beginWithFallback(sql),
        Effect.map((row) =>
          row?.used == null
            ? {
              taken: false,
              waitMs: count > limit
                ? windowMs
                : Math.min(windowMs, Math.max(minWaitMs, Math.ceil(row?.waitMs ?? 0)))
            } as const
            : { taken: true, remaining: limit - row.used } as const
        ),
        withStoreErrors("count requests")
      )
    }
    return RateLimiter.of({
      take: (organizationId, keyId, request) =>
        take(
          {
            table: "request_log",
            key: "organization_id, api_key_id",
            values: sql`${organizationId}::uuid, ${keyId}::uuid`
          },
          sql`organization_id = ${organizationId} and api_key_id = ${keyId}`,
          request
        ),

      takeOfAll: (organizationId, request) =>
        take(
          { table: "organization_request_log", key: "organization_id", values: sql`${organizationId}::uuid` },
          sql`organization_id = ${organizationId}`,
          request
        )
    })
  })
)
