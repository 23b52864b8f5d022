/** Why a running scan makes no progress although questions are due. */
import type { PlatformId } from "../platforms/Platform.ts"
import { type Backlog, isStalled } from "./Backlog.ts"
import type { Scan } from "./Scan.ts"

/**
 * `no-worker`: no worker is active · `unasked`: no worker asks these platforms · `stalled`: a worker asks them, but
 * there is no activity.
 */
export interface ScanHold {
  readonly reason: "no-worker" | "unasked" | "stalled"
  /** The platforms for `unasked`; otherwise empty. */
  readonly platforms: ReadonlyArray<PlatformId>
}

/** The reason why a running scan is held up at `now`; null if it makes progress or waits for a retry. */
export const findScanHold = (
  { backlog, scan }: { readonly backlog: Backlog; readonly scan: Pick<Scan, "startedAt"> },
  workers: ReadonlyArray<{ readonly platforms: ReadonlyArray<PlatformId> }>,
  now: Date
): ScanHold | null => {
  const due = backlog.platforms.filter((one) => one.due > 0).map(({ platform }) => platform)
  if (due.length > 0 && workers.length === 0) return { reason: "no-worker", platforms: [] }
  const asked = new Set(workers.flatMap(({ platforms }) => platforms))
  const unasked = due.filter((platform) => !asked.has(platform))
  if (unasked.length > 0) return { reason: "unasked", platforms: unasked }
  return isStalled(backlog, scan.startedAt, now) ? { reason: "stalled", platforms: [] } : null
}

/** Describes a hold in words, such as "no worker asks assistant_b". */
export const describeScanHold = ({ platforms, reason }: ScanHold): string => {
  switch (reason) {
    case "no-worker":
      return "no worker is active"
    case "unasked":
      return `no worker asks ${platforms.join(", ")}`
    case "stalled":
      return "a worker asks, and it makes no progress"
  }
}
