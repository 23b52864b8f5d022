/** Limits the length of results, because clients truncate longer ones, store them elsewhere, or refuse them. */

/** Maximum length of a result's JSON in characters. */
export const resultBudget = 40_000

/** Characters reserved for the JSON around the rows. */
const frameChars = 2_000

/** Maximum length of all rows together in characters. */
export const rowsBudget = resultBudget - frameChars

/** How many rows fit into `room` characters of JSON, but at least one. `lengthOf` returns the JSON length of a row. */
export const countFitting = <Row>(
  rows: ReadonlyArray<Row>,
  lengthOf: (row: Row) => number,
  room: number = rowsBudget
): number => {
  let left = room
  const end = rows.findIndex((row, n) => {
    left -= lengthOf(row) + 1
    return left < 0 && n > 0
  })
  return end === -1 ? rows.length : end
}

/** The first rows that fit into `room` characters of JSON, but at least one. */
export const takeFitting = <Row>(rows: ReadonlyArray<Row>, room: number = rowsBudget): ReadonlyArray<Row> =>
  rows.slice(0, countFitting(rows, (row) => JSON.stringify(row).length, room))
