/** ScheduleStore keeps each organization's schedule, and what became of every run of it. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Schedule, ScheduledRun } from "../domain/schedules/Schedule.ts"
import type { StoreError } from "./StoreError.ts"

/** An organization whose schedule or digest is due at that time. */
export interface DueOrganization {
  readonly organizationId: OrganizationId
  readonly dueAt: Date
}

export class ScheduleStore extends Context.Service<ScheduleStore, {
  readonly find: (organizationId: OrganizationId) => Effect.Effect<Schedule | null, StoreError>
  /** Reads the schedule and locks its row until the transaction ends. */
  readonly lock: (organizationId: OrganizationId) => Effect.Effect<Schedule | null, StoreError>
  /** Keeps the schedule in place of the one before. */
  readonly save: (organizationId: OrganizationId, schedule: Schedule) => Effect.Effect<void, StoreError>
  /** Forgets the schedule, not its runs; false if absent. */
  readonly remove: (organizationId: OrganizationId) => Effect.Effect<boolean, StoreError>
  /** Organizations with a run that is due until then, the longest due first. */
  readonly listDue: (until: Date) => Effect.Effect<ReadonlyArray<DueOrganization>, StoreError>
  /** Keeps what became of a run; false, and nothing changed, when its scheduled time has a run already. */
  readonly record: (organizationId: OrganizationId, run: ScheduledRun) => Effect.Effect<boolean, StoreError>
  /** The newest run; with `started` the newest that started a scan. */
  readonly lastRun: (
    organizationId: OrganizationId,
    options?: { readonly started: true }
  ) => Effect.Effect<ScheduledRun | null, StoreError>
}>()("@sov/core/ports/ScheduleStore") {}
