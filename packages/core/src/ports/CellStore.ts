/** CellStore keeps the work of running scans: which question is open, when it is due, how often it was asked. */
import { Context, type Effect } from "effect"
import type { ArchiveRow } from "../domain/archive/ArchiveRow.ts"
import type { AnswerId, CellId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { Cell, CellCounts, CellFailureReason, CellState, CellTotals, FailedCell } from "../domain/scanning/Cell.ts"
import type { AskedKeywords } from "../domain/scoring/asked.ts"
import type { StoreError } from "./StoreError.ts"

/** What is kept of a call that brought no answer. */
export interface CellFailure {
  readonly reason: CellFailureReason
  readonly message: string
  /** The first bytes of what came. */
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
  /** When its first open cell is due. */
  readonly dueAt: Date
}

/** Which scan a queue is of. */
export type NamedScan = Pick<ScanQueue, "organizationId" | "scanId">

/** A cell that only its claimer may ask, and that it must ask now or end. */
export interface ClaimedCell {
  /** With this call counted already. */
  readonly cell: Cell
  /** True when its calls were used up before: it must not be called again. */
  readonly exhausted: boolean
}

/** A failed cell for reports, with the first bytes of what came. */
export type ReportedFailure = FailedCell & Pick<CellFailure, "excerpt">

/** One question of a scan, with what its answer says. */
export interface KeywordCell extends Pick<Cell, "scanId" | "platform" | "sample"> {
  readonly state: CellState
  /** Null where it has none. */
  readonly answerId: AnswerId | null
  /** By its newest measurement; null without answer, or before it is measured. */
  readonly brandMentioned: boolean | null
}

/** Which results of a scan are asked for. */
export interface ResultFilters {
  readonly platform?: PlatformId
  readonly keywordId?: KeywordId
  /** Only these. */
  readonly keywordIds?: ReadonlyArray<KeywordId>
  /** Only answers that name the brand by their newest measurement. */
  readonly mentionedOnly?: boolean
}

/** A cell that ended: with an archived answer and what was measured in it, or failed and why. */
export interface ScanResult {
  readonly cellId: CellId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly sample: number
  /** Null when the cell failed. */
  readonly answer:
    | Pick<
      ArchiveRow,
      "id" | "brandMentioned" | "mentionCount" | "mentionPosition" | "sentiment" | "sentimentBy" | "sovScore"
    >
      & {
        /** Null while the answer is not measured, as is `competitorsMentioned`. */
        readonly trackedSetVersion: number | null
        readonly competitorsMentioned: ReadonlyArray<CompetitorId> | null
      }
    | null
  readonly failure: CellFailureReason | null
}

/** A cell that nobody has asked yet. */
export type OpenCell = Omit<Cell, "prompt" | "attempts" | "firstAttemptAt">

export class CellStore extends Context.Service<CellStore, {
  readonly insert: (
    organizationId: OrganizationId,
    cells: ReadonlyArray<OpenCell>,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * The queues of running scans with open cells on the platform beside those `inFlight`, the oldest scan first; either
   * the simulated scans or the real ones. Of every organization, or of the scans that are named: what is read then does
   * not grow with the others.
   */
  readonly queues: (
    platform: PlatformId,
    simulated: boolean,
    inFlight: ReadonlyArray<CellId>,
    which: "all" | ReadonlyArray<NamedScan>
  ) => Effect.Effect<ReadonlyArray<ScanQueue>, StoreError>
  /**
   * Takes up to `limit` open cells that are due at `now`, the longest waiting first, and counts a call for each. Cells
   * stay open until they end, so the claimer names its own `inFlight`; one platform has one claimer at a time.
   */
  readonly claim: (
    queue: NamedScan,
    platform: PlatformId,
    options: { readonly now: Date; readonly limit: number; readonly inFlight: ReadonlyArray<CellId> }
  ) => Effect.Effect<ReadonlyArray<ClaimedCell>, StoreError>
  /** How many cells are open in each running scan on each platform, of all organizations. */
  readonly listOpen: (
    simulated: boolean
  ) => Effect.Effect<
    ReadonlyArray<{ readonly organizationId: OrganizationId; readonly platform: PlatformId; readonly open: number }>,
    StoreError
  >
  /** Whether the scan has open cells. */
  readonly hasOpen: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<boolean, StoreError>
  /** Fails all open cells of one scan on one platform beside those `inFlight`, whenever they are due. */
  readonly failOpen: (
    queue: NamedScan,
    platform: PlatformId,
    inFlight: ReadonlyArray<CellId>,
    failure: CellFailure
  ) => Effect.Effect<void, StoreError>
  /** Ends the cell without an answer. */
  readonly fail: (organizationId: OrganizationId, id: CellId, failure: CellFailure) => Effect.Effect<void, StoreError>
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
  /** How the cells of each of these scans stand, over all platforms; a scan that is not there is left out. */
  readonly totals: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyMap<ScanId, CellTotals>, StoreError>
  /** The cells of one keyword in these scans, by scan, platform and sample. */
  readonly ofKeyword: (
    organizationId: OrganizationId,
    keywordId: KeywordId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyArray<KeywordCell>, StoreError>
  /** How many keywords are active now, and how many of these the scan asks. */
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
   * Up to `limit` answered and failed cells by keyword, platform and sample, from behind the cell `after` on; no texts.
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
  /** Adds failed cells that an export brings back. What no export holds is not known: no excerpt. */
  readonly restoreFailed: (
    organizationId: OrganizationId,
    scanId: ScanId,
    cells: ReadonlyArray<FailedCell>
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/CellStore") {}
