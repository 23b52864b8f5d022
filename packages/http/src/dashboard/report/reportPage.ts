/** The page of a report: the content of the dashboard on one sheet, created from the report's evidence. */
import { defaultPlace, pluralized } from "@sov/core/common"
import { namePlatform } from "@sov/core/platforms"
import type { Logo, ReportEvidence, ReportFigures, ShownMentions } from "@sov/core/reports"
import { describeNoOverview } from "@sov/core/scoring"
import { dataAddress } from "../Address.ts"
import { formatCalendarDay, formatMinute, withPlace } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { simulatedBanner } from "../pages/layout.ts"
import { visible } from "../visible.ts"
import { footLine } from "./footLine.ts"
import { experimentsPanel } from "./reportExperiments.ts"
import { gradePanel } from "./reportGrade.ts"
import { nextPanel } from "./reportNext.ts"
import { reportNotes } from "./reportNotes.ts"
import {
  answersPanel,
  headlinePanel,
  methodPanel,
  movedPanel,
  namedPanel,
  platformsPanel,
  questionsPanel,
  type Sheet,
  sourcesPanel
} from "./reportPanels.ts"

/**
 * Version of the page produced from given evidence. Increase it when a word, number or drawing of the page changes:
 * files of other versions are not compared character by character.
 */
export const pageVersion = 5

const periodWords = ({ evidence: { header: { from, to } } }: Sheet): string =>
  from === null && to === null
    ? ""
    : ` · period${from === null ? "" : ` from ${formatCalendarDay(from)}`}${
      to === null ? "" : ` to ${formatCalendarDay(to)}`
    }`

/** The title of the report. */
export const titleOf = ({ header, scans, sets }: ReportEvidence): string => {
  const set = sets.find(({ version }) => version === scans[0]?.measured?.tracked_set_version)
  const { tag } = header
  return header.title ??
    `Share of voice of ${set?.brand.name ?? header.organization}${tag === undefined ? "" : `: ${tag}`}`
}

const makePage = (
  evidence: ReportEvidence,
  figures: ReportFigures,
  logo: Logo | null,
  mentions: ShownMentions
): Html => {
  const { header } = evidence
  const labels = new Map(header.labels)
  const sheet: Sheet = {
    evidence,
    figures,
    mentions,
    nameOf: (id) => {
      const label = labels.get(id)
      return namePlatform(label === undefined ? { id } : { id, label })
    }
  }
  const { scan, score } = figures.standing.report
  return html`<main id="main">
${scan.simulated && simulatedBanner}
<header class="cover">${logo !== null && html`<img alt="" src="${dataAddress(logo.type, logo.bytes)}">`}<div><h1>${
    visible(titleOf(evidence))
  }</h1>
<p>${visible(header.organization)} · scan of ${formatMinute(scan.completedAt ?? scan.startedAt)} · ${
    pluralized(score.resultsCount, "answer")
  }, ${score.failedCount} failed${describeNoOverview(score.noOverviewCount)}${
    score.unmeasuredCount === 0 ? "" : `, ${score.unmeasuredCount} not measured`
  }${periodWords(sheet)}</p></div></header>
${reportNotes(sheet)}<div class="grid">
${headlinePanel(sheet)}${movedPanel(sheet)}${platformsPanel(sheet)}${namedPanel(sheet)}${questionsPanel(sheet)}${
    sourcesPanel(sheet)
  }${nextPanel(sheet)}${experimentsPanel(sheet)}${gradePanel(figures)}${methodPanel(sheet)}${answersPanel(sheet)}</div>
<footer class="foot">${footLine(header)}</footer>
</main>
`
}

/** Everything between `<body>` and the evidence. Each value that a check compares is on its own line. */
export const reportPage = (
  evidence: ReportEvidence,
  figures: ReportFigures,
  logo: Logo | null,
  mentions: ShownMentions
): Html => {
  const { locale, time_zone: timeZone } = evidence.header
  const place = { locale: locale ?? defaultPlace.locale, timeZone: timeZone ?? defaultPlace.timeZone }
  return withPlace(place, () => makePage(evidence, figures, logo, mentions))
}
