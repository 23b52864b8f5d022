/**
 * Reads a log in chunks as it arrives: detects its format and parses its lines into requests. Memory use is bounded.
 */
import { Result } from "effect"
import type { LoggedRequest } from "./classify.ts"
import { makeCombinedParser } from "./combinedLog.ts"
import type { FieldNames } from "./logFields.ts"
import { makeCsvParser, makeJsonParser, readHeader } from "./structuredLogs.ts"

/** The supported formats: Apache's combined log, JSON lines, CSV. */
export const logFormats = ["combined", "json", "csv"] as const
export type LogFormat = typeof logFormats[number]

/** Maximum length of a line in bytes. Longer lines are bad lines, because servers accept only shorter requests. */
const maxLineBytes = 65_536

const maxShownBadLines = 5

/** What has been found in a log so far. */
export interface LogTally {
  /** The format; null until a line reveals it. */
  format: LogFormat | null
  /** Number of lines that are not empty, without a CSV header. */
  lines: number
  badLines: number
  /** The first bad lines: number (from 1, counting empty lines) and reason, but never their content. */
  readonly firstBad: Array<{ readonly line: number; readonly reason: string }>
  /** Whether any line has a referrer, and whether any has a user agent. A log without them shows too little. */
  referrers: boolean
  userAgents: boolean
  /** Whether any line has the requested host. */
  hosts: boolean
}

interface Parser {
  readonly parse: (line: string) => LoggedRequest | string
  readonly trailing?: boolean
}

const detectFormat = (line: string): LogFormat | null => {
  if (line.startsWith("{") && makeJsonParser({})(line) !== "not JSON") return "json"
  if (typeof makeCombinedParser().parse(line) !== "string") return "combined"
  return null
}

/** Number of bad lines after which the reader gives up detecting the format. */
const maxTriedLines = 20

/**
 * Creates a reader. `onRequest` receives each request with the bytes of its line, which are valid only during the call.
 * `push` and `end` fail with one line if the log cannot be read at all, because its format is not recognised or its
 * header lacks a column.
 */
export const makeLogReader = (
  options: { readonly format?: LogFormat | undefined; readonly fields?: FieldNames | undefined },
  onRequest: (request: LoggedRequest, line: Uint8Array) => void
) => {
  const fields = options.fields ?? {}
  const tally: LogTally = {
    format: options.format ?? null,
    lines: 0,
    badLines: 0,
    firstBad: [],
    referrers: false,
    userAgents: false,
    hosts: false
  }
  let parser: Parser | null = null
  let number = 0
  let fault: string | null = null
  let rest: Buffer | null = null
  let skipping = false

  const countBadLine = (reason: string): void => {
    tally.lines++
    tally.badLines++
    if (tally.firstBad.length < maxShownBadLines) tally.firstBad.push({ line: number, reason })
  }

  /**
   * Returns the parser once the format is known. Returns null while the format is unknown, and for a CSV header, which
   * is consumed.
   */
  const startParser = (line: string): Parser | null => {
    const format = tally.format ?? detectFormat(line)
    if (format === "json") parser = { parse: makeJsonParser(fields) }
    else if (format === "combined") parser = makeCombinedParser()
    else {
      const header = readHeader(line, fields)
      if (Result.isSuccess(header)) parser = { parse: makeCsvParser(header.success) }
      else if (tally.format === "csv") fault = header.failure
      else {
        countBadLine("the format cannot be told")
        if (tally.badLines >= maxTriedLines) fault = "the format cannot be told"
      }
      if (parser !== null) tally.format = "csv"
      return null
    }
    tally.format = format
    return parser
  }

  const onLine = (buffer: Buffer, start: number, end: number, whole: boolean): void => {
    number++
    if (end > start && buffer[end - 1] === 0x0d) end--
    if (number === 1 && buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf) start += 3
    if (end <= start || fault !== null) return
    if (end - start > maxLineBytes) return countBadLine(`longer than ${maxLineBytes} bytes`)
    const line = buffer.toString("utf8", start, end)
    const using = parser ?? startParser(line)
    if (using === null) return
    const request = using.parse(line)
    if (typeof request === "string") return countBadLine(request)
    if (!whole && using.trailing === true) return countBadLine("the last line has no line end: it may not be whole yet")
    tally.lines++
    if (request.referrer !== "") tally.referrers = true
    if (request.userAgent !== "") tally.userAgents = true
    if (request.host !== "") tally.hosts = true
    onRequest(request, buffer.subarray(start, end))
  }

  const state = (): Result.Result<LogTally, string> => fault === null ? Result.succeed(tally) : Result.fail(fault)

  return {
    push: (chunk: Uint8Array): Result.Result<LogTally, string> => {
      const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const buffer: Buffer = rest === null ? fresh : Buffer.concat([rest, fresh])
      rest = null
      let start = 0
      for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, start)) {
        if (skipping) skipping = false
        else onLine(buffer, start, end, true)
        start = end + 1
      }
      if (skipping || start >= buffer.length) return state()
      if (buffer.length - start > maxLineBytes + 1) {
        onLine(buffer, start, buffer.length, true)
        skipping = true
      } else rest = Buffer.from(buffer.subarray(start))
      return state()
    },
    end: (): Result.Result<LogTally, string> => {
      if (rest !== null) onLine(rest, 0, rest.length, false)
      rest = null
      if (fault === null && tally.lines > 0 && parser === null) fault = "the format cannot be told"
      return state()
    }
  }
}
