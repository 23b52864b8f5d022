/** The length of a result: clients truncate, store elsewhere or refuse longer ones. */

/** Characters of one result's JSON. */
export const resultBudget = 40_000

/** Characters around the rows. */
const frameChars = 2_000

/** Characters of all rows together. */
export const rowsBudget = resultBudget - frameChars

/** The first rows that fit into `room` characters of JSON, but at least one. */
export const takeFitting = <Row>(rows: ReadonlyArray<Row>, room: number = rowsBudget): ReadonlyArray<Row> => {
  let left = room
  const end = rows.findIndex((row, n) => {
    left -= JSON.stringify(row).length + 1
    return left < 0 && n > 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}
