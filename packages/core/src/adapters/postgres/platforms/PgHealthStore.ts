import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { AttendanceIntervals } from "../../../domain/platforms/AttendanceIntervals.ts"
import type { Breaker } from "../../../domain/platforms/Breaker.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { CallOutcome, HealthStore, type LastFailure, type SentCalls } from "../../../ports/HealthStore.ts"
import { decodeRows, jsonOf, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { upsert } from "../upsert.ts"
import { toStorableText } from "../values.ts"

const HealthRow = rowOf({
  platform: PlatformId,
  simulated: Schema.Boolean,
  provider: Schema.String,
  attendance: jsonOf<AttendanceIntervals>(),
  sent: jsonOf<SentCalls>(),
  breaker: jsonOf<Breaker>(),
  outcomes: Schema.Array(CallOutcome),
  lastFailure: jsonOf<LastFailure | null>(),
  endsOn: Schema.NullOr(Schema.String),
  seenAt: Schema.Date
}, { attendance: "watch" })

/**
 * The health of platforms in table `platform_health`, one row per platform; column `watch` contains the attendance
 * intervals.
 */
export const PgHealthStore = Layer.effect(
  HealthStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return HealthStore.of({
      save: ({ attendance, breaker, endsOn, lastFailure, outcomes, platform, provider, seenAt, sent, simulated }) =>
        upsert(sql, "platform_health", ["platform", "simulated"], {
          platform,
          simulated,
          provider,
          watch: sql.json(attendance),
          sent: sql.json(sent),
          breaker: sql.json(breaker),
          outcomes,
          last_failure: lastFailure === null
            ? null
            : sql.json({ ...lastFailure, message: toStorableText(lastFailure.message) }),
          ends_on: endsOn,
          seen_at: seenAt
        }).pipe(Effect.asVoid, withStoreErrors("save a platform's health")),

      list: sql`select * from platform_health order by platform, simulated`.pipe(
        decodeRows(HealthRow),
        withStoreErrors("read platforms' health")
      )
    })
  })
)
