/** Formats answers as lines of CSV. `archive list` and `archive export` use the same columns for all rows. */
import { archiveCell, archiveColumns } from "@sov/core/archive"
import { csvLine } from "@sov/core/common"
import type { ArchiveRow } from "@sov/http/fetch-client"

/** Header line of the CSV. */
export const csvHeader = csvLine(archiveColumns)

/** One answer as a line of CSV. */
export const csvRow = (row: ArchiveRow): string => csvLine(archiveColumns.map((column) => archiveCell(row, column)))
