/** The reasons why questions of a scan have no answer, grouped for readers. */
import type { PlatformId } from "../platforms/Platform.ts"
import type { CellFailureReason, FailedCell } from "./Cell.ts"

/** A failed cell with the first bytes of the response. */
export type ExplainedFailure = FailedCell & { readonly excerpt: string | null }

/** The cells that failed for the same reason. */
export interface FailureGroup {
  readonly reason: CellFailureReason
  readonly count: number
  /** Platforms by id, each with its number of failed cells. */
  readonly platforms: ReadonlyArray<{ readonly platform: PlatformId; readonly count: number }>
  /** One cell of the group: the first cell with an excerpt, or else the first cell. */
  readonly example: ExplainedFailure
}

/** Failed cells by reason, most frequent first. */
export const groupFailures = (failures: ReadonlyArray<ExplainedFailure>): ReadonlyArray<FailureGroup> =>
  [...Map.groupBy(failures, ({ reason }) => reason)]
    .map(([reason, own]) => ({
      reason,
      count: own.length,
      platforms: [...Map.groupBy(own, ({ platform }) => platform)]
        .map(([platform, its]) => ({ platform, count: its.length }))
        .toSorted((a, b) => a.platform < b.platform ? -1 : 1),
      example: own.find(({ excerpt }) => excerpt !== null) ?? own[0]!
    }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
