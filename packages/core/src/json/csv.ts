/** Rows as clients open them in a spreadsheet. */

const csvField = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)
  // A spreadsheet would run a cell that begins like a formula (OWASP's list for CSV injection)
  const safe = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe
}

/** One CSV line (RFC 4180, CRLF), safe against spreadsheet formulas. */
export const csvLine = (values: ReadonlyArray<unknown>): string => values.map(csvField).join(",") + "\r\n"
