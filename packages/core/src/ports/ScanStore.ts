/** ScanStore stores scans and guards their state machine: a terminal state never changes. */
import { Context, type Effect } from "effect"
import type { AuditEntry } from "../domain/audit/AuditEntry.ts"
import type { KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Scan, ScanStatus } from "../domain/scanning/Scan.ts"
import type { OpenCell } from "./CellStore.ts"
import type { StartRecord } from "./IdempotencyStore.ts"
import type { StoreError } from "./StoreError.ts"

/** The data that determines whether a scan may start, and what it can ask. */
export interface ScanBasis {
  readonly organization: Organization
  /** The newest version of the tracked set; null if no brand is set. */
  readonly trackedSetVersion: number | null
  /** The active keywords, oldest first. */
  readonly keywordIds: ReadonlyArray<KeywordId>
  /** The record of the Idempotency-Key; null if there is no record, or if no key is given. */
  readonly record: StartRecord | null
}

/** Everything that is stored when a scan starts. */
export interface ScanStart {
  readonly scan: Scan
  readonly cells: ReadonlyArray<OpenCell>
  /** The time from which the cells are due. */
  readonly dueAt: Date
  /** The quota unit that the scan uses, one of the `limit` of the month `scan.quotaPeriod`; null if it uses none. */
  readonly quota: { readonly period: string; readonly limit: number } | null
  /**
   * The record to store under the scan's Idempotency-Key, and the time from which an existing record of the key counts;
   * null if it has no key.
   */
  readonly named: { readonly record: StartRecord; readonly since: Date } | null
  readonly entries: ReadonlyArray<AuditEntry>
  /** The notification that workers receive about the scan. */
  readonly notification: { readonly channel: string; readonly payload: string }
}

export class ScanStore extends Context.Service<ScanStore, {
  readonly insert: (organizationId: OrganizationId, scan: Scan) => Effect.Effect<void, StoreError>
  /**
   * Reads the data for starting a scan in one statement, with the record of an Idempotency-Key from `since` or later.
   * Null if there is no such organization.
   */
  readonly readBasis: (
    organizationId: OrganizationId,
    named: { readonly key: string; readonly since: Date } | null
  ) => Effect.Effect<ScanBasis | null, StoreError>
  /**
   * Starts a scan: stores it with its quota unit, its cells and its entry in the audit log, and notifies workers, all
   * or nothing, in one statement. Returns how many units of the month are then used (null if it uses none). Null if
   * nothing was started, because its key has a record or the quota is used up. Waits up to five seconds for a
   * transaction that is adding the same key (StoreError `busy`).
   */
  readonly start: (
    organizationId: OrganizationId,
    start: ScanStart
  ) => Effect.Effect<{ readonly used: number | null } | null, StoreError>
  readonly find: (organizationId: OrganizationId, id: ScanId) => Effect.Effect<Scan | null, StoreError>
  /**
   * Scans, newest first (`startedAt desc, id desc`); with `before`, only those that follow it in that order; with
   * `since`, only those started then or later; with `wholeOnly`, only those that asked everything.
   */
  readonly list: (
    organizationId: OrganizationId,
    options: {
      readonly limit: number
      readonly status?: ScanStatus
      readonly simulated?: boolean
      /** Return only scans of the standard view. */
      readonly standard?: true
      /** Return only scans of this surface and view. */
      readonly series?: Pick<Scan, "surface" | "view">
      readonly before?: Pick<Scan, "startedAt" | "id">
      readonly since?: Date | null
      readonly wholeOnly?: boolean
    }
  ) => Effect.Effect<ReadonlyArray<Scan>, StoreError>
  /**
   * The earlier completed scans of the same kind, surface and view that this scan may be compared with, newest first.
   * Returns the last `limit` scans that share a question on a platform with it, and the last `limit` scans that share
   * at least half of the larger scan's questions; of the latter, only scans that asked everything, if this scan did.
   * For each of these lists, the last 100 scans whose platforms allow it are examined: every keyword is asked on every
   * platform.
   */
  readonly listComparable: (
    organizationId: OrganizationId,
    scan: Scan,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Scan>, StoreError>
  /** Running scans of every organization, oldest first. */
  readonly listRunning: Effect.Effect<
    ReadonlyArray<{ readonly organizationId: OrganizationId; readonly scan: Scan }>,
    StoreError
  >
  /** Running scans of every organization whose cells have all ended, oldest first; these scans can be completed. */
  readonly listSettled: Effect.Effect<
    ReadonlyArray<{ readonly organizationId: OrganizationId; readonly scanId: ScanId }>,
    StoreError
  >
  /** Reads the scan and locks its row until the transaction ends. */
  readonly lock: (organizationId: OrganizationId, id: ScanId) => Effect.Effect<Scan | null, StoreError>
  /** Moves a running scan to a terminal state; false if it was no longer running. */
  readonly end: (
    organizationId: OrganizationId,
    id: ScanId,
    status: Exclude<ScanStatus, "running">,
    at: Date
  ) => Effect.Effect<boolean, StoreError>
  /**
   * Clears the scan's quota period and returns it. Only one caller receives it, and that caller must return the unit to
   * the quota.
   */
  readonly releaseQuota: (organizationId: OrganizationId, id: ScanId) => Effect.Effect<string | null, StoreError>
}>()("@sov/core/ports/ScanStore") {}
