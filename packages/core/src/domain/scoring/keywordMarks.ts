/** The results of one question on one platform, scan by scan. */
import type { AnswerId, ScanId } from "../ids.ts"
import type { Cell, CellState } from "../scanning/Cell.ts"

/** `unmeasured`: answered, but not measured yet. */
export type KeywordMarkState = "named" | "not-named" | "unmeasured" | "failed" | "cancelled" | "open"

/** The result of one scan. With several samples, it is the result that comes first in `KeywordMarkState`. */
export interface KeywordMark {
  readonly state: KeywordMarkState
  /** The answer that determines the state; null without an answer. */
  readonly answerId: AnswerId | null
}

export interface KeywordMarks {
  /** One mark per scan, in the given order; null if the scan did not ask the question. */
  readonly marks: ReadonlyArray<KeywordMark | null>
  /** Number of scans in which an answer names the brand. */
  readonly named: number
  /** Number of scans with a measured answer. */
  readonly answered: number
}

/** A cell as `CellStore.ofKeyword` returns it. */
interface MarkedCell extends Pick<Cell, "scanId"> {
  readonly state: CellState
  readonly answerId: AnswerId | null
  readonly brandMentioned: boolean | null
}

const rank: { readonly [state in KeywordMarkState]: number } = {
  named: 0,
  "not-named": 1,
  unmeasured: 2,
  failed: 3,
  cancelled: 4,
  open: 5
}

const markOf = ({ answerId, brandMentioned, state }: MarkedCell): KeywordMark => ({
  answerId,
  state: state !== "answered"
    ? state
    : brandMentioned === null
    ? "unmeasured"
    : brandMentioned
    ? "named"
    : "not-named"
})

/** Groups the cells of one platform by scan. */
export const markScans = (scanIds: ReadonlyArray<ScanId>, cells: ReadonlyArray<MarkedCell>): KeywordMarks => {
  const byScan = Map.groupBy(cells, ({ scanId }) => scanId)
  const marks = scanIds.map((id) =>
    (byScan.get(id) ?? []).map(markOf).toSorted((a, b) => rank[a.state] - rank[b.state])[0] ?? null
  )
  const count = (...states: ReadonlyArray<KeywordMarkState>) =>
    marks.filter((mark) => mark !== null && states.includes(mark.state)).length
  return { marks, named: count("named"), answered: count("named", "not-named") }
}
