/** Follows running scans; all followers of a scan share its reads. */
import { Data, Effect, RcMap, Stream } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow, wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { OutsideWindow } from "../errors.ts"
import { followScanWork } from "./readScanWork.ts"

class FollowedScan extends Data.Class<{ readonly organizationId: OrganizationId; readonly scanId: ScanId }> {}

/**
 * Makes a follower of scans, for one process. Reads a followed scan every second, however many follow it; a new
 * follower gets its last state at once. A slow follower delays no other and misses states, but never the last one.
 * Keeps nothing of a scan without followers.
 */
export const makeScanFollower = Effect.fnUntraced(function*() {
  const readers = yield* RcMap.make({
    // The last state and the end, which follow each other
    lookup: ({ organizationId, scanId }: FollowedScan) =>
      Stream.share(followScanWork(organizationId, wholeHistory, scanId), {
        capacity: 2,
        strategy: "sliding",
        replay: 2
      })
  })
  return {
    /** The states of a scan within the window; the last one is the first that has ended. Fails as `findShownScan`. */
    follow: (organizationId: OrganizationId, window: HistoryWindow, scanId: ScanId) =>
      Stream.unwrap(RcMap.get(readers, new FollowedScan({ organizationId, scanId }))).pipe(
        Stream.mapEffect((work) =>
          isInWindow(window, work.scan.startedAt)
            ? Effect.succeed(work)
            : Effect.fail(new OutsideWindow({ what: "scan", id: scanId, since: window.since! }))
        )
      )
  }
})
export type ScanFollower = Effect.Success<ReturnType<typeof makeScanFollower>>
