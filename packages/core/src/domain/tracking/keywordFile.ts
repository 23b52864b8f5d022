/**
 * Reads files of keywords: CSV whose first line names the columns `text`, `tags` and `status`, or plain text with one
 * question per line. Invalid lines are refused one by one; reading never fails.
 */
import { Schema } from "effect"
import { type CsvRecord, makeCsvReader } from "./csvRecords.ts"
import { type KeywordStatus, keywordStatuses, KeywordText, tidyKeyword } from "./Keyword.ts"
import { endsSentence } from "./Tag.ts"
import { readTagCell } from "./tagging.ts"
import { makeFileDecoder } from "./textBytes.ts"

/** Maximum number of keywords per file; later lines are not read. */
const maxFileKeywords = 50_000
/** Maximum number of characters per file, in millions. */
const maxFileMillion = 32

/** A keyword in a line of a file. */
export interface FiledKeyword {
  /** The number of the line, from 1. */
  readonly line: number
  /** The text, as `tidyKeyword` returns it. */
  readonly text: string
  readonly tags: ReadonlyArray<string>
  /** Null if the file contains no status. */
  readonly status: KeywordStatus | null
}

/** A refused line with the reason. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
}

/** The content of a file. */
export interface KeywordFile {
  readonly keywords: ReadonlyArray<FiledKeyword>
  readonly refused: ReadonlyArray<RefusedLine>
  /** Names of unknown columns. */
  readonly ignoredColumns: ReadonlyArray<string>
}

const columnNames = {
  text: ["text", "keyword", "question", "prompt", "query"],
  tags: ["tags", "tag"],
  status: ["status"]
}
type Column = keyof typeof columnNames

const findColumn = (cell: string): Column | null =>
  (Object.keys(columnNames) as ReadonlyArray<Column>).find((one) => columnNames[one].includes(cell)) ?? null

const toHeader = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.map((cell) => cell.trim().replace(/^"(.*)"$/, "$1").trim().toLowerCase())

/**
 * Whether the cells are a header: one of them names the text column, none is longer than a few words, and none ends a
 * sentence.
 */
const isHeader = (cells: ReadonlyArray<string>): boolean =>
  cells.some((cell) => findColumn(cell) === "text") && cells.every((cell) => /^[\p{L}\p{N} _-]{0,40}$/u.test(cell))

/** Matches a first line with which Excel names the delimiter. */
const excelDelimiter = /^sep=(.)$/

const findDelimiter = (line: string): string | null =>
  excelDelimiter.exec(line)?.[1] ??
    [",", ";", "\t"].find((one) => isHeader(toHeader(line.split(one)))) ?? null

/** Number of cells up to the last cell that is not blank. */
const countCells = (cells: ReadonlyArray<string>): number => cells.findLastIndex((cell) => cell.trim() !== "") + 1

const isText = Schema.is(KeywordText)

/**
 * Matches the apostrophes with which exports protect formulas: at the start of a cell, and after separators within it.
 */
const guarded = /(?<=^|[,;\t])'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/g

/** Removes the apostrophes with which exports protect cells that look like formulas. */
const withoutGuard = (cell: string): string => cell.replace(guarded, "")

/** Adds an apostrophe wherever `withoutGuard` would remove one. `csvLine` adds one where a formula would start. */
export const addGuardApostrophes = (cell: string): string => cell.replace(guarded, "''")

const textFault = (text: string): string | null =>
  text.includes("\uFFFD")
    ? "it is not UTF-8: save the file as UTF-8"
    : text.includes("\0")
    ? "it holds NUL characters"
    : isText(text)
    ? null
    : tidyKeyword(text) === ""
    ? "it has no text"
    : "a keyword has 1–2,000 characters and no control characters"

/**
 * Whether a cell of tags may be the rest of an unquoted text after a comma: it ends a sentence or starts with a space.
 * Programs write no space after a delimiter, but people do; a space is ignored if the header also contains one.
 */
const isRestOfText = (cell: string, isSpaced: boolean): boolean =>
  endsSentence.test(cell.trim()) || (!isSpaced && /^\s+\S/.test(cell))

/** Why the columns are ambiguous: two of them have the same meaning; null if they are not. */
const findRepeated = (names: ReadonlyArray<string>): string | null => {
  const byMeaning = Map.groupBy(names.filter((name) => findColumn(name) !== null), findColumn)
  const repeated = [...byMeaning].find(([, same]) => same.length > 1)
  if (repeated === undefined) return null
  const [column, same] = repeated
  return `its columns ${same.map((name) => JSON.stringify(name)).join(" and ")} all mean ${column}: keep one of them`
}

