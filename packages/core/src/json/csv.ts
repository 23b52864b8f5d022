/** Rows for clients that open them in a spreadsheet. */

/** The separator between two cells. Spreadsheets in places with a decimal comma expect a semicolon. */
export const csvSeparators = { comma: ",", semicolon: ";", tab: "\t" } as const
export type CsvSeparator = keyof typeof csvSeparators

/**
 * Matches places where a spreadsheet that splits at another separator than the file's would start a cell with a
 * formula.
 */
const innerFormulas: { readonly [separator: string]: RegExp } = {
  ",": /(?<=[;\t])(?=[=+\-@＝＋－＠])/g,
  ";": /(?<=[,\t])(?=[=+\-@＝＋－＠])/g,
  "\t": /(?<=[,;])(?=[=+\-@＝＋－＠])/g
}

const csvField = (value: unknown, separator: string): string => {
  const innerFormula = innerFormulas[separator]!
  const text = value === null || value === undefined
    ? ""
    : typeof value === "string"
    ? value.replace(innerFormula, "'")
    : JSON.stringify(value, (_, inner) => typeof inner === "string" ? inner.replace(innerFormula, "'") : inner)
  // A spreadsheet would execute a cell that begins like a formula (OWASP's list for CSV injection)
  const safe = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe
}

/** One CSV line (RFC 4180, CRLF), safe against spreadsheet formulas. */
export const csvLine = (values: ReadonlyArray<unknown>, separator: CsvSeparator = "comma"): string =>
  values.map((value) => csvField(value, csvSeparators[separator])).join(csvSeparators[separator]) + "\r\n"
