/** CellStore keeps the work of running scans: which question is open, when it is due, how often it was asked. */
import { Context, type Effect } from "effect"
import type { Cell, CellCounts } from "../domain/Cell.ts"
import type { CellId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/Platform.ts"
import type { PlatformFailure } from "./AnswerPlatform.ts"
import type { StoreError } from "./StoreError.ts"

/** What is kept of a call that brought no answer. */
export interface CellFailure {
  readonly reason: PlatformFailure
  readonly message: string
  /** The first bytes of what came. */
  readonly excerpt: string | null
  readonly status: number | null
}

/** A cell that ended without an answer, for reports. */
export interface FailedCell extends CellFailure {
  readonly cellId: CellId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly attempts: number
}

export class CellStore extends Context.Service<CellStore, {
  readonly insert: (
    organizationId: OrganizationId,
    cells: ReadonlyArray<Omit<Cell, "prompt" | "attempts" | "firstAttemptAt">>,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /** Open cells of one platform that are due at `now`, longest waiting first. */
  readonly due: (
    organizationId: OrganizationId,
    scanId: ScanId,
    platform: PlatformId,
    now: Date,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Cell>, StoreError>
  /**
   * Counts one call of a cell as it was read and returns it with the new number. Null when it has ended, or when somebody
   * else has begun a call since it was read: then it must not be asked.
   */
  readonly beginAttempt: (
    organizationId: OrganizationId,
    seen: Pick<Cell, "id" | "attempts">,
    now: Date
  ) => Effect.Effect<Cell | null, StoreError>
  /** Ends the cell as answered; false when it was not open any more. */
  readonly answered: (organizationId: OrganizationId, id: CellId) => Effect.Effect<boolean, StoreError>
  /** Ends the cell without an answer. */
  readonly failed: (organizationId: OrganizationId, id: CellId, failure: CellFailure) => Effect.Effect<void, StoreError>
  /** Leaves the cell open until `dueAt`, keeping why the last call failed. */
  readonly postpone: (
    organizationId: OrganizationId,
    id: CellId,
    dueAt: Date,
    failure: CellFailure | null
  ) => Effect.Effect<void, StoreError>
  /** Ends all open cells of a scan as cancelled. */
  readonly cancelOpen: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<void, StoreError>
  /** One entry per platform of the scan. */
  readonly counts: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<CellCounts>, StoreError>
  /** The keywords that the scan asks. */
  readonly keywordIds: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlySet<KeywordId>, StoreError>
  readonly listFailed: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<FailedCell>, StoreError>
}>()("@sov/core/ports/CellStore") {}
