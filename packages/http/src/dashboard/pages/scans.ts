/** The list of scans: what each asked, when, and with what result. */
import { pluralized } from "@sov/core/common"
import type { ScanListRow } from "@sov/core/scanning"
import { describeNoOverview, otherQuestions } from "@sov/core/scoring"
import { formatCount, formatDate, formatMinute, formatPercent, formatRange } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { pager } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, num, wide, wideNum } from "./lists.ts"
import { describeAsked, describeCost, narrowedTag, startButton, statusPill } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"

export interface ScansData {
  readonly rows: ReadonlyArray<ScanListRow>
  /** The cursor of this page; undefined for the first page. */
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  /** Whether the plan hides older scans. */
  readonly windowApplied: boolean
}

const row = (slug: string, { cells, scan, score, spent }: ScanListRow): Html =>
  html`<tr><th scope="row"><a href="${
    inOrganization(slug, `/scans/${scan.id}`)
  }"><time datetime="${scan.startedAt.toISOString()}">${formatMinute(scan.startedAt)}</time></a></th><td>${
    statusPill(scan)
  }${scan.simulated && html` <span class="tag">Simulated</span>`}${narrowedTag(scan)}</td><td class="num"><b>${
    formatPercent(score?.avgSov)
  }</b> <span class="range">${
    formatRange(score?.uncertainty?.interval)
  }</span></td><td class="wide">${scan.scanType}</td><td class="wide">${describeAsked(scan)}</td><td class="num wide">${
    formatCount(cells.answered)
  } / ${formatCount(cells.failed)}${describeNoOverview(cells.noOverview)}</td><td class="num wide">${
    describeCost(spent)
  }</td></tr>`

const nothingYet = (frame: Frame, { windowApplied }: ScansData): Html =>
  windowApplied && frame.since !== null
    ? html`<div class="empty"><h2>All scans are older than your plan shows</h2><p>Your plan shows scans since ${
      formatDate(frame.since)
    }. Older scans are kept, and a plan with a longer history shows them again.</p>${startButton(frame)}</div>`
    : html`<div class="empty"><h2>No scans yet</h2><p>A scan asks each question on each platform and archives every answer.</p>${
      startButton(frame)
    }</div>`

export const scansPage = (frame: Frame, data: ScansData): Html => {
  const { cursor, nextCursor, rows, windowApplied } = data
  const { organization: { slug }, since } = frame
  return layout(frame, {
    title: "Scans",
    here: "scans",
    simulated: rows.length > 0 && rows.every(({ scan }) => scan.simulated),
    summary: "Each scan asks your questions and archives the answers",
    actions: html`<span class="actions"><a class="button" href="${
      inOrganization(slug, "/scans.csv")
    }">Download CSV</a><a class="button" href="${inOrganization(slug, "/scans/compare")}">Compare two</a>${
      startButton(frame)
    }</span>`,
    body: html`${
      windowApplied && since !== null && rows.length > 0 &&
      html`<p class="note">Scans before ${formatDate(since)} are kept; a plan with a longer history shows them.</p>`
    }<section class="panel" aria-labelledby="scans"><header><h2 id="scans">All scans</h2></header>${
      rows.length === 0
        ? nothingYet(frame, data)
        : html`${
          dataTable(
            "scans",
            [
              "Started",
              "State",
              num("Share, 95 %"),
              wide("Type"),
              wide("Asked"),
              wideNum("Answers / failed"),
              wideNum("Cost")
            ],
            rows.map((one) => row(slug, one)),
            "stacked"
          )
        }<footer>95 %: ${otherQuestions}.</footer>${
          pager({
            label: "Pages of scans",
            words: `Newest first · ${pluralized(rows.length, "scan")} on this page`,
            at: (query) => inOrganization(slug, "/scans", query),
            isFirst: cursor === undefined,
            nextCursor
          })
        }`
    }</section>`
  })
}
