/** Scheduled scans. */

export { formatZonedTime } from "../domain/schedules/formatZonedTime.ts"
export * from "../domain/schedules/plainTiming.ts"
export * from "../domain/schedules/Schedule.ts"

export * from "../json/schedules.ts"

export * from "../ports/ScheduleStore.ts"

export * from "../usecases/schedules/editSchedule.ts"
export * from "../usecases/schedules/previewSchedule.ts"
export * from "../usecases/schedules/reads.ts"
export * from "../usecases/schedules/readSchedule.ts"
export { makeScheduleKind, runSchedules } from "../usecases/schedules/scheduleKind.ts"
