/** Answers as lines of CSV: the same columns in `archive list` and `archive export`, whatever the rows hold. */
import { archiveCell, archiveColumns } from "@sov/core/archive"
import { csvLine } from "@sov/core/common"
import type { ArchiveRow } from "@sov/http/fetch-client"

/** The header line. */
export const csvHeader = csvLine(archiveColumns)

/** One row. */
export const csvRow = (row: ArchiveRow): string => csvLine(archiveColumns.map((column) => archiveCell(row, column)))
