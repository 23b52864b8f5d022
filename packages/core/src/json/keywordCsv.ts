/** Writes keywords as a CSV file that can be imported again. */
import type { Keyword } from "../domain/tracking/Keyword.ts"
import { addGuardApostrophes } from "../domain/tracking/keywordFile.ts"
import { csvLine } from "./csv.ts"

/** The names of the columns. */
export const keywordCsvHeader = csvLine(["text", "tags", "status"])

/** The line for a keyword with its tags; its text is written so that an import reads it back unchanged. */
export const keywordCsvLine = ({ status, text }: Keyword, tags: ReadonlyArray<string>): string =>
  csvLine([addGuardApostrophes(text), addGuardApostrophes(tags.join(", ")), status])
