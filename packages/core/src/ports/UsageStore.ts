/**
 * UsageStore sums what archived answers used: tokens, searches, time and money. Beside them it keeps the charges: what
 * was used and left no answer.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Charge, MeanUsage, Spending } from "../domain/platforms/Cost.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { StoreError } from "./StoreError.ts"

/** The last answers that one platform gave here (at most 100), of all organizations; latencies in milliseconds. */
export interface RecentAnswers {
  readonly platform: PlatformId
  readonly answers: number
  readonly lastAt: Date
  /** The models that gave them, as the provider names them; that of the newest answer first. */
  readonly answeredBy: ReadonlyArray<string>
  readonly latencyP50: number
  readonly latencyP95: number
  readonly mean: MeanUsage
}

/** US dollars as far as they are known, and how many answers and charges there are whose cost is not. */
export interface Spent {
  readonly costUsd: number
  readonly unpriced: number
}

export interface PlatformSpending extends Spending {
  readonly platform: PlatformId
}

export class UsageStore extends Context.Service<UsageStore, {
  /**
   * One entry for each platform with answers, by id; simulated answers and real ones are never mixed. Recorded and
   * imported ones say nothing of the platform.
   */
  readonly recent: (simulated: boolean) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /**
   * Spent on the platform since `from`, by all organizations; simulated, recorded and imported answers cost nothing.
   */
  readonly spentSince: (platform: PlatformId, from: Date) => Effect.Effect<Spent, StoreError>
  /** Adds the charge, once. */
  readonly charge: (organizationId: OrganizationId, charge: Charge) => Effect.Effect<void, StoreError>
  /** One entry for each platform with answers or charges in the scan, by id. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<PlatformSpending>, StoreError>
  /** What the answers and charges of each of these scans cost; a scan without any is left out. */
  readonly spentByScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyMap<ScanId, Spent>, StoreError>
}>()("@sov/core/ports/UsageStore") {}
