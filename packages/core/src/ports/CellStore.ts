/**
 * CellStore stores the work of running scans: which questions are open, when each is due, and how often it was asked.
 */
import { Context, type Effect } from "effect"
import type { ArchiveRow } from "../domain/archive/ArchiveRow.ts"
import type { AnswerId, CellId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { Cell, CellCounts, CellFailureReason, CellState, CellTotals, FailedCell } from "../domain/scanning/Cell.ts"
import type { AskedKeywords } from "../domain/scoring/asked.ts"
import type { StoreError } from "./StoreError.ts"

/** The stored facts about a call that returned no answer. */
export interface CellFailure {
  readonly reason: CellFailureReason
  readonly message: string
  /** The first bytes of the response. */
  readonly excerpt: string | null
  readonly status: number | null
}

/** The open cells of one scan on one platform. */
export interface ScanQueue {
  readonly organizationId: OrganizationId
  readonly scanId: ScanId
  readonly trackedSetVersion: number
  /** When the scan began. */
  readonly startedAt: Date
  /** When the first open cell is due. */
  readonly dueAt: Date
}

/** The scan that a queue belongs to. */
export type NamedScan = Pick<ScanQueue, "organizationId" | "scanId">

/** A claimed cell. Only its claimer may ask it, and must either ask or end it now. */
export interface ClaimedCell {
  /** The cell; this call is already counted. */
  readonly cell: Cell
  /** True if all calls of the cell were already used: it must not be called again. */
  readonly exhausted: boolean
}

/** A failed cell for reports, with the first bytes of the response. */
export type ReportedFailure = FailedCell & Pick<CellFailure, "excerpt">

/** One question of a scan, and whether its answer names the brand. */
export interface KeywordCell extends Pick<Cell, "scanId" | "platform" | "sample"> {
  readonly state: CellState
  /** Null if there is no answer. */
  readonly answerId: AnswerId | null
  /** From the newest measurement; null without an answer, or while it is not measured. */
  readonly brandMentioned: boolean | null
}

/** Which results of a scan to return. */
export interface ResultFilters {
  readonly platform?: PlatformId
  readonly keywordId?: KeywordId
  /** Return only these keywords. */
  readonly keywordIds?: ReadonlyArray<KeywordId>
  /** Return only answers that name the brand in their newest measurement. */
  readonly mentionedOnly?: boolean
}

/** A cell that ended, either with an archived answer and its measurement or with a failure and its reason. */
export interface ScanResult {
  readonly cellId: CellId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly sample: number
  /** Null if the cell failed. */
  readonly answer:
    | Pick<
      ArchiveRow,
      "id" | "brandMentioned" | "mentionCount" | "mentionPosition" | "sentiment" | "sentimentBy" | "sovScore"
    >
      & {
        /** Null until the answer is measured; so is `competitorsMentioned`. */
        readonly trackedSetVersion: number | null
        readonly competitorsMentioned: ReadonlyArray<CompetitorId> | null
      }
    | null
  readonly failure: CellFailureReason | null
}

/** A cell that has not been asked yet. */
export type OpenCell = Omit<Cell, "prompt" | "attempts" | "firstAttemptAt">

export class CellStore extends Context.Service<CellStore, {
  readonly insert: (
    organizationId: OrganizationId,
    cells: ReadonlyArray<OpenCell>,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * The queues of running scans that have open cells on the platform other than those `inFlight`, oldest scan first,
   * either of simulated or of real scans. Covers every organization, or only the named scans; the time to read these
   * does not grow with the number of others.
   */
  readonly queues: (
    platform: PlatformId,
    simulated: boolean,
    inFlight: ReadonlyArray<CellId>,
    which: "all" | ReadonlyArray<NamedScan>
  ) => Effect.Effect<ReadonlyArray<ScanQueue>, StoreError>
  /**
   * Claims up to `limit` open cells that are due at `now`, longest waiting first, and counts a call for each. Cells
   * stay open until they end, so the claimer passes its own cells as `inFlight`. A platform has one claimer at a time.
   */
  readonly claim: (
    queue: NamedScan,
    platform: PlatformId,
    options: { readonly now: Date; readonly limit: number; readonly inFlight: ReadonlyArray<CellId> }
  ) => Effect.Effect<ReadonlyArray<ClaimedCell>, StoreError>
  /** The number of open cells of each running scan on each platform, for all organizations. */
  readonly listOpen: (
    simulated: boolean
  ) => Effect.Effect<
    ReadonlyArray<{ readonly organizationId: OrganizationId; readonly platform: PlatformId; readonly open: number }>,
    StoreError
  >
  /** Whether the scan has open cells. */
  readonly hasOpen: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<boolean, StoreError>
  /** Fails all open cells of one scan on one platform except those `inFlight`, even if they are not due yet. */
  readonly failOpen: (
    queue: NamedScan,
    platform: PlatformId,
    inFlight: ReadonlyArray<CellId>,
    failure: CellFailure
  ) => Effect.Effect<void, StoreError>
  /** Ends the cell without an answer. */
  readonly fail: (organizationId: OrganizationId, id: CellId, failure: CellFailure) => Effect.Effect<void, StoreError>
  /** Leaves the cell open until `dueAt` and stores why the last call failed. */
  readonly postpone: (
    organizationId: OrganizationId,
    id: CellId,
    dueAt: Date,
    failure: CellFailure | null
  ) => Effect.Effect<void, StoreError>
  /** Ends all open cells of a scan as cancelled. */
  readonly cancelOpen: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<void, StoreError>
  /** The counts of the scan's cells, one entry per platform of the scan. */
  readonly counts: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<CellCounts>, StoreError>
  /** The cell counts of each of these scans over all platforms; an unknown scan is left out. */
  readonly totals: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyMap<ScanId, CellTotals>, StoreError>
  /** The cells of one keyword in these scans, ordered by scan, platform and sample. */
  readonly ofKeyword: (
    organizationId: OrganizationId,
    keywordId: KeywordId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyArray<KeywordCell>, StoreError>
  /** The number of active keywords, and how many of them the scan asks. */
  readonly countAsked: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<AskedKeywords, StoreError>
  /** The keywords that the scan asks. */
  readonly keywordIds: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlySet<KeywordId>, StoreError>
  /**
   * Up to `limit` answered and failed cells ordered by keyword, platform and sample, starting after the cell `after`;
   * without texts.
   */
  readonly results: (
    organizationId: OrganizationId,
    scanId: ScanId,
    filters: ResultFilters,
    options: { readonly limit: number; readonly after?: CellId }
  ) => Effect.Effect<ReadonlyArray<ScanResult>, StoreError>
  readonly listFailed: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<ReportedFailure>, StoreError>
  /** Adds failed cells from an export. They have no excerpts, because exports do not contain them. */
  readonly restoreFailed: (
    organizationId: OrganizationId,
    scanId: ScanId,
    cells: ReadonlyArray<FailedCell>
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/CellStore") {}
