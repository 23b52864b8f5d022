/** The length of a result: clients truncate, store elsewhere or refuse longer ones. */

/** Characters of one result's JSON. */
export const resultBudget = 40_000

/** Characters around the rows. */
const frameChars = 2_000

/** Characters of all rows together. */
export const rowsBudget = resultBudget - frameChars

/** How many rows of these lengths in JSON fit into `room` characters; at least the first does. */
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
