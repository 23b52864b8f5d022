/** ScheduleStore stores each organization's schedule, and the outcome of every run. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Schedule, ScheduledRun } from "../domain/schedules/Schedule.ts"
import type { StoreError } from "./StoreError.ts"

/** An organization with a due schedule or digest, and the due time. */
export interface DueOrganization {
  readonly organizationId: OrganizationId
  readonly dueAt: Date
}

export class ScheduleStore extends Context.Service<ScheduleStore, {
  readonly find: (organizationId: OrganizationId) => Effect.Effect<Schedule | null, StoreError>
  /** Reads the schedule and locks its row until the transaction ends. */
  readonly lock: (organizationId: OrganizationId) => Effect.Effect<Schedule | null, StoreError>
  /** Replaces the schedule. */
  readonly save: (organizationId: OrganizationId, schedule: Schedule) => Effect.Effect<void, StoreError>
  /** Removes the schedule but not its runs; false if there is no schedule. */
  readonly remove: (organizationId: OrganizationId) => Effect.Effect<boolean, StoreError>
  /** When each of these organizations has its next run; one without a schedule, or with a paused one, is left out. */
  readonly nextOf: (
    organizationIds: ReadonlyArray<OrganizationId>
  ) => Effect.Effect<ReadonlyMap<OrganizationId, Date>, StoreError>
  /** Organizations with a run that is due at `until` or earlier, longest due first. */
  readonly listDue: (until: Date) => Effect.Effect<ReadonlyArray<DueOrganization>, StoreError>
  /** Stores the outcome of a run. Returns false and changes nothing if its scheduled time already has a run. */
  readonly record: (organizationId: OrganizationId, run: ScheduledRun) => Effect.Effect<boolean, StoreError>
  /** The newest run; with `started`, the newest run that started a scan. */
  readonly lastRun: (
    organizationId: OrganizationId,
    options?: { readonly started: true }
  ) => Effect.Effect<ScheduledRun | null, StoreError>
}>()("@sov/core/ports/ScheduleStore") {}
