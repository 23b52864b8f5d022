import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { formTagShare } from "../../domain/scoring/tagShares.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { findTagged } from "../tracking/readTags.ts"

/**
 * Reads the share of voice of one scan over the keywords that have the tag now, computed like those of `readTagShares`;
 * computed tags are decided by the names of these versions. Null if the scan has no answer to such a keyword, or if no
 * keyword has the tag.
 */
export const readScanTagShare = Effect.fn("readScanTagShare")(
  function*(organizationId: OrganizationId, { id }: Pick<Scan, "id">, versions: MeasurementVersions, tag: string) {
    const found = yield* (yield* MeasurementStore).rowsOfScans(organizationId, [id], versions)
    if (found === null) return null
    const branded = brandedAmong(found.trackedSet, found.keywords)
    const tagged = yield* findTagged(organizationId, tag, { keywords: found.keywords, branded })
    return formTagShare(found.rows, new Set(tagged), branded, findTopics(found.keywords, found.trackedSet))
  }
)
