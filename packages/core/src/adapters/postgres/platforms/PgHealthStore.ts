import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { AttendanceIntervals } from "../../../domain/platforms/AttendanceIntervals.ts"
import type { Breaker } from "../../../domain/platforms/Breaker.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import {
  type CallOutcome,
  HealthStore,
  type LastFailure,
  type PlatformHealth,
  type SentCalls
} from "../../../ports/HealthStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { storableText } from "../values.ts"

interface HealthRow {
  readonly platform: string
  readonly simulated: boolean
  readonly provider: string
  readonly watch: AttendanceIntervals
  readonly sent: SentCalls
  readonly breaker: Breaker
  readonly outcomes: ReadonlyArray<string>
  readonly last_failure: LastFailure | null
  readonly seen_at: Date
}

const platformHealthFromRow = (row: HealthRow): PlatformHealth => ({
  platform: row.platform as PlatformId,
  simulated: row.simulated,
  provider: row.provider,
  attendance: row.watch,
  sent: row.sent,
  breaker: row.breaker,
  outcomes: row.outcomes as ReadonlyArray<CallOutcome>,
  lastFailure: row.last_failure,
  seenAt: row.seen_at
})

/**
 * The health of platforms in table `platform_health`, a row each; its column `watch` holds the attendance intervals.
 */
export const PgHealthStore = Layer.effect(
  HealthStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return HealthStore.of({
      save: ({ attendance, breaker, lastFailure, outcomes, platform, provider, seenAt, sent, simulated }) =>
        sql`
          insert into platform_health ${
          sql.insert({
            platform,
            simulated,
            provider,
            watch: sql.json(attendance),
            sent: sql.json(sent),
            breaker: sql.json(breaker),
            outcomes,
            last_failure: lastFailure === null
              ? null
              : sql.json({ ...lastFailure, message: storableText(lastFailure.message) }),
            seen_at: seenAt
          })
        }
          on conflict (platform, simulated) do update set provider = excluded.provider, watch = excluded.watch,
            sent = excluded.sent, breaker = excluded.breaker, outcomes = excluded.outcomes,
            last_failure = excluded.last_failure, seen_at = excluded.seen_at
        `.pipe(Effect.asVoid, withStoreErrors("save a platform's health")),

      list: sql<HealthRow>`select * from platform_health order by platform, simulated`.pipe(
        Effect.map((rows) => rows.map(platformHealthFromRow)),
        withStoreErrors("read platforms' health")
      )
    })
  })
)
