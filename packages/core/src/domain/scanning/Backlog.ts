/** The backlog of a running scan: the cells that are still open, and since when nothing has happened. */
import { Duration } from "effect"
import type { PlatformId } from "../platforms/Platform.ts"

/** Open cells of one platform; `due` may be asked now, the rest waits for `nextDueAt` or later (null = none waits). */
export interface PlatformBacklog {
  readonly platform: PlatformId
  readonly open: number
  readonly due: number
  readonly nextDueAt: Date | null
}

/** `lastActivityAt` = when a first call was made or an answer archived last; null while nothing has happened. */
export interface Backlog {
  readonly platforms: ReadonlyArray<PlatformBacklog>
  readonly lastActivityAt: Date | null
}

/** A scan with due cells in which nothing has happened for this long is stalled: longer than any call may take. */
export const stalledAfter = Duration.minutes(6)

/** Whether a scan that began at `startedAt` is stalled at `now`: cells are due, and nothing happens. */
export const isStalled = ({ lastActivityAt, platforms }: Backlog, startedAt: Date, now: Date): boolean =>
  platforms.some(({ due }) => due > 0) &&
  now.getTime() - (lastActivityAt ?? startedAt).getTime() > Duration.toMillis(stalledAfter)
