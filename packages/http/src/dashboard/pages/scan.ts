/** One scan: its live progress while it runs, and its result afterwards. */
import { pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { CellCounts, FailureGroup, ScanDetail, ScanWork } from "@sov/core/scanning"
import {
  type BlindAlert,
  changeToPlan,
  describeBlindAlert,
  describeNoOverview,
  type TagShare,
  tooFewAnswers
} from "@sov/core/scoring"
import { headline } from "../charts/headline.ts"
import { formatCount, formatMinute, formatPercent, formatRange } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, tagField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, numeric, wideNumeric } from "./lists.ts"
import { describeAsked, describeCost, formatDuration, narrowedNote, progressTable, reasonWords } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { noScoreWords, platformName } from "./words.ts"

export interface ScanData {
  readonly detail: ScanDetail
  /** The progress of a running scan; null once it has ended. */
  readonly work: ScanWork | null
  /** The tag whose share is shown; null = no tag is selected. */
  readonly tag: string | null
  /** Tags in use. */
  readonly tags: ReadonlyArray<string>
  /** Null if the scan has no score, or no answer with the tag. */
  readonly tagShare: TagShare | null
  /** Number of active workers, which all scans share. */
  readonly workers: number
  /**
   * An alert rule that needs more questions than this scan asked; null if no rule does, or if this is not the newest
   * scan.
   */
  readonly blindAlert: BlindAlert | null
}

/** The state of the scan, and how long it took. */
const describeState = ({ at }: Frame, { scan }: ScanDetail): string => {
  const took = formatDuration((scan.completedAt ?? at).getTime() - scan.startedAt.getTime())
  switch (scan.status) {
    case "running":
      return `running for ${took}`
    case "completed":
      return `completed in ${took}`
    case "failed":
      return `failed after ${took}: no answers received${scan.quotaPeriod === null ? ", no quota used" : ""}`
    case "cancelled":
      return `cancelled after ${took}: its answers are kept`
  }
}

const progressPanel = (frame: Frame, { platforms, scan }: ScanWork, workers: number): Html =>
  html`<section class="panel" aria-labelledby="progress" data-events="${
    inOrganization(frame.organization.slug, `/scans/${scan.id}/events`).href
  }"><header><h2 id="progress">Progress</h2><p>This page updates automatically.</p></header>${
    progressTable(frame, platforms)
  }${
    workers === 0 &&
    html`<footer>No worker is active, so this scan is waiting. <code>sov scan resume ${scan.id}</code> or <code>sov worker</code> continues it.</footer>`
  }</section>`

const sharePanel = ({ score, surface }: ScanDetail): Fragment =>
  score !== null &&
  html`<section class="panel headline" aria-labelledby="share">${
    headline({
      id: "share",
      title: "Share of voice",
      value: score.avgSov,
      surface,
      uncertainty: score.uncertainty,
      change: "Compare it with another scan to see what changed.",
      next: null
    })
  }</section>`

const platformRow = (frame: Frame, { scan, score, spending }: ScanDetail, one: CellCounts): Html =>
  html`<tr><th scope="row"><a class="plain" href="${
    inOrganization(frame.organization.slug, "/answers", { scan_id: scan.id, platform: one.platform })
  }">${visible(platformName(frame, one.platform))}</a></th><td class="num"><b>${
    formatPercent(score?.platformBreakdown[one.platform])
  }</b></td><td class="range">${formatRange(score?.uncertainty?.platforms[one.platform])}</td><td class="num">${
    formatCount(one.answered)
  }</td><td class="num">${formatCount(one.failed)}${describeNoOverview(one.noOverview)}</td><td class="num">${
    formatCount(one.open + one.cancelled)
  }</td><td class="num wide">${
    describeCost(scan.simulated ? null : spending.find(({ platform }) => platform === one.platform) ?? null)
  }</td></tr>`

const platformsPanel = (frame: Frame, detail: ScanDetail): Html =>
  html`<section class="panel" aria-labelledby="platforms"><header><h2 id="platforms">By platform</h2><a href="${
    inOrganization(frame.organization.slug, "/answers", { scan_id: detail.scan.id })
  }">All answers of this scan</a></header>${
    dataTable(
      "platforms",
      [
        "Platform",
        numeric("Share"),
        "95 %",
        numeric("Answers"),
        numeric("Failed"),
        numeric("Not asked"),
        wideNumeric("Cost")
      ],
      detail.counts.map((one) => platformRow(frame, detail, one))
    )
  }</section>`

const tagShareTable = (frame: Frame, { scan }: ScanDetail, tag: string, share: TagShare): Html => {
  const link = (platform?: PlatformId) =>
    inOrganization(frame.organization.slug, "/answers", { scan_id: scan.id, platform, tag })
  return dataTable(
    "tag",
    ["Platform", numeric("Share"), "95 %", numeric("Answers"), numeric("Questions")],
    [
      html`<tr><th scope="row"><a class="plain" href="${link()}">All platforms</a></th><td class="num"><b>${
        formatPercent(share.sov)
      }</b></td><td class="range">${
        share.interval === null ? tooFewAnswers : formatRange(share.interval)
      }</td><td class="num">${formatCount(share.n)}</td><td class="num">${formatCount(share.keywords)}</td></tr>`,
      ...share.platforms.map(({ platform, sov }) =>
        html`<tr><th scope="row"><a class="plain" href="${link(platform)}">${
          visible(platformName(frame, platform))
        }</a></th><td class="num"><b>${formatPercent(sov)}</b></td><td></td><td></td><td></td></tr>`
      )
    ]
  )
}

