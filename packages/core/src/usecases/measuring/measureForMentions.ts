import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { readAlertRule } from "../alerts/reads.ts"
import { measurePage, type Unmeasurable } from "./measurePage.ts"
import { answersPerPage } from "./measureScan.ts"
import { completionDeadline, makeMeasurer } from "./measureStored.ts"

/**
 * Measures the earlier answers that decide whether a mention in this scan is new, with this tracked set and the present
 * rules, so that they are also searched for recently added names. Only the first scan after a change of names or rules
 * finds such answers. Does nothing unless an alert rule for new mentions is enabled.
 */
export const measureForMentions = Effect.fn("measureForMentions")(
  function*(organizationId: OrganizationId, scanId: ScanId, set: TrackedSet, unmeasurable: Unmeasurable) {
    if (!(yield* readAlertRule(organizationId, "new_mention")).enabled) return
    const measurements = yield* MeasurementStore
    const versions = { measureVersion, trackedSetVersion: set.version }
    const measurer = yield* makeMeasurer(set, completionDeadline)
    while (true) {
      const page = yield* measurements.unmeasuredBefore(organizationId, scanId, versions, answersPerPage)
      const measured = yield* measurePage(organizationId, measurer, page, unmeasurable)
      // A page of answers that cannot be measured would be returned again and again
      if (measured === 0) return
    }
  }
)
