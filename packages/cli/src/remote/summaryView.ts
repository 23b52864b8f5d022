/** The share of voice that a server returns, as text. */
import type { Summary } from "@sov/http/fetch-client"
import { printable } from "../output/Output.ts"
import { type Canvas, scoreRows, wrapSentence } from "../render/scoreView.ts"

/** The number, and a bar for each platform. */
export const summaryLines = (summary: Summary, canvas: Canvas): ReadonlyArray<string> => {
  const simulated = summary.simulated === true
  const rows = Object.entries(summary.platform_breakdown).map(([name, value]) => ({ name: printable(name), value }))
  return [
    ...wrapSentence(`Share of voice ${summary.avg_sov} %`, canvas, simulated),
    ...scoreRows(rows, canvas, simulated)
  ]
}
