/**
 * A cell is one question of a scan: keyword × platform × sample. It ends `answered` (its answer is in the archive),
 * `failed` (out of attempts, or retrying cannot help) or `cancelled` (with its scan).
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
  /** What is sent: the keyword's text, or its wording of the view, after the view's line of context. */
  prompt: Schema.String,
  /** Whose view is asked for; left out = the standard one. */
  view: Schema.optionalKey(View),
  platform: PlatformId,
  /** 1 … samples */
  sample: Schema.Int,
  /** Calls made so far. */
  attempts: Schema.Int,
  firstAttemptAt: Schema.NullOr(Schema.Date)
})
export type Cell = typeof Cell.Type

/**
 * Why no answer came: `auth` the key is missing or refused · `no_credit` the account behind the key cannot pay ·
 * `rejected` the request itself is wrong (model, parameters) · `throttled` too many requests · `refused` the platform
 * gave no text because it declined · `empty` a well-formed answer without text · `timeout` the total deadline passed
 * · `too_large` the body passed its limit · `malformed` the body is not the documented format (also: cut) ·
 * `no_overview` the app shows none for this question · `unavailable` network or server error · `ended` there is no
 * such API or model (any more).
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

/** Whether a call brought what its platform has for the question: an answer, or that its app shows no overview. */
export const isAnswered = (outcome: PlatformFailure | "answered"): boolean =>
  outcome === "answered" || outcome === "no_overview"

/**
 * Why a cell has no answer: why its last call failed, `budget` when the month's budget of the platform or of
 * the organization is spent, or `suspended` when the organization is.
 */
export const CellFailureReason = Schema.Literals([...PlatformFailure.literals, "budget", "suspended"])
export type CellFailureReason = typeof CellFailureReason.Type

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32_767 }))

/** A cell that ended without an answer, with what its last call came to: never a key, and nothing of what was sent. */
export const FailedCell = Schema.Struct({
  cellId: CellId,
  keywordId: KeywordId,
  platform: PlatformId,
  /** 1 … samples */
  sample: Count.check(Schema.isGreaterThan(0)),
  /** Calls made. */
  attempts: Count,
  reason: CellFailureReason,
  message: Schema.String,
  /** Of HTTP. */
  status: Schema.NullOr(Count)
})
export type FailedCell = typeof FailedCell.Type

/** How cells stand. */
export interface CellTotals {
  readonly open: number
  readonly answered: number
  /** Without those whose app showed no overview. */
  readonly failed: number
  /** The app showed no overview for the question: a finding, and in no share. */
  readonly noOverview: number
  readonly cancelled: number
}

/** How a scan's cells stand on one platform; `calls` = platform calls made. */
export interface CellCounts extends CellTotals {
  readonly platform: PlatformId
  readonly calls: number
}
