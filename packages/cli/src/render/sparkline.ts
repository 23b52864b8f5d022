/** Draws small line charts with one character per value. */

const blockLevels = "▁▂▃▄▅▆▇█"
const asciiLevels = "_.-~=+*#"

/**
 * The scale for all rows of a table. If each row had its own scale, a small step in one row would look like a crash.
 */
export const findSharedMax = (rows: ReadonlyArray<ReadonlyArray<number | null>>): number =>
  Math.max(0, ...rows.flat().map((value) => value ?? 0))

/** Renders values from 0 to `max` as eight levels. A missing value is blank rather than 0. */
export const renderSparkline = (values: ReadonlyArray<number | null>, max: number, blocks: boolean): string => {
  const levels = blocks ? blockLevels : asciiLevels
  return values.map((value) => {
    if (value === null) return " "
    const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
    return levels.charAt(Math.round(share * (levels.length - 1)))
  }).join("")
}
