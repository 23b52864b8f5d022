/** The backlog of a running scan: the cells that are still open, and the time of its last activity. */
import { Duration } from "effect"
import type { PlatformId } from "../platforms/Platform.ts"

/**
 * Open cells of one platform. `due` cells may be asked now; the others wait until `nextDueAt` or later (null if no cell
 * waits).
 */
export interface PlatformBacklog {
  readonly platform: PlatformId
  readonly open: number
  readonly due: number
  readonly nextDueAt: Date | null
}

/**
 * The open cells of a scan. `lastActivityAt` is the time of the latest first call or archived answer; null before any
 * activity.
 */
export interface Backlog {
  readonly platforms: ReadonlyArray<PlatformBacklog>
  readonly lastActivityAt: Date | null
}

/** A scan is stalled when it has due cells and no activity for this long, which is longer than any call may take. */
export const stalledAfter = Duration.minutes(6)

/** Whether a scan that began at `startedAt` is stalled at `now`: cells are due, but there is no activity. */
export const isStalled = ({ lastActivityAt, platforms }: Backlog, startedAt: Date, now: Date): boolean =>
  platforms.some(({ due }) => due > 0) &&
  now.getTime() - (lastActivityAt ?? startedAt).getTime() > Duration.toMillis(stalledAfter)
