/** Reads records of delimited text (RFC 4180, as spreadsheets write it) in pieces and in bounded memory. */

/** A record and the number of its first line, from 1. `fault` is the reason why its cells are unreliable. */
export interface CsvRecord {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly fault: string | null
}

/**
 * Maximum length of a record, which is more than a question with all its tags needs even if every character is escaped.
 */
const longestQuestion = 16_384

const unclosed = "a quotation mark is not closed"
const textBehindQuotes = "there is text after a closing quotation mark"

interface Line {
  readonly line: number
  readonly text: string
}

/** A record with an open quoted cell. */
interface OpenRecord {
  readonly lines: Array<Line>
  readonly cells: Array<string>
  cell: string
  quoted: boolean
  length: number
  fault: string | null
}

/** Reads a line of a record. */
const readLine = (record: OpenRecord, text: string, delimiter: string | null): void => {
  let closed = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (record.quoted) {
      if (char !== "\"") record.cell += char
      else if (text[at + 1] === "\"") {
        record.cell += char
        at++
      } else {
        record.quoted = false
        closed = true
      }
    } else if (char === delimiter) {
      record.cells.push(record.cell)
      record.cell = ""
      closed = false
    } else if (char === "\"" && delimiter !== null && record.cell === "" && !closed) record.quoted = true
    else {
      if (closed && char.trim() !== "") record.fault = textBehindQuotes
      record.cell += char
    }
  }
}

/**
 * Creates a reader of records, which end with LF, CRLF or CR. `chooseDelimiter` receives the first line that is not
 * blank; if it returns null, each line is one cell. Blank lines are not records. A quotation mark that is not closed
 * within `maxRecordLength` characters invalidates only its own line; reading continues with the line after it.
 */
export const makeCsvReader = (
  chooseDelimiter: (line: string) => string | null,
  onRecord: (record: CsvRecord) => void,
  maxRecordLength = longestQuestion
) => {
  const tooLong = `it is longer than ${maxRecordLength.toLocaleString("en-US")} characters`
  let delimiter: string | null | undefined
  let open: OpenRecord | null = null
  /** The start of an incomplete line, and whether its rest is refused. */
  let rest = ""
  let skipping = false
  let heldCr = false
  let number = 0

  /** Refuses the first line of the open record and returns the lines after it. */
  const giveUp = ({ lines: [first, ...others] }: OpenRecord): ReadonlyArray<Line> => {
    open = null
    onRecord({ line: first!.line, cells: [], fault: unclosed })
    return others
  }

  const takeLines = (given: ReadonlyArray<Line>) => {
    const queue = [...given]
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (open === null && next.text.trim() === "") continue
      if (delimiter === undefined) delimiter = chooseDelimiter(next.text)
      const record: OpenRecord = open ?? { lines: [], cells: [], cell: "", quoted: false, length: 0, fault: null }
      if (open !== null) record.cell += "\n"
      record.lines.push(next)
      record.length += next.text.length + 1
      readLine(record, next.text, delimiter)
      if (record.quoted && record.length > maxRecordLength) queue.unshift(...giveUp(record))
      else if (record.quoted) open = record
      else {
        open = null
        const cells = [...record.cells, record.cell]
        if (record.fault !== null || cells.some((cell) => cell.trim() !== "")) {
          onRecord({ line: record.lines[0]!.line, cells, fault: record.fault })
        }
      }
    }
  }

  const refuseLong = (line: number) => {
    while (open !== null) takeLines(giveUp(open))
    onRecord({ line, cells: [], fault: tooLong })
  }
  const takeLine = (text: string) => {
    number++
    if (!skipping && text.length > maxRecordLength) refuseLong(number)
    else if (!skipping) takeLines([{ line: number, text }])
    skipping = false
  }

  return {
    /** Reads the next piece of the text. */
    push: (piece: string): void => {
      const text = (heldCr ? "\r" : "") + piece
      heldCr = text.endsWith("\r")
      const lines = (heldCr ? text.slice(0, -1) : text).replace(/\r\n?/g, "\n").split("\n")
      const last = lines.pop()!
      for (const line of lines) {
        const whole = rest + line
        rest = ""
        takeLine(whole)
      }
      if (skipping) return
      rest += last
      if (rest.length <= maxRecordLength) return
      refuseLong(number + 1)
      rest = ""
      skipping = true
    },
    /** The number of the next line. */
    line: (): number => number + 1,
    /** Ends the text and reads an incomplete record. */
    end: (): void => {
      if (rest !== "" && !skipping) takeLine(rest)
      while (open !== null) takeLines(giveUp(open))
    }
  }
}
