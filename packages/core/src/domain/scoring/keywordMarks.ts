/** What one platform came to, scan by scan, when it was asked one question. */
import type { AnswerId, ScanId } from "../ids.ts"
import type { Cell, CellState } from "../scanning/Cell.ts"

/** `unmeasured` = answered, but nobody has looked for names in it yet. */
export type KeywordMarkState = "named" | "not-named" | "unmeasured" | "failed" | "cancelled" | "open"

/** What one scan came to; of several samples the one that stands first in `KeywordMarkState`. */
export interface KeywordMark {
  readonly state: KeywordMarkState
  /** The answer that the state speaks of; null where there is none. */
  readonly answerId: AnswerId | null
}

export interface KeywordMarks {
  /** One a scan, in the order given; null = it was not asked there. */
  readonly marks: ReadonlyArray<KeywordMark | null>
  /** Scans in which an answer names the brand. */
  readonly named: number
  /** Scans with a measured answer. */
  readonly answered: number
}

/** A question of a scan, as `CellStore.ofKeyword` gives it. */
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

/** The cells of one platform, seen scan by scan. */
export const markScans = (scanIds: ReadonlyArray<ScanId>, cells: ReadonlyArray<MarkedCell>): KeywordMarks => {
  const byScan = Map.groupBy(cells, ({ scanId }) => scanId)
  const marks = scanIds.map((id) =>
    (byScan.get(id) ?? []).map(markOf).toSorted((a, b) => rank[a.state] - rank[b.state])[0] ?? null
  )
  const count = (...states: ReadonlyArray<KeywordMarkState>) =>
    marks.filter((mark) => mark !== null && states.includes(mark.state)).length
  return { marks, named: count("named"), answered: count("named", "not-named") }
}
