/** Finds platforms whose answers come from another model or search mode than before, and publishes them as events. */
import { Effect } from "effect"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { findBreaks } from "../../domain/scoring/breaks.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { PlatformLabels } from "../../ports/PlatformLabels.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { raiseUngated } from "../alerts/raiseAlerts.ts"
import { readAlertRule } from "../alerts/reads.ts"
import { newId } from "../newId.ts"
import { publishEvent } from "../webhooks/publishEvent.ts"
import { readEventLabels } from "../webhooks/readEventLabels.ts"

/** How many earlier scans are searched for the last scan of a platform. */
const maxEarlierScans = 5

/** The platforms of a scan whose answers have another origin than in their last scan. Only reads. */
const findPlatformChanges = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  const versions = { measureVersion, trackedSetVersion: scan.trackedSetVersion }
  const earlier = yield* (yield* ScoreStore).listBefore(organizationId, scan, versions, maxEarlierScans)
  const ids = earlier.map((one) => one.scan.id)
  if (ids.length === 0) return []
  const origins = yield* (yield* MeasurementStore).originsOfScans(organizationId, [scan.id, ...ids])
  return scan.platforms.flatMap((platform) => {
    const ofPlatform = (id: Scan["id"]) => (origins.get(id) ?? []).filter((origin) => origin.platform === platform)
    const previous = ids.find((id) => ofPlatform(id).length > 0)
    if (previous === undefined) return []
    return findBreaks(ofPlatform(previous), ofPlatform(scan.id))
      .map((found) => ({ scan_id: scan.id, previous_scan_id: previous, ...found }))
  })
})

/**
 * The platforms of an organization's newest completed scan whose answers have another origin than in their last scan.
 */
export const readNewestPlatformChanges = Effect.fn("readNewestPlatformChanges")(
  function*(organizationId: OrganizationId) {
    const newest = yield* (yield* ScoreStore).newest(organizationId)
    return newest === null ? [] : yield* findPlatformChanges(organizationId, newest.latest.scan)
  }
)

/** The alerts that rule `platform_changed` raises for a scan. Only reads. */
export const detectPlatformChanges = Effect.fn("detectPlatformChanges")(
  function*(organizationId: OrganizationId, scan: Scan) {
    const changes = yield* findPlatformChanges(organizationId, scan)
    const labels = yield* readEventLabels(organizationId, scan)
    return changes.map((found) => ({
      rule: "platform_changed" as const,
      event: "platform.changed" as const,
      data: { ...found, ...labels }
    }))
  }
)

/**
 * Puts `platform.changed` into the outbox for each change, in the transaction of the scan's completion; with an alert
 * and its e-mails if rule `platform_changed` is enabled.
 */
export const publishPlatformChanges = Effect.fn("publishPlatformChanges")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    const changes = yield* detectPlatformChanges(organizationId, scan)
    if (changes.length === 0) return
    if ((yield* readAlertRule(organizationId, "platform_changed")).enabled) {
      return yield* raiseUngated(organizationId, set, changes, at)
    }
    const platformLabels = yield* PlatformLabels
    for (const { data, event } of changes) {
      yield* publishEvent(organizationId, { id: yield* newId(EventId), event, timestamp: at, data }, { platformLabels })
    }
  }
)
