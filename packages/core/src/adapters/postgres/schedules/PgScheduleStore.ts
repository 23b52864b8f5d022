import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { OrganizationId, ScanId } from "../../../domain/ids.ts"
import { Schedule, SkipReason } from "../../../domain/schedules/Schedule.ts"
import { ScheduleStore } from "../../../ports/ScheduleStore.ts"
import { decodeFirst, decodeRows, mapRow, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { upsert } from "../upsert.ts"
import { formatUuidArray } from "../values.ts"

const ScheduleRow = rowOf(Schedule.fields)
const NextRow = rowOf({ organizationId: OrganizationId, nextAt: Schema.Date })
const DueRow = rowOf({ organizationId: OrganizationId, dueAt: Schema.Date })

const RunRow = rowOf({
  scheduledAt: Schema.Date,
  ranAt: Schema.Date,
  scanId: Schema.NullOr(ScanId),
  reason: Schema.NullOr(SkipReason),
  message: Schema.NullOr(Schema.String)
}).pipe(mapRow(({ message, reason, ...run }) => ({
  ...run,
  skipped: reason === null ? null : { reason, message: message! }
})))

/** Schedules in table `schedule`; runs in `schedule_run`, which is append-only in the database. */
export const PgScheduleStore = Layer.effect(
  ScheduleStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return ScheduleStore.of({
      find: (organizationId) =>
        sql`select * from schedule where organization_id = ${organizationId}`.pipe(
          decodeFirst(ScheduleRow),
          withStoreErrors("find schedule")
        ),

      lock: (organizationId) =>
        sql`select * from schedule where organization_id = ${organizationId} for update`.pipe(
          decodeFirst(ScheduleRow),
          withStoreErrors("lock schedule")
        ),

      save: (organizationId, schedule) =>
        upsert(sql, "schedule", ["organization_id"], {
          organization_id: organizationId,
          ...toColumns(Schedule.fields, schedule)
        }).pipe(Effect.asVoid, withStoreErrors("save schedule")),

      remove: (organizationId) =>
        sql`delete from schedule where organization_id = ${organizationId} returning organization_id`.pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("remove schedule")
        ),

      nextOf: (organizationIds) =>
        sql`
          select organization_id, next_at from unnest(${formatUuidArray(organizationIds)}::uuid[]) wanted (id)
          join schedule on schedule.organization_id = wanted.id
          where next_at is not null
        `.pipe(
          decodeRows(NextRow),
          Effect.map((rows) => new Map(rows.map(({ nextAt, organizationId }) => [organizationId, nextAt]))),
          withStoreErrors("read next scheduled runs")
        ),

      listDue: (until) =>
        sql`
          select organization_id, next_at as due_at from schedule where next_at <= ${until}
          order by next_at, organization_id
        `.pipe(
          decodeRows(DueRow),
          withStoreErrors("list due schedules")
        ),

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
        sql`
          select * from schedule_run where organization_id = ${organizationId}
          ${options?.started === true ? sql`and scan_id is not null` : sql``}
          order by scheduled_at desc limit 1
        `.pipe(decodeFirst(RunRow), withStoreErrors("read scheduled run"))
    })
  })
)
