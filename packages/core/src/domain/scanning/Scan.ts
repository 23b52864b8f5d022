/**
 * A scan asks every active keyword on every configured platform, `samples` times each.
 *
 * | from | to | when | | --- | --- | --- | | running | completed | every cell ended and at least one answer is archived
 * | | running | failed | every cell ended and no answer is archived; its quota unit is given back once | | running |
 * cancelled | the operator cancelled it; archived answers stay |
 *
 * `completed`, `failed` and `cancelled` are terminal: they never change, which the database also enforces.
 */
import { Schema } from "effect"
import { ScanId } from "../ids.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { Surface, View } from "../platforms/surface.ts"

export const ScanStatus = Schema.Literals(["running", "completed", "failed", "cancelled"])
export type ScanStatus = typeof ScanStatus.Type

/** `manual`: started through CLI or API · `scheduled`: started by a schedule, without using the monthly quota. */
export const ScanType = Schema.Literals(["manual", "scheduled"])
export type ScanType = typeof ScanType.Type

export const Scan = Schema.Struct({
  id: ScanId,
  status: ScanStatus,
  scanType: ScanType,
  platforms: Schema.Array(PlatformId),
  /** How often each keyword is asked on each platform, 1–5. */
  samples: Schema.Int,
  /** Number of cells: keywords × platforms × samples */
  cellCount: Schema.Int,
  simulated: Schema.Boolean,
  /** Version of the tracked set at the start. */
  trackedSetVersion: Schema.Int,
  /** The month whose quota the scan used (`YYYY-MM`); null if it used none or the unit was returned. */
  quotaPeriod: Schema.NullOr(Schema.String),
  startedAt: Schema.Date,
  /** When the scan reached a terminal state; null while it is running. */
  completedAt: Schema.NullOr(Schema.Date),
  /**
   * What the scan could have asked when it started: the number of active keywords, and of configured platforms of its
   * kind; left out if unknown.
   */
  askable: Schema.optionalKey(Schema.Struct({ keywords: Schema.Int, platforms: Schema.Int })),
  /** The surface of the scan's platforms; left out if unknown, and for simulated or recorded answers. */
  surface: Schema.optionalKey(Surface),
  /** The view from which the scan asks; left out for the standard view (no market, no context). */
  view: Schema.optionalKey(View)
})
export type Scan = typeof Scan.Type

/**
 * Whether two scans have the same surface and view. Only such scans are compared or added up. Earlier releases asked
 * APIs from the standard view.
 */
export const isOneSeries = (one: Pick<Scan, "surface" | "view">, other: Pick<Scan, "surface" | "view">): boolean =>
  (one.surface === "app") === (other.surface === "app") &&
  JSON.stringify(one.view ?? null) === JSON.stringify(other.view ?? null)

type Series = Pick<Scan, "simulated" | "surface" | "view">

/** Whether two scans are one series, and both simulated or both real. */
export const isSameKind = (one: Series, other: Series): boolean =>
  one.simulated === other.simulated && isOneSeries(one, other)
