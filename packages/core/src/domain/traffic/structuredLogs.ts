/** Logs with named fields: JSON lines, and CSV with a header. */
import { Result } from "effect"
import type { LoggedRequest } from "./classify.ts"
import { type FieldNames, listFieldNames, type LogField, logFields, readLoggedRequest } from "./logFields.ts"

type Parse = (line: string) => LoggedRequest | string

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value under a name, or under the path that its dots describe: `request.headers.User-Agent`. */
const getValueAt = (record: { readonly [name: string]: unknown }, name: string): unknown => {
  if (Object.hasOwn(record, name)) return record[name]
  if (!name.includes(".")) return undefined
  let value: unknown = record
  for (const part of name.split(".")) {
    if (Array.isArray(value) && /^\d{1,4}$/.test(part)) value = value[Number(part)]
    else if (isRecord(value) && Object.hasOwn(value, part)) value = value[part]
    else return undefined
  }
  return value
}

/** Creates a parser for lines with one JSON object each. */
export const makeJsonParser = (own: FieldNames): Parse => {
  const names = Object.fromEntries(logFields.map((field) => [field, listFieldNames(field, own)])) as {
    readonly [F in LogField]: ReadonlyArray<string>
  }
  return (line) => {
    let record: unknown
    try {
      record = JSON.parse(line)
    } catch {
      return "not JSON"
    }
    if (!isRecord(record)) return "not a JSON object"
    const found = record
    return readLoggedRequest((field) => {
      for (const name of names[field]) {
        const value = getValueAt(found, name)
        if (value !== undefined && value !== null) return value
      }
      return undefined
    })
  }
}

/**
 * Splits one CSV line into fields (RFC 4180); null if a quote is not closed or is followed by other text. A record
 * never continues on the next line: log fields contain no line breaks, and one open quote must not consume the rest of
 * a file.
 */
const splitCsvFields = (line: string, separator: string): ReadonlyArray<string> | null => {
  if (!line.includes("\"")) return line.split(separator)
  const fields: Array<string> = []
  let at = 0
  while (true) {
    let end: number
    if (line[at] === "\"") {
      let close = at + 1
      while (true) {
        close = line.indexOf("\"", close)
        if (close === -1) return null
        if (line[close + 1] !== "\"") break
        close += 2
      }
      end = close + 1
      if (end < line.length && line[end] !== separator) return null
      fields.push(line.slice(at + 1, close).replaceAll("\"\"", "\""))
    } else {
      end = line.indexOf(separator, at)
      if (end === -1) end = line.length
      fields.push(line.slice(at, end))
    }
    if (end >= line.length) return fields
    at = end + 1
  }
}

const separators = [",", ";", "\t"]

/** The header of a CSV log: the column of each field. */
export interface CsvHeader {
  readonly separator: string
  readonly width: number
  readonly columns: ReadonlyMap<LogField, number>
}

/** Finds the columns; fails with one line if the log lacks a column that every request needs. */
export const readHeader = (line: string, own: FieldNames): Result.Result<CsvHeader, string> => {
  const separator = separators.reduce((best, one) => line.split(one).length > line.split(best).length ? one : best)
  const titles = splitCsvFields(line, separator)
  if (titles === null || titles.length < 2) return Result.fail("the first line is no header")
  const lower = titles.map((title) => title.trim().toLowerCase())
  const columns = new Map<LogField, number>()
  for (const field of logFields) {
    for (const name of listFieldNames(field, own)) {
      const column = lower.indexOf(name.toLowerCase())
      if (column === -1) continue
      columns.set(field, column)
      break
    }
    if (own[field] !== undefined && !columns.has(field)) {
      return Result.fail(`the header has no column ${JSON.stringify(own[field])}`)
    }
  }
  if (!columns.has("time")) return Result.fail("the header has no column of the time")
  if (!columns.has("url") && !columns.has("request")) return Result.fail("the header has no column of the URL")
  return Result.succeed({ separator, width: titles.length, columns })
}

/** Creates a parser for the lines after the header. */
export const makeCsvParser = ({ columns, separator, width }: CsvHeader): Parse => (line) => {
  const fields = splitCsvFields(line, separator)
  if (fields === null) return "a quote is not closed"
  if (fields.length !== width) return `${fields.length} fields instead of ${width}`
  return readLoggedRequest((field) => {
    const column = columns.get(field)
    return column === undefined ? undefined : fields[column]
  })
}
