import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { measureComparable } from "../alerts/readComparableScans.ts"
import { measureForMentions } from "../measuring/measureForMentions.ts"
import type { Unmeasurable } from "../measuring/measurePage.ts"
import { measureMissing, measurePrevious } from "../measuring/measureScan.ts"
import { completionDeadline, makeMeasurer } from "../measuring/measureStored.ts"

/**
 * Measures with this tracked set and the present rules all that the completion of a scan reads: answers of the scan
 * that were archived unmeasured, the scan before it (for the trend) and, while an alert rule is enabled, the earlier
 * answers and scans that alerts compare with. What has such a measurement is left as it is: a second call only reads.
 *
 * `completeScan` calls it twice. Before its transaction: that may take long, because after a change of names or rules
 * earlier scans are measured, too, and the transaction holds the only session of the embedded database. And in it,
 * under the scan's lock, after which nothing that it reads can change: an answer may have been archived late, or
 * another scan may have completed since the first call. What the first call could not measure the second one does not
 * try: the scan is completed without it, and `rescore` measures it.
 */
export const measureForCompletion = Effect.fn("measureForCompletion")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date, unmeasurable: Unmeasurable) {
    yield* measurePrevious(organizationId, scan, set, at)
    yield* measureMissing(organizationId, scan.id, yield* makeMeasurer(set, completionDeadline), unmeasurable)
    const rules = yield* (yield* AlertStore).listRules(organizationId)
    if (!rules.some(({ enabled }) => enabled)) return
    yield* measureForMentions(organizationId, scan.id, set, unmeasurable)
    yield* measureComparable(organizationId, scan, set, at)
  }
)
