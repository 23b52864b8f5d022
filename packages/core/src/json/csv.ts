/** Rows as clients open them in a spreadsheet. */

/** What stands between two cells. Spreadsheets of places with a decimal comma expect a semicolon. */
export const csvSeparators = { comma: ",", semicolon: ";", tab: "\t" } as const
export type CsvSeparator = keyof typeof csvSeparators

const csvField = (value: unknown, separator: string): string => {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)
  // A spreadsheet would run a cell that begins like a formula (OWASP's list for CSV injection)
  const safe = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe
}

/** One CSV line (RFC 4180, CRLF), safe against spreadsheet formulas. */
export const csvLine = (values: ReadonlyArray<unknown>, separator: CsvSeparator = "comma"): string =>
  values.map((value) => csvField(value, csvSeparators[separator])).join(csvSeparators[separator]) + "\r\n"
