/** ScanStore keeps scans and guards their state machine: a terminal state never changes. */
import { Context, type Effect } from "effect"
import type { AuditEntry } from "../domain/audit/AuditEntry.ts"
import type { KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Scan, ScanStatus } from "../domain/scanning/Scan.ts"
import type { OpenCell } from "./CellStore.ts"
import type { StartRecord } from "./IdempotencyStore.ts"
import type { StoreError } from "./StoreError.ts"

/** What decides whether a scan may start, and what it can ask. */
export interface ScanBasis {
  readonly organization: Organization
  /** The newest version of what is tracked; null before the brand is set. */
  readonly trackedSetVersion: number | null
  /** The active keywords, the oldest first. */
  readonly keywordIds: ReadonlyArray<KeywordId>
  /** What was started under the key; null where nothing was, and where no key is given. */
  readonly record: StartRecord | null
}

/** All that a scan begins with. */
export interface ScanStart {
  readonly scan: Scan
  readonly cells: ReadonlyArray<OpenCell>
  /** When the cells are due. */
  readonly dueAt: Date
  /** The unit that it uses of the month `scan.quotaPeriod`, of which there are `limit`; null = it uses none. */
  readonly quota: { readonly period: string; readonly limit: number } | null
  /**
   * What is kept under its Idempotency-Key, and from when on another record of the key counts; null = it has no key.
   */
  readonly named: { readonly record: StartRecord; readonly since: Date } | null
  readonly entries: ReadonlyArray<AuditEntry>
  /** How workers hear of it. */
  readonly notification: { readonly channel: string; readonly payload: string }
}

export class ScanStore extends Context.Service<ScanStore, {
  readonly insert: (organizationId: OrganizationId, scan: Scan) => Effect.Effect<void, StoreError>
  /**
   * Reads what decides about a start, in one statement; with the record of an Idempotency-Key that is from `since` or
   * later. Null when there is no such organization.
   */
  readonly readBasis: (
    organizationId: OrganizationId,
    named: { readonly key: string; readonly since: Date } | null
  ) => Effect.Effect<ScanBasis | null, StoreError>
  /**
   * Starts a scan: its record, its unit of the quota, its cells and its entry in the audit log, and tells workers, all
   * or nothing, in one statement. Gives how many units of the month are used then (null where it uses none). Null when
   * it started nothing: its key has a record, or the quota is used up. Waits for a transaction that is just adding the
   * same key, at most five seconds (StoreError `busy`).
   */
  readonly start: (
    organizationId: OrganizationId,
    start: ScanStart
  ) => Effect.Effect<{ readonly used: number | null } | null, StoreError>
  readonly find: (organizationId: OrganizationId, id: ScanId) => Effect.Effect<Scan | null, StoreError>
  /**
   * Newest first (`startedAt desc, id desc`); with `before` only those that come after it in that order, with `since`
   * only those started then or later, with `wholeOnly` only those that asked everything.
   */
  readonly list: (
    organizationId: OrganizationId,
    options: {
      readonly limit: number
      readonly status?: ScanStatus
      readonly simulated?: boolean
      /** Only scans of the standard view. */
      readonly standard?: true
      /** Only scans of its surface and view. */
      readonly series?: Pick<Scan, "surface" | "view">
      readonly before?: Pick<Scan, "startedAt" | "id">
      readonly since?: Date | null
      readonly wholeOnly?: boolean
    }
  ) => Effect.Effect<ReadonlyArray<Scan>, StoreError>
  /**
   * The completed scans of its kind, surface and view before this one that it may be compared with, newest first, by
   * what they asked: the last `limit` that share a question on a platform with it, and the last `limit` that share at
   * least half of the larger one's; of the latter only scans that asked everything, if this one did. For each, the last
   * 100 whose platforms allow it are looked through: every keyword is asked on every platform.
   */
  readonly listComparable: (
    organizationId: OrganizationId,
    scan: Scan,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Scan>, StoreError>
  /** Running scans of every organization, the oldest first. */
  readonly listRunning: Effect.Effect<
    ReadonlyArray<{ readonly organizationId: OrganizationId; readonly scan: Scan }>,
    StoreError
  >
  /** Running scans of every organization all of whose cells have ended, the oldest first: they wait for completion. */
  readonly listSettled: Effect.Effect<
    ReadonlyArray<{ readonly organizationId: OrganizationId; readonly scanId: ScanId }>,
    StoreError
  >
  /** Reads the scan and locks its row until the transaction ends. */
  readonly lock: (organizationId: OrganizationId, id: ScanId) => Effect.Effect<Scan | null, StoreError>
  /** Moves a running scan to a terminal state; false when it was not running any more. */
  readonly end: (
    organizationId: OrganizationId,
    id: ScanId,
    status: Exclude<ScanStatus, "running">,
    at: Date
  ) => Effect.Effect<boolean, StoreError>
  /** Clears the scan's quota period and returns it: the caller that gets it gives the unit back, once. */
  readonly releaseQuota: (organizationId: OrganizationId, id: ScanId) => Effect.Effect<string | null, StoreError>
}>()("@sov/core/ports/ScanStore") {}