/** The columns of a file by meaning; null before the header is read, `plain` without a header. */
type Columns = { readonly [C in Column]?: number } | "plain" | null

/**
 * Creates a reader of a file's bytes. `push` reads the next piece and returns whether to continue; `end` returns the
 * content of the file.
 */
export const makeKeywordFileReader = () => {
  const keywords: Array<FiledKeyword> = []
  const refused: Array<RefusedLine> = []
  let ignoredColumns: ReadonlyArray<string> = []
  let columns: Columns = null
  /** Number of columns in the header. */
  let width = 0
  let delimiter: string | null = null
  /** Whether the header has spaces after its delimiters, so that spaces in other lines mean nothing. */
  let isSpaced = false
  let full = false
  let length = 0

  const refuse = (line: number, reason: string) => void refused.push({ line, reason })
  const stop = (line: number, reason: string) => {
    refuse(line, `${reason}: this line and those behind it are not read`)
    full = true
  }

  /** The columns that the first record names; null for Excel's delimiter line. */
  const readColumns = ({ cells, line }: CsvRecord): Columns => {
    if (cells.length > 1 && cells[0] === "sep=") return null
    const names = toHeader(cells)
    if (!isHeader(names)) return "plain"
    const repeated = findRepeated(names)
    if (repeated !== null) stop(line, repeated)
    width = countCells(names)
    isSpaced = cells.slice(1).some((cell) => /^\s/.test(cell))
    ignoredColumns = names.filter((name) => name !== "" && findColumn(name) === null)
    return Object.fromEntries(names.map((name, n) => [findColumn(name), n]).filter(([column]) => column !== null))
  }

  /**
   * Fits the cells of a record to the header. An unquoted text is never cut at its delimiters: if there is no other
   * column, the whole line is the text; otherwise a line with more cells than columns is refused.
   */
  const fitCells = (cells: ReadonlyArray<string>): ReadonlyArray<string> | string => {
    const count = countCells(cells)
    if (count <= width) return cells
    const quoted = delimiter === null || cells.some((cell) => cell.includes(delimiter!) || cell.includes("\n"))
    return width === 1 && !quoted
      ? [cells.slice(0, count).join(delimiter!)]
      : "it has more cells than the first line has columns: quote texts that hold the delimiter"
  }

  const readKeyword = ({ cells: given, line }: CsvRecord, named: Exclude<Columns, null>): FiledKeyword | string => {
    if (named === "plain") {
      const text = given[0]!
      return textFault(text) ?? { line, text: tidyKeyword(text), tags: [], status: null }
    }
    const cells = fitCells(given)
    if (typeof cells === "string") return cells
    const cellOf = (column: Column): string => {
      const n = named[column]
      return n === undefined ? "" : withoutGuard(cells[n] ?? "")
    }
    const text = cellOf("text")
    const fault = textFault(text)
    if (fault !== null) return fault
    const tagCell = cellOf("tags")
    if (isRestOfText(tagCell, isSpaced)) return "its tags look like the rest of its text: quote the text"
    const tags = readTagCell(tagCell)
    if ("fault" in tags) return tags.fault
    const typed = cellOf("status").trim().toLowerCase()
    const status = keywordStatuses.find((one) => one === typed) ?? null
    if (typed !== "" && status === null) return `its status is not one of ${keywordStatuses.join(", ")}`
    return { line, text: tidyKeyword(text), tags, status }
  }

  const onRecord = (record: CsvRecord) => {
    if (full) return
    const { fault, line } = record
    if (columns === null && fault === null) {
      columns = readColumns(record)
      if (columns !== "plain") return
    }
    if (keywords.length + refused.length >= maxFileKeywords) {
      return stop(line, `the file has more than ${maxFileKeywords.toLocaleString("en-US")} keywords`)
    }
    if (fault !== null) return refuse(line, fault)
    const read = readKeyword(record, columns!)
    if (typeof read === "string") refuse(line, read)
    else keywords.push(read)
  }

  const chooseDelimiter = (line: string): string | null => delimiter = findDelimiter(line)
  const decoder = makeFileDecoder()
  const reader = makeCsvReader(chooseDelimiter, onRecord)
  const readText = (text: string): void => {
    length += text.length
    reader.push(text)
    if (!full && length > maxFileMillion * 1_000_000) {
      stop(reader.line(), `the file has more than ${maxFileMillion} million characters`)
    }
  }
  return {
    push: (bytes: Uint8Array): boolean => {
      if (!full) readText(decoder.push(bytes))
      return !full
    },
    end: (): KeywordFile => {
      if (!full) readText(decoder.end())
      if (!full) reader.end()
      return { keywords, refused, ignoredColumns }
    }
  }
}
