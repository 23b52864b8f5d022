/** Follows running scans; all followers of a scan share the same reads. */
import { Data, Effect, RcMap, Stream } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow, wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { OutsideWindow } from "../errors.ts"
import { followScanWork } from "./readScanWork.ts"

class FollowedScan extends Data.Class<{ readonly organizationId: OrganizationId; readonly scanId: ScanId }> {}

/**
 * Creates a follower of scans for one process. It reads a followed scan every second, however many followers there are;
 * a new follower gets its last state at once. A slow follower does not delay others and may miss states, but never the
 * last one. Stores nothing about a scan without followers.
 */
export const makeScanFollower = Effect.fnUntraced(function*() {
  const readers = yield* RcMap.make({
    // Emits the last state and then the end
    lookup: ({ organizationId, scanId }: FollowedScan) =>
      Stream.share(followScanWork(organizationId, wholeHistory, scanId), {
        capacity: 2,
        strategy: "sliding",
        replay: 2
      })
  })
  return {
    /**
     * The states of a scan within the window; the last one is the first in which it has ended. Fails as
     * `findShownScan`.
     */
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
