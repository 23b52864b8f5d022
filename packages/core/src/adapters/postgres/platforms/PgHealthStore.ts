import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Breaker } from "../../../domain/platforms/Breaker.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Watch } from "../../../domain/scanning/Watch.ts"
import {
  type CallOutcome,
  HealthStore,
  type LastFailure,
  type PlatformHealth,
  type SentCalls
} from "../../../ports/HealthStore.ts"
import { guarded } from "../sqlErrors.ts"
import { storableText } from "../values.ts"

interface HealthRow {
  readonly platform: string
  readonly simulated: boolean
  readonly provider: string
  readonly watch: Watch
  readonly sent: SentCalls
  readonly breaker: Breaker
  readonly outcomes: ReadonlyArray<string>
  readonly last_failure: LastFailure | null
  readonly seen_at: Date
}

const fromRow = (row: HealthRow): PlatformHealth => ({
  platform: row.platform as PlatformId,
  simulated: row.simulated,
  provider: row.provider,
  watch: row.watch,
  sent: row.sent,
  breaker: row.breaker,
  outcomes: row.outcomes as ReadonlyArray<CallOutcome>,
  lastFailure: row.last_failure,
  seenAt: row.seen_at
})

/** How platforms do, in table `platform_health`: one row for each. */
export const PgHealthStore = Layer.effect(
  HealthStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return HealthStore.of({
      save: ({ breaker, lastFailure, outcomes, platform, provider, seenAt, sent, simulated, watch }) =>
        sql`
          insert into platform_health ${
          sql.insert({
            platform,
            simulated,
            provider,
            watch: sql.json(watch),
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
        `.pipe(Effect.asVoid, guarded("keep a platform's health")),

      list: sql<HealthRow>`select * from platform_health order by platform, simulated`.pipe(
        Effect.map((rows) => rows.map(fromRow)),
        guarded("read platforms' health")
      )
    })
  })
)
