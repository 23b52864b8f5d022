/** Small line charts, one character a value. */

const blockLevels = "▁▂▃▄▅▆▇█"
const asciiLevels = "_.-~=+*#"

/**
 * The one scale that all rows of a table share: a scale of its own would make a small step of one row look like a
 * crash.
 */
export const findSharedMax = (rows: ReadonlyArray<ReadonlyArray<number | null>>): number =>
  Math.max(0, ...rows.flat().map((value) => value ?? 0))

/** Values from 0 to `max` as eight levels; a missing value stays blank, it is not 0. */
export const renderSparkline = (values: ReadonlyArray<number | null>, max: number, blocks: boolean): string => {
  const levels = blocks ? blockLevels : asciiLevels
  return values.map((value) => {
    if (value === null) return " "
    const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
    return levels.charAt(Math.round(share * (levels.length - 1)))
  }).join("")
}
