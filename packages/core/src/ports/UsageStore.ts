/**
 * UsageStore sums what archived answers used: tokens, searches, time and money. It also stores charges: what was used
 * without producing an answer.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Charge, MeanUsage, Spending } from "../domain/platforms/Cost.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformFailure } from "../domain/scanning/Cell.ts"
import type { StoreError } from "./StoreError.ts"

/** The last answers that one platform gave here (at most 100), for all organizations; latencies in milliseconds. */
export interface RecentAnswers {
  readonly platform: PlatformId
  readonly answers: number
  readonly lastAt: Date
  /** The models that gave them, as the provider names them; the model of the newest answer first. */
  readonly answeredBy: ReadonlyArray<string>
  readonly latencyP50: number
  readonly latencyP95: number
  readonly mean: MeanUsage
}

/** Known spending in US dollars, and the number of answers and charges whose cost is unknown. */
export interface Spent {
  readonly costUsd: number
  readonly unpriced: number
}

export interface PlatformSpending extends Spending {
  readonly platform: PlatformId
}

/** What one organization used of a platform. */
export interface PlatformUsage extends PlatformSpending {
  /** Requests sent to the platform for its scans, plus those of the judge. */
  readonly calls: number
}

/** What one organization used between two times. */
export interface OrganizationUsage {
  readonly organizationId: OrganizationId
  /** Scans that were started. */
  readonly scans: number
  /** Usage of each platform, by platform id. */
  readonly platforms: ReadonlyArray<PlatformUsage>
}

/** How the last calls for one organization on a platform ended. */
export interface OwnCalls {
  readonly platform: PlatformId
  /** Calls for its last questions, at most 100. */
  readonly calls: number
  readonly failed: number
  /** `at` is when the question was first asked. */
  readonly lastFailure: { readonly reason: PlatformFailure; readonly message: string; readonly at: Date } | null
}

export class UsageStore extends Context.Service<UsageStore, {
  /**
   * One entry for each platform with answers, by id; simulated and real answers are never mixed. Recorded and imported
   * answers are left out, because they say nothing about the platform.
   */
  readonly recent: (simulated: boolean) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /**
   * Spending on the platform since `from`, by all organizations; simulated, recorded and imported answers cost nothing.
   */
  readonly spentSince: (platform: PlatformId, from: Date) => Effect.Effect<Spent, StoreError>
  /** `recent` for one organization alone. */
  readonly recentOf: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /** The organization's last calls on each platform that was called for it, by id. */
  readonly callsOf: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<OwnCalls>, StoreError>
  /** `spentSince` for one organization, on each platform with answers or charges, by id. */
  readonly spentOf: (
    organizationId: OrganizationId,
    from: Date
  ) => Effect.Effect<ReadonlyArray<Spent & { readonly platform: PlatformId }>, StoreError>
  /**
   * What every organization, or the given one alone, used from `from` until before `to`, by id: archived answers and
   * charges are counted by their own time, calls by when their question was first asked, and scans by their start.
   * Simulated, recorded and imported answers asked no platform and are left out; so is an organization without usage.
   */
  readonly ofMonth: (
    from: Date,
    to: Date,
    organizationId?: OrganizationId
  ) => Effect.Effect<ReadonlyArray<OrganizationUsage>, StoreError>
  /** Adds the charge, once. */
  readonly charge: (organizationId: OrganizationId, charge: Charge) => Effect.Effect<void, StoreError>
  /** One entry for each platform with answers or charges in the scan, by id. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<PlatformSpending>, StoreError>
  /** The cost of the answers and charges of each of these scans; a scan without any is left out. */
  readonly spentByScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyMap<ScanId, Spent>, StoreError>
}>()("@sov/core/ports/UsageStore") {}
