/** Notes above the figures of a report about their limits. Each value that a check compares is on its own line. */
import { brandedOnlyNote } from "@sov/core/common"
import type { ReportEvidence, ReportFigures } from "@sov/core/reports"
import { describeBlindAlert, formatAsked, formatNarrowing } from "@sov/core/scoring"
import { formatDate, formatNumber } from "../charts/numbers.ts"
import { type Fragment, html } from "../html.ts"
import { visible } from "../visible.ts"

interface Noted {
  readonly evidence: ReportEvidence
  readonly figures: ReportFigures
}

/** States how many questions of the newest scan have the report's tag. */
const tagNote = ({ header: { tag }, keywords, scans: [scan] }: ReportEvidence): Fragment => {
  if (tag === undefined) return null
  const asked = scan?.measured?.asked ?? []
  const tagged = asked.filter((at) => keywords[at]?.tagged === true).length
  return html`<p class="note">Only questions with the tag ${
    visible(tag)
  } are counted: ${tagged} of the ${asked.length} that its scan asked. Which questions have a tag is stated here, not sealed.</p>
`
}

/** Names the narrowed scans in the trend, except the scan of the report itself. */
const courseNote = ({ figures: { standing: { report, trend } } }: Noted): Fragment => {
  const narrowed = trend.flatMap(({ scan }) => {
    const part = scan.id === report.scan.id ? null : formatNarrowing(scan)
    return part === null ? [] : [`that of ${formatDate(scan.startedAt)} ${part}`]
  })
  return narrowed.length > 0 &&
    html`<p class="note">Narrowed scans of its course asked only a part: ${narrowed.join("; ")}.</p>
`
}

/** The notes that apply to this report. */
export const reportNotes = (sheet: Noted): Fragment => {
  const { evidence, figures: { blindAlert, standing: { report: { score } } } } = sheet
  const part = formatAsked(evidence.header.asked)
  return [
    tagNote(evidence),
    part !== null && html`<p class="note warn">Its scan asked only ${part}.</p>
`,
    courseNote(sheet),
    score.brandedOnly && html`<p class="note warn">${brandedOnlyNote}</p>
`,
    blindAlert !== null &&
    html`<p class="note warn">${describeBlindAlert(blindAlert, (points) => formatNumber(points, 1))}.</p>
`
  ]
}