/** The share of the questions with a tag. The scan itself need not be limited to that tag. */
const tagPanel = (frame: Frame, { detail, tag, tagShare, tags }: ScanData): Fragment => {
  const { scan, score } = detail
  const { slug } = frame.organization
  if (score === null || (tags.length === 0 && tag === null)) return null
  return html`<section class="panel" aria-labelledby="tag"><header><h2 id="tag">By tag</h2>${
    tag !== null &&
    html`<a href="${inOrganization(slug, `/scans/${scan.id}/results.csv`, { tag })}">Its questions as CSV</a>`
  }</header>${filterForm(inOrganization(slug, `/scans/${scan.id}`), tagField(tags, tag ?? undefined))}${
    tag !== null && (tagShare === null
      ? html`<p class="small">This scan has no answers to questions tagged ${visible(tag)}.</p>`
      : tagShareTable(frame, detail, tag, tagShare))
  }</section>`
}

const failureItem = (frame: Frame, { count, example, platforms, reason }: FailureGroup): Html =>
  html`<li><h3>${reasonWords[reason]}: ${pluralized(count, "question")}</h3><p class="small">${
    platforms.map((one) => `${visible(platformName(frame, one.platform))} ${one.count}`).join(", ")
  }</p><p class="small">${example.status !== null && `HTTP ${example.status} · `}${visible(example.message)}</p>${
    example.excerpt !== null &&
    html`<details class="data"><summary>Start of the response</summary><p class="raw mono" dir="auto">${
      visible(example.excerpt)
    }</p></details>`
  }</li>`

const failuresPanel = (frame: Frame, { failures }: ScanDetail): Fragment =>
  failures.length > 0 &&
  html`<section class="panel" aria-labelledby="failures"><header><h2 id="failures">Why questions have no answer</h2></header><ul class="sources">${
    failures.map((group) => failureItem(frame, group))
  }</ul></section>`

const sealPanel = ({ scan, seals }: ScanDetail): Html =>
  html`<section class="panel" aria-labelledby="seal"><header><h2 id="seal">Seal</h2></header>${
    seals.length === 0
      ? html`<p class="small">${
        scan.status === "running" ? "The scan is sealed when it ends." : "This scan has no seal."
      }</p>`
      : seals.map(({ hash, leafCount, sealedAt, sequence }) =>
        html`<dl class="side"><dt>Seal</dt><dd>${sequence}, over ${
          pluralized(leafCount, "answer")
        }</dd><dt>Made</dt><dd>${formatMinute(sealedAt)}</dd><dt>Hash</dt><dd class="mono">${
          Buffer.from(hash).toString("hex")
        }</dd></dl>`
      )
  }</section>`

const actions = ({ organization: { slug }, role }: Frame, { scan }: ScanDetail): Html =>
  html`<span class="actions"><a class="button" href="${
    inOrganization(slug, `/scans/${scan.id}/results.csv`)
  }">Download CSV</a>${
    scan.status === "completed" &&
    html`<a class="button" href="${inOrganization(slug, "/scans/compare", { after: scan.id })}">Compare</a>`
  }${
    scan.status === "running" && atLeast(role, "member") &&
    html`<a class="button danger" href="${inOrganization(slug, `/scans/${scan.id}/cancel`)}">Cancel…</a>`
  }</span>`

const blindNote = (blind: BlindAlert | null): Fragment =>
  blind !== null &&
  html`<p class="note warn">${describeBlindAlert(blind)}. <code>sov scan plan --change ${
    changeToPlan(blind)
  }</code> shows how many would.</p>`

export const scanPage = (frame: Frame, data: ScanData): Html => {
  const { blindAlert, detail, work, workers } = data
  const { scan, score } = detail
  const { slug } = frame.organization
  return layout(frame, {
    title: `Scan of ${formatMinute(scan.startedAt)}`,
    here: "scans",
    simulated: scan.simulated,
    refreshes: work !== null,
    summary: html`<a href="${inOrganization(slug, "/scans")}">Scans</a> · ${scan.scanType} · ${
      describeState(frame, detail)
    } · ${describeAsked(scan)}`,
    actions: actions(frame, detail),
    body: html`${narrowedNote(scan)}<div class="grid">${work !== null && progressPanel(frame, work, workers)}${
      scan.status === "completed" && score === null &&
      html`<p class="note warn">This scan has no score: ${noScoreWords.completed}. Run <code>sov rescore</code> to measure it.</p>`
    }${blindNote(blindAlert)}${sharePanel(detail)}${work === null && platformsPanel(frame, detail)}${
      tagPanel(frame, data)
    }${failuresPanel(frame, detail)}${sealPanel(detail)}</div>`
  })
}
