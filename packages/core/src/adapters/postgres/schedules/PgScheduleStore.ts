import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { OrganizationId, ScanId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Schedule, ScheduledRun, SkipReason } from "../../../domain/schedules/Schedule.ts"
import { ScheduleStore } from "../../../ports/ScheduleStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"

interface ScheduleRow {
  readonly cron: string
  readonly time_zone: string
  readonly platforms: ReadonlyArray<string> | null
  readonly samples: number
  readonly paused: boolean
  readonly next_at: Date | null
}

const firstSchedule = ([row]: ReadonlyArray<ScheduleRow>): Schedule | null =>
  row === undefined ? null : {
    cron: row.cron,
    timeZone: row.time_zone,
    platforms: row.platforms as ReadonlyArray<PlatformId> | null,
    samples: row.samples,
    paused: row.paused,
    nextAt: row.next_at
  }

interface RunRow {
  readonly scheduled_at: Date
  readonly ran_at: Date
  readonly scan_id: string | null
  readonly reason: string | null
  readonly message: string | null
}

const firstRun = ([row]: ReadonlyArray<RunRow>): ScheduledRun | null =>
  row === undefined ? null : {
    scheduledAt: row.scheduled_at,
    ranAt: row.ran_at,
    scanId: row.scan_id as ScanId | null,
    skipped: row.reason === null ? null : { reason: row.reason as SkipReason, message: row.message! }
  }

/** Schedules in table `schedule`, runs in `schedule_run`, which the database keeps append-only. */
export const PgScheduleStore = Layer.effect(
  ScheduleStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return ScheduleStore.of({
      find: (organizationId) =>
        sql<ScheduleRow>`select * from schedule where organization_id = ${organizationId}`.pipe(
          Effect.map(firstSchedule),
          withStoreErrors("find schedule")
        ),

      lock: (organizationId) =>
        sql<ScheduleRow>`select * from schedule where organization_id = ${organizationId} for update`.pipe(
          Effect.map(firstSchedule),
          withStoreErrors("lock schedule")
        ),

      save: (organizationId, { cron, nextAt, paused, platforms, samples, timeZone }) =>
        sql`
          insert into schedule ${
          sql.insert({
            organization_id: organizationId,
            cron,
            time_zone: timeZone,
            platforms,
            samples,
            paused,
            next_at: nextAt
          })
        }
          on conflict (organization_id) do update set cron = excluded.cron, time_zone = excluded.time_zone,
            platforms = excluded.platforms, samples = excluded.samples, paused = excluded.paused,
            next_at = excluded.next_at
        `.pipe(Effect.asVoid, withStoreErrors("save schedule")),

      remove: (organizationId) =>
        sql`delete from schedule where organization_id = ${organizationId} returning organization_id`.pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("remove schedule")
        ),

      listDue: (now) =>
        sql<{ readonly organization_id: string }>`
          select organization_id from schedule where next_at <= ${now} order by next_at, organization_id
        `.pipe(
          Effect.map((rows) => rows.map((row) => row.organization_id as OrganizationId)),
          withStoreErrors("list due schedules")
        ),

      findNextAfter: (now) =>
        sql<{ readonly next_at: Date | null }>`
          select min(next_at) as next_at from schedule where next_at > ${now}
        `.pipe(Effect.map(([row]) => row?.next_at ?? null), withStoreErrors("find the next scheduled run")),

      record: (organizationId, { ranAt, scanId, scheduledAt, skipped }) =>
        sql`
          insert into schedule_run ${
          sql.insert({
            organization_id: organizationId,
            scheduled_at: scheduledAt,
            ran_at: ranAt,
            scan_id: scanId,
            reason: skipped?.reason ?? null,
            message: skipped?.message ?? null
          })
        }
          on conflict (organization_id, scheduled_at) do nothing returning scheduled_at
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("record scheduled run")),

      lastRun: (organizationId, options) =>
        sql<RunRow>`
          select * from schedule_run where organization_id = ${organizationId}
          ${options?.started === true ? sql`and scan_id is not null` : sql``}
          order by scheduled_at desc limit 1
        `.pipe(Effect.map(firstRun), withStoreErrors("read scheduled run"))
    })
  })
)
