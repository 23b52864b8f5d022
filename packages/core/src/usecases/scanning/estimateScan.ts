import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { standardView } from "../../domain/tracking/ViewInput.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { readQuota } from "../organizations/reads.ts"
import { type CostEstimate, estimateCost } from "../platforms/estimateCost.ts"
import { estimateScanSeconds } from "./estimateScanSeconds.ts"
import { chooseViews, planScan, readBasis, type ScanRequest } from "./planScan.ts"

const sumCosts = (costs: ReadonlyArray<CostEstimate>): number | null => {
  let total = 0
  for (const { costUsd } of costs) {
    if (costUsd === null) return null
    total += costUsd
  }
  return total
}

/**
 * Estimates the number of questions, duration and cost of a manual scan (US dollars, null if one platform's cost is
 * unknown), and reads the month's quota, of which the scan would use one unit. Starts nothing. Fails as `startScan`,
 * but never because of the quota.
 */
export const estimateScan = Effect.fn("estimateScan")(
  function*(
    organizationId: OrganizationId,
    request: Pick<ScanRequest, "keywordIds" | "platforms" | "samples" | "tags" | "views">
  ) {
    const { keywordIds, platforms } = yield* planScan(
      yield* readBasis(organizationId, null),
      { ...request, scanType: "manual", usesQuota: true }
    )
    const chosen = new Set(keywordIds)
    const keywords = (yield* (yield* KeywordStore).list(organizationId, ["active"])).filter(({ id }) => chosen.has(id))
    const views = (yield* chooseViews(organizationId, request)).map((view) => view?.name ?? standardView)
    const each = keywordIds.length * request.samples * views.length
    const costs = yield* estimateCost(platforms, each)
    return {
      keywords,
      platforms: platforms.map(({ id }) => id),
      simulated: platforms.every(({ simulated }) => simulated),
      /** Views by name; each is a separate scan and uses one unit of the quota */
      views,
      questions: each * platforms.length,
      seconds: yield* estimateScanSeconds(platforms, each),
      costs,
      costUsd: sumCosts(costs),
      quota: yield* readQuota(organizationId)
    }
  }
)

/** Questions, duration and cost of a scan. */
export type ScanEstimate = Effect.Success<ReturnType<typeof estimateScan>>
