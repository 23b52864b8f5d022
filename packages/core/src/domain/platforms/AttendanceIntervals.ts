/**
 * Intervals in which a worker was polling for a platform, oldest first: `[from, to]` in milliseconds since 1970. Time
 * without any worker is in none of them, and so does not count as time that a scan has waited for the platform.
 */
export type AttendanceIntervals = ReadonlyArray<readonly [from: number, to: number]>

/** Polls within this time of the last counted one change nothing: each change is stored. */
const minStepMs = 5_000
/** Between two polls that are further apart than this there was no worker. */
const maxGapMs = 30_000
const maxIntervals = 50

/** The intervals with a poll at `now` added, which prolongs the last interval or begins one. */
export const addAttendance = (intervals: AttendanceIntervals, now: number): AttendanceIntervals => {
  const last = intervals.at(-1)
  if (last === undefined || now < last[0]) return [[now, now]]
  if (now - last[1] < minStepMs) return intervals
  if (now - last[1] <= maxGapMs) return [...intervals.slice(0, -1), [last[0], now]]
  const [first, second, ...others] = intervals
  // Of too many intervals the two oldest become one of the same length, so that no attended time is lost
  const kept = intervals.length < maxIntervals || first === undefined || second === undefined
    ? intervals
    : [[second[0] - (first[1] - first[0]), second[1]] as const, ...others]
  return [...kept, [now, now]]
}

/** How much of the time since `since` a worker was polling, in milliseconds. */
export const sumAttendedMs = (intervals: AttendanceIntervals, since: number): number =>
  intervals.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, since)), 0)
