/** Answers as lines of CSV: the same columns in `archive list` and `archive export`, whatever the rows hold. */
import { csvLine } from "@sov/core"
import type { ArchiveRow } from "@sov/http/fetch-client"

const fields = [
  "id",
  "scan_id",
  "platform",
  "keyword_id",
  "prompt_used",
  "raw_response",
  "brand_mentioned",
  "mention_count",
  "mention_position",
  "sentiment",
  "sentiment_by",
  "sov_score",
  "created_at",
  "simulated"
] as const satisfies ReadonlyArray<keyof ArchiveRow>

/** The header line. */
export const csvHeader = csvLine(fields)

/** One row. CSV has one header for all rows, so every row says whether it is simulated. */
export const csvRow = (row: ArchiveRow): string =>
  csvLine(fields.map((field) => field === "simulated" ? row.simulated === true : row[field]))
