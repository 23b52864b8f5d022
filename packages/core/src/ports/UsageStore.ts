/**
 * UsageStore adds up the usage of archived answers: tokens, searches, time and money. It also stores charges, which are
 * usage without an answer.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Charge, MeanUsage, Spending } from "../domain/platforms/Cost.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformFailure } from "../domain/scanning/Cell.ts"
import type { StoreError } from "./StoreError.ts"

/** The last answers of one platform (at most 100), over all organizations; latencies in milliseconds. */
export interface RecentAnswers {
  readonly platform: PlatformId
  readonly answers: number
  readonly lastAt: Date
  /** The models that gave these answers, as the provider names them; the model of the newest answer comes first. */
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

/** The usage of one organization on a platform. */
export interface PlatformUsage extends PlatformSpending {
  /** Number of requests to the platform for scans, and for judging answers. */
  readonly calls: number
}

/** The usage of one organization between two times. */
export interface OrganizationUsage {
  readonly organizationId: OrganizationId
  /** Number of scans that were started. */
  readonly scans: number
  /** Usage of each platform, by platform id. */
  readonly platforms: ReadonlyArray<PlatformUsage>
}

/** How the last calls for one organization to a platform ended. */
export interface OwnCalls {
  readonly platform: PlatformId
  /** Number of calls for the organization's last questions, at most 100. */
  readonly calls: number
  readonly failed: number
  /** The last failure; `at` is when the question was first asked. */
  readonly lastFailure: { readonly reason: PlatformFailure; readonly message: string; readonly at: Date } | null
}

export class UsageStore extends Context.Service<UsageStore, {
  /**
   * One entry for each platform with answers, by id; simulated and real answers are never mixed. Recorded and imported
   * answers are left out, because they say nothing about the platform.
   */
  readonly recent: (simulated: boolean) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /**
   * Spending on the platform since `from`, over all organizations; simulated, recorded and imported answers cost
   * nothing.
   */
  readonly spentSince: (platform: PlatformId, from: Date) => Effect.Effect<Spent, StoreError>
  /** Like `recent`, for one organization. */
  readonly recentOf: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<RecentAnswers>, StoreError>
  /** The organization's last calls on each platform that was called for it, by id. */
  readonly callsOf: (
    organizationId: OrganizationId,
    simulated: boolean
  ) => Effect.Effect<ReadonlyArray<OwnCalls>, StoreError>
  /** Like `spentSince`, for one organization, on each platform with answers or charges, by id. */
  readonly spentOf: (
    organizationId: OrganizationId,
    from: Date
  ) => Effect.Effect<ReadonlyArray<Spent & { readonly platform: PlatformId }>, StoreError>
  /**
   * The usage of every organization, or only of the given one, from `from` until before `to`, by id. Archived answers
   * and charges are counted by their own time, calls by when their question was first asked, and scans by their start.
   * Simulated, recorded and imported answers asked no platform and are left out; so is an organization without usage.
   */
  readonly ofMonth: (
    from: Date,
    to: Date,
    organizationId?: OrganizationId
  ) => Effect.Effect<ReadonlyArray<OrganizationUsage>, StoreError>
  /** Adds the charge, unless it was already added. */
  readonly charge: (organizationId: OrganizationId, charge: Charge) => Effect.Effect<void, StoreError>
  /** One entry for each platform with answers or charges in the scan, by id. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<PlatformSpending>, StoreError>
  /** The cost of the answers and charges of each of these scans; a scan without answers and charges is left out. */
  readonly spentByScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyMap<ScanId, Spent>, StoreError>
  /**
   * The cost of the answers and charges of each organization's newest scans that started at `since` or later, at most
   * `limit`; simulated scans cost nothing. `more`: it has more such scans. An organization without such a scan is left
   * out.
   */
  readonly spentOnScans: (
    organizationIds: ReadonlyArray<OrganizationId>,
    since: Date,
    limit: number
  ) => Effect.Effect<ReadonlyMap<OrganizationId, Spent & { readonly more: boolean }>, StoreError>
}>()("@sov/core/ports/UsageStore") {}
