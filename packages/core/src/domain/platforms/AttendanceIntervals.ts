/**
 * Intervals in which a worker polled for a platform, oldest first: `[from, to]` in milliseconds since 1970. Time
 * without any worker is outside the intervals, so it does not count as time that a scan has waited for the platform.
 */
export type AttendanceIntervals = ReadonlyArray<readonly [from: number, to: number]>

/** A poll this soon after the last recorded poll is not recorded, because each change is stored. */
const minStepMs = 5_000
/** If the time between two polls is longer than this, no worker was present in between. */
const maxGapMs = 30_000
const maxIntervals = 50

/** Records a poll at `now`: extends the last interval or begins a new one. */
export const addAttendance = (intervals: AttendanceIntervals, now: number): AttendanceIntervals => {
  const last = intervals.at(-1)
  if (last === undefined || now < last[0]) return [[now, now]]
  if (now - last[1] < minStepMs) return intervals
  if (now - last[1] <= maxGapMs) return [...intervals.slice(0, -1), [last[0], now]]
  const [first, second, ...others] = intervals
  // If there are too many intervals, merges the two oldest into one of the same total length, so that no attended time
  // is lost
  const kept = intervals.length < maxIntervals || first === undefined || second === undefined
    ? intervals
    : [[second[0] - (first[1] - first[0]), second[1]] as const, ...others]
  return [...kept, [now, now]]
}

/** How long a worker has polled since `since`, in milliseconds. */
export const sumAttendedMs = (intervals: AttendanceIntervals, since: number): number =>
  intervals.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, since)), 0)
