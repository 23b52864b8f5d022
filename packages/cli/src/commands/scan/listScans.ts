/** Prints the scans of a database or a server for `sov scan list`. */
import { type Output, printable } from "../../output/Output.ts"
import { type AskedJson, askedText } from "../../render/askedText.ts"
import { shareCell } from "./shareCell.ts"

/** A scan in the JSON of lists; servers of earlier releases leave out the optional members. */
interface ListedScan {
  readonly id: string
  readonly status: string
  readonly scan_type: string
  readonly started_at: string
  readonly avg_sov?: number | null
  readonly asked?: AskedJson
  readonly interval_95?: { readonly low: number; readonly high: number } | null
  readonly simulated?: boolean
}

/** A flat row for spreadsheets; the part that a narrowed scan asked is in words, as in `sov score -o csv`. */
const csvRow = ({ asked, interval_95, ...scan }: ListedScan) => ({
  ...scan,
  low: interval_95?.low ?? null,
  high: interval_95?.high ?? null,
  asked: asked === undefined ? null : askedText(asked)
})

export const listScans = (out: Output, scans: ReadonlyArray<ListedScan>): void => {
  const empty = "No scans yet: sov scan runs one."
  if (out.format === "csv") return out.list(scans.map(csvRow), [], { empty })
  out.list(scans, [
    { header: "STARTED", cell: (row) => printable(row.started_at) },
    { header: "STATUS", cell: (row) => printable(row.status) },
    { header: "TYPE", cell: (row) => printable(row.scan_type) },
    { header: "SOV", cell: shareCell },
    { header: "ID", cell: (row) => printable(row.id) }
  ], { wrap: { scans }, empty })
}
