/**
 * A cell is one question of a scan: keyword × platform × sample. It ends as `answered` (its answer is in the archive),
 * `failed` (no attempts are left, or retrying cannot help) or `cancelled` (together with its scan).
 */
import { Schema } from "effect"
import { CellId, KeywordId, ScanId } from "../ids.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { View } from "../platforms/surface.ts"

export const CellState = Schema.Literals(["open", "answered", "failed", "cancelled"])
export type CellState = typeof CellState.Type

export const Cell = Schema.Struct({
  id: CellId,
  scanId: ScanId,
  keywordId: KeywordId,
  /** The text that is sent: the view's line of context, then the keyword's text or its wording in the view. */
  prompt: Schema.String,
  /** The view from which the question is asked; left out for the standard view. */
  view: Schema.optionalKey(View),
  platform: PlatformId,
  /** Number of the sample: 1 … samples */
  sample: Schema.Int,
  /** Number of calls that have been made. */
  attempts: Schema.Int,
  firstAttemptAt: Schema.NullOr(Schema.Date)
})
export type Cell = typeof Cell.Type

/**
 * Why a call returned no answer. `auth`: the key is missing or refused · `no_credit`: the account behind the key cannot
 * pay · `rejected`: the request itself is wrong (model, parameters) · `throttled`: too many requests · `refused`: the
 * platform declined to give a text · `empty`: a well-formed response without text · `timeout`: the total deadline
 * passed · `too_large`: the body exceeded its limit · `malformed`: the body is not in the documented format, or is cut
 * off · `no_overview`: the app shows no overview for this question · `unavailable`: network or server error · `ended`:
 * the API or model does not exist or no longer exists.
 */
export const PlatformFailure = Schema.Literals([
  "auth",
  "no_credit",
  "rejected",
  "throttled",
  "refused",
  "empty",
  "no_overview",
  "timeout",
  "too_large",
  "malformed",
  "unavailable",
  "ended"
])
export type PlatformFailure = typeof PlatformFailure.Type

/** Whether a call returned a result for the question: an answer, or the fact that the app shows no overview. */
export const isAnswered = (outcome: PlatformFailure | "answered"): boolean =>
  outcome === "answered" || outcome === "no_overview"

/**
 * Why a cell has no answer: the reason why its last call failed, `budget` if the monthly budget of the platform or the
 * organization is spent, or `suspended` if the organization is suspended.
 */
export const CellFailureReason = Schema.Literals([...PlatformFailure.literals, "budget", "suspended"])
export type CellFailureReason = typeof CellFailureReason.Type

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32_767 }))

/**
 * A cell that ended without an answer, with the outcome of its last call. It contains no key and no part of the
 * request.
 */
export const FailedCell = Schema.Struct({
  cellId: CellId,
  keywordId: KeywordId,
  platform: PlatformId,
  /** Number of the sample: 1 … samples */
  sample: Count.check(Schema.isGreaterThan(0)),
  attempts: Count,
  reason: CellFailureReason,
  message: Schema.String,
  /** HTTP status. */
  status: Schema.NullOr(Count)
})
export type FailedCell = typeof FailedCell.Type

/** Counts of cells by state. */
export interface CellTotals {
  readonly open: number
  readonly answered: number
  /** Failed cells, without those whose app showed no overview. */
  readonly failed: number
  /** Cells whose app showed no overview for the question. This is a valid finding that no share includes. */
  readonly noOverview: number
  readonly cancelled: number
}

/** Counts of a scan's cells on one platform; `calls` is the number of calls to the platform. */
export interface CellCounts extends CellTotals {
  readonly platform: PlatformId
  readonly calls: number
}

/** Adds up one count over the platforms of a scan. */
export const sumCounts = (counts: ReadonlyArray<CellCounts>, pick: (count: CellCounts) => number): number =>
  counts.reduce((sum, count) => sum + pick(count), 0)
