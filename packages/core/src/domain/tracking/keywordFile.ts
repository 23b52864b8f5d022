/**
 * Files of keywords: CSV whose first line names the columns `text`, `tags` and `status`, or plain lines, a question
 * each. What cannot be taken is refused by its line; reading never fails.
 */
import { Schema } from "effect"
import { type CsvRecord, makeCsvReader } from "./csvRecords.ts"
import { type KeywordStatus, keywordStatuses, KeywordText, tidyKeyword } from "./Keyword.ts"
import { endsSentence } from "./Tag.ts"
import { readTagCell } from "./tagging.ts"
import { makeFileDecoder } from "./textBytes.ts"

/** The most keywords of one file; lines behind them are not read. */
const maxFileKeywords = 50_000
/** The most characters of one file that are read, in millions. */
const maxFileMillion = 32

/** A keyword as a line of a file gives it. */
export interface FiledKeyword {
  /** From 1. */
  readonly line: number
  /** Tidied (`tidyKeyword`). */
  readonly text: string
  readonly tags: ReadonlyArray<string>
  /** Null where the file does not say. */
  readonly status: KeywordStatus | null
}

/** A line that is not taken, and why. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
}

/** What a file says. */
export interface KeywordFile {
  readonly keywords: ReadonlyArray<FiledKeyword>
  readonly refused: ReadonlyArray<RefusedLine>
  /** Columns that mean nothing here. */
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
 * Whether these are names of columns, of which one is the text's: no name is longer than a few words, none ends a
 * sentence.
 */
const isHeader = (cells: ReadonlyArray<string>): boolean =>
  cells.some((cell) => findColumn(cell) === "text") && cells.every((cell) => /^[\p{L}\p{N} _-]{0,40}$/u.test(cell))

/** A first line of Excel's own that names the delimiter. */
const excelDelimiter = /^sep=(.)$/

const findDelimiter = (line: string): string | null =>
  excelDelimiter.exec(line)?.[1] ??
    [",", ";", "\t"].find((one) => isHeader(toHeader(line.split(one)))) ?? null

/** How many cells there are up to the last that is not blank. */
const countCells = (cells: ReadonlyArray<string>): number => cells.findLastIndex((cell) => cell.trim() !== "") + 1

const isText = Schema.is(KeywordText)

/** Takes the apostrophe off that an export puts before what a spreadsheet would run as a formula. */
const withoutGuard = (cell: string): string => /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell

/**
 * The cell with an apostrophe more where reading takes one off. Cells that begin like a formula get theirs from
 * `csvLine`.
 */
export const guardCell = (cell: string): string => /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell

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
 * Whether a cell of tags may be what stands behind a comma of a text without quotation marks: it ends a sentence, or
 * begins with a blank. Programs write no blank behind a delimiter, people do; where they do so in the header, too, it
 * means nothing.
 */
const isRestOfText = (cell: string, isSpaced: boolean): boolean =>
  endsSentence.test(cell.trim()) || (!isSpaced && /^\s+\S/.test(cell))

/** Why these columns cannot be told apart: two of them mean the same; null where none do. */
const findRepeated = (names: ReadonlyArray<string>): string | null => {
  const byMeaning = Map.groupBy(names.filter((name) => findColumn(name) !== null), findColumn)
  const repeated = [...byMeaning].find(([, same]) => same.length > 1)
  if (repeated === undefined) return null
  const [column, same] = repeated
  return `its columns ${same.map((name) => JSON.stringify(name)).join(" and ")} all mean ${column}: keep one of them`
}

/** The columns of a file, by what they mean; null before the header, `plain` where there is none. */
type Columns = { readonly [C in Column]?: number } | "plain" | null

/**
 * Makes a reader of a file's bytes. `push` takes the next piece and says whether more is wanted; `end` returns what the
 * file says.
 */
export const makeKeywordFileReader = () => {
  const keywords: Array<FiledKeyword> = []
  const refused: Array<RefusedLine> = []
  let ignoredColumns: ReadonlyArray<string> = []
  let columns: Columns = null
  /** How many columns the header names. */
  let width = 0
  let delimiter: string | null = null
  /** Whether the header has blanks behind its delimiters, so that those of other lines mean nothing. */
  let isSpaced = false
  let full = false
  let length = 0

  const refuse = (line: number, reason: string) => void refused.push({ line, reason })
  const stop = (line: number, reason: string) => {
    refuse(line, `${reason}: this line and those behind it are not read`)
    full = true
  }

  /** The columns that the first record names; null where it is Excel's own line. */
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
   * The cells of a record under a header. Of a text that is not quoted none gets lost at its delimiters: a line is all
   * text where there is no other column, and is refused where it has more cells than columns.
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
    if (typed !== "" && status === null) return `its status is none of ${keywordStatuses.join(", ")}`
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
