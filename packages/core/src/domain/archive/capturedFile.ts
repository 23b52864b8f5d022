/**
 * Files of answers that people captured in apps: CSV whose first line names the columns, or NDJSON with the same
 * members. Invalid lines are refused one by one; reading never fails.
 */
import { Result, Schema } from "effect"
import { Name } from "../organizations/Organization.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { makeCsvReader } from "../tracking/csvRecords.ts"
import { KeywordText, tidyKeyword } from "../tracking/Keyword.ts"
import type { RefusedLine } from "../tracking/keywordFile.ts"
import { makeFileDecoder } from "../tracking/textBytes.ts"
import { isArchivable } from "./Answer.ts"

/** Maximum length of the text of a captured answer, and maximum numbers of answers and characters in a file. */
const [maxText, maxAnswers, maxCharacters] = [200_000, 10_000, 64_000_000]

const CapturedTime = Schema.String.check(
  Schema.makeFilter((text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
      ? true
      : "must be a time with its zone such as 2026-11-28T14:05:00Z"
  )
)

/** An answer that a person saw in an app, with the person, account and time. */
export const CapturedAnswer = Schema.Struct({
  platform: PlatformId,
  question: KeywordText,
  text: Schema.String.check(
    Schema.makeFilter((text) =>
      text.trim() !== "" && text.length <= maxText && isArchivable(text)
        ? true
        : "must be 1–200,000 characters of text"
    )
  ),
  captured_at: CapturedTime,
  /** The name of the person who captured it. */
  captured_by: Name,
  /** State of the account, such as "logged out", "free", or "Plus, memory off". */
  account: Name
})
export type CapturedAnswer = typeof CapturedAnswer.Type

const members = Object.keys(CapturedAnswer.fields) as ReadonlyArray<keyof CapturedAnswer>
const decode = Schema.decodeUnknownResult(CapturedAnswer)

/** Decodes one answer; fails with the reason for refusing it, in one line. */
const decodeCaptured = (input: unknown): Result.Result<CapturedAnswer, string> =>
  Result.mapBoth(decode(input), {
    onSuccess: (answer) => ({ ...answer, question: tidyKeyword(answer.question) }),
    onFailure: (error) => error.message.replace(/\s+/g, " ")
  })

/** Who saw a captured answer, with which account and when, as the person who imported it states. */
export type Sighting = Pick<CapturedAnswer, "captured_by" | "account" | "captured_at">

/** The sighting that the payload of a captured answer records; null without a payload, as in an imported export. */
export const readSighting = (payload: Uint8Array | null): Sighting | null =>
  payload === null
    ? null
    : Result.match(decode(parseLine(Buffer.from(payload).toString("utf8"))), {
      onSuccess: ({ account, captured_at, captured_by }) => ({ captured_by, account, captured_at }),
      onFailure: () => null
    })

/** "seen in an app by Mia, account free, captured 2026-11-28 10:00 UTC" */
export const describeSighting = (sighting: Sighting | null): string =>
  sighting === null
    ? "seen in an app"
    : `seen in an app by ${sighting.captured_by}, account ${sighting.account}, captured ${
      new Date(sighting.captured_at).toISOString().slice(0, 16).replace("T", " ")
    } UTC`

/** The content of a file. */
export interface CapturedFile {
  readonly answers: ReadonlyArray<CapturedAnswer & { readonly line: number }>
  readonly refused: ReadonlyArray<RefusedLine>
}

const parseLine = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the bytes of a file. */
export const readCapturedFile = (bytes: Uint8Array): CapturedFile => {
  const answers: Array<CapturedFile["answers"][number]> = []
  const refused: Array<RefusedLine> = []
  const decoder = makeFileDecoder()
  const text = decoder.push(bytes) + decoder.end()
  const take = (line: number, input: unknown) => {
    const read = answers.length >= maxAnswers
      ? Result.fail(`a file has at most ${maxAnswers.toLocaleString("en-US")} answers`)
      : decodeCaptured(input)
    if (Result.isFailure(read)) refused.push({ line, reason: read.failure })
    else answers.push({ ...read.success, line })
  }
  if (text.length > maxCharacters) refused.push({ line: 1, reason: "the file has more than 64 million characters" })
  else if (/^\s*\{/.test(text)) {
    text.split(/\r?\n/).forEach((line, n) => line.trim() === "" || take(n + 1, parseLine(line)))
  } else {
    let columns: ReadonlyArray<string> | null = null
    const choose = (line: string) => [",", ";", "\t"].find((one) => line.split(one).length >= members.length) ?? ","
    const reader = makeCsvReader(choose, ({ cells, fault, line }) => {
      if (fault !== null) refused.push({ line, reason: fault })
      else if (columns !== null) take(line, Object.fromEntries(columns.map((name, n) => [name, cells[n] ?? ""])))
      else columns = cells.map((cell) => cell.trim().toLowerCase())
    }, 2 * maxText)
    reader.push(text)
    reader.end()
    const missing = members.filter((name) => columns?.includes(name) !== true)
    if (missing.length > 0) {
      return { answers: [], refused: [{ line: 1, reason: `the first line lacks the columns ${missing.join(", ")}` }] }
    }
  }
  return { answers, refused }
}
