/**
 * UsageStore sums what archived answers used: tokens, searches, time and money. Beside them it keeps the charges: what
 * was used and left no answer.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Charge, MeanUsage, Spending } from "../domain/platforms/Cost.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformFailure } from "../domain/scanning/Cell.ts"
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

/** What one organization used of a platform. */
export interface PlatformUsage extends PlatformSpending {
  /** Requests that were sent to the platform for its scans, and those of the judge. */
  readonly calls: number
}

/** What one organization used between two times. */
export interface OrganizationUsage {
  readonly organizationId: OrganizationId
  /** Scans that were started. */
  readonly scans: number
  /** By id. */
  readonly platforms: ReadonlyArray<PlatformUsage>
}

/** How the last calls for one organization ended on a platform. */
export interface OwnCalls {
  readonly platform: PlatformId
  /** Of its last questions, at most 100. */
  readonly calls: number
  readonly failed: number
  /** `at` is when the question was first asked. */
  readonly lastFailure: { readonly reason: PlatformFailure; readonly message: string; readonly at: Date } | null
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
  /** `recent` of one organization's answers alone. */
  readonly recentOf: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /** Its last calls on each platform that was called for it, by id. */
  readonly callsOf: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<OwnCalls>, StoreError>
  /** `spentSince` of one organization, on each platform with answers or charges, by id. */
  readonly spentOf: (
    organizationId: OrganizationId,
    from: Date
  ) => Effect.Effect<ReadonlyArray<Spent & { readonly platform: PlatformId }>, StoreError>
  /**
   * What every organization used from `from` until before `to`, by id: the sums of archived answers and charges by when
   * they came, of calls by when their question was first asked, and of scans by their start. Simulated, recorded and
   * imported ones asked nobody, and are left out; so is an organization without any.
   */
  readonly ofMonth: (from: Date, to: Date) => Effect.Effect<ReadonlyArray<OrganizationUsage>, StoreError>
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
