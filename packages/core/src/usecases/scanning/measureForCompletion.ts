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
 * Measures everything that the completion of a scan reads, with this tracked set and the current rules: unmeasured
 * answers of the scan, the scan before it (for the trend) and, if an alert rule is enabled, the earlier answers and
 * scans that alerts compare with. Existing measurements stay, so a second call only reads. `completeScan` calls it
 * twice. The first call precedes its transaction: after a change of names or rules, earlier scans are also measured,
 * which may take long, and the transaction holds the only session of the embedded database. The second call runs in the
 * transaction, under the scan's lock, because a late answer or another completed scan may have arrived in between. It
 * skips the failures of the first call: the scan completes without them, and `rescore` measures them.
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
