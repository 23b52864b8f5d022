/** Platforms where something else answers than before: read for people, and published as events. */
import { Effect } from "effect"
import { EventId, type OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { findBreaks } from "../../domain/scoring/breaks.ts"
import { labelsOfScan } from "../../domain/webhooks/Event.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { PlatformLabels } from "../../ports/PlatformLabels.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { newId } from "../newId.ts"
import { publishEvent } from "../webhooks/publishEvent.ts"

/** Earlier scans among which the last one of a platform is looked for. */
const maxEarlierScans = 5

/** The platforms of a scan where something else answered than in their last scan; only reads. */
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

/** The platforms of an organization's newest completed scan where something else answered than in their last scan. */
export const readNewestPlatformChanges = Effect.fn("readNewestPlatformChanges")(
  function*(organizationId: OrganizationId) {
    const newest = yield* (yield* ScoreStore).newest(organizationId)
    return newest === null ? [] : yield* findPlatformChanges(organizationId, newest.latest.scan)
  }
)

/** Puts `platform.changed` into the outbox for each change, in the transaction of the scan's completion. */
export const publishPlatformChanges = Effect.fn("publishPlatformChanges")(
  function*(organizationId: OrganizationId, scan: Scan, at: Date) {
    for (const found of yield* findPlatformChanges(organizationId, scan)) {
      yield* publishEvent(
        organizationId,
        {
          id: yield* newId(EventId),
          event: "platform.changed",
          timestamp: at,
          data: { ...found, ...labelsOfScan(scan) }
        },
        { platformLabels: yield* PlatformLabels }
      )
    }
  }
)
