/** The share of voice from a server, as text. */
import { describeQuestions, otherQuestions } from "@sov/core/scoring"
import type { Summary } from "@sov/http/fetch-client"
import { printable } from "../output/Output.ts"
import { askedText } from "../render/askedText.ts"
import { type Canvas, rangeText, scoreRows, wrapSentence } from "../render/scoreView.ts"

/** The share of voice, with a bar for each platform. */
export const summaryLines = (summary: Summary, canvas: Canvas): ReadonlyArray<string> => {
  const simulated = summary.simulated === true
  const rows = Object.entries(summary.platform_breakdown).map(([name, value]) => ({ name: printable(name), value }))
  const interval = summary.interval_95 == null ? "" : ` (95 %: ${rangeText(summary.interval_95)})`
  const part = summary.asked === undefined ? null : askedText(summary.asked)
  return [
    ...wrapSentence(`Share of voice ${summary.avg_sov ?? "-"} %${interval}`, canvas, simulated),
    ...summary.surface_line === undefined
      ? []
      : wrapSentence(`${printable(summary.surface_line)}.`, canvas, simulated),
    ...part === null ? [] : wrapSentence(`Its scan asked only ${part}.`, canvas, simulated),
    ...scoreRows(rows, canvas, simulated),
    ...summary.interval_95 == null || summary.questions == null ? [] : wrapSentence(
      `95 %: ${otherQuestions} (${
        describeQuestions({
          keywords: summary.questions,
          ...summary.topics == null ? {} : { topics: summary.topics }
        })
      }).`,
      canvas,
      simulated
    )
  ]
}
