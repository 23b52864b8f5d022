/** The axis of a chart of shares, which always begins at zero. */
export interface Axis {
  readonly top: number
  readonly ticks: ReadonlyArray<number>
}

/** Possible maximum values of the axis, each with the distance between its lines. */
const scales = [[4, 2], [8, 4], [12, 4], [20, 10], [30, 10], [40, 20], [60, 20], [80, 20], [100, 25]] as const

/** The smallest axis that reaches `highest` (0–100). */
export const makeAxis = (highest: number): Axis => {
  const [top, step] = scales.find(([one]) => one >= highest) ?? scales.at(-1)!
  return { top, ticks: Array.from({ length: top / step + 1 }, (_, i) => i * step) }
}
