/** UsageStore sums what archived answers used: tokens, searches, time and money. It changes nothing. */
import { Context, type Effect } from "effect"
import type { MeanUsage, Spending } from "../domain/Cost.ts"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/Platform.ts"
import type { StoreError } from "./StoreError.ts"

/** The last answers of one platform (at most 100), whosever they are; latencies in milliseconds. */
export interface RecentAnswers {
  readonly platform: PlatformId
  readonly answers: number
  readonly lastAt: Date
  readonly latencyP50: number
  readonly latencyP95: number
  readonly mean: MeanUsage
}

export interface PlatformSpending extends Spending {
  readonly platform: PlatformId
}

export class UsageStore extends Context.Service<UsageStore, {
  /** One entry for each platform with answers, by id; made-up answers and real ones are never mixed. */
  readonly recent: (simulated: boolean) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /** US dollars spent on real answers of the platform since `from`, by all organizations. */
  readonly spentSince: (platform: PlatformId, from: Date) => Effect.Effect<number, StoreError>
  /** One entry for each platform with answers in the scan, by id. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<PlatformSpending>, StoreError>
}>()("@sov/core/ports/UsageStore") {}
