/** The overview: the brand's share, its uncertainty, and recent events. */
import { brandedOnlyNote, pluralized } from "@sov/core/common"
import {
  type ComparedPeriods,
  definitionWords,
  describeBreak,
  describeBreaks,
  describeNoOverview,
  describeNotComparable,
  describeTrend,
  formatAsked,
  formatNarrowing,
  otherQuestions,
  type Overview,
  type PeriodFacts,
  rankOf,
  type Standing,
  surfaceLineOf,
  type Trust,
  type Voice,
  type VoiceDefinition,
  type VoiceShare
} from "@sov/core/scoring"
import type { ActionReport } from "@sov/core/sources"
import { estimateBar, shareBar, shareClasses, sparkline, sparklineTop } from "../charts/bars.ts"
import { headline, type HeadlineData } from "../charts/headline.ts"
import { heatTable } from "../charts/heat.ts"
import { formatDate, formatDay, formatMinute, formatPercent, formatPoints, formatRange } from "../charts/numbers.ts"
import { trendFigure, type TrendPoint } from "../charts/trend.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { nextActionsPanel } from "./actions.ts"
import { evidencePanel } from "./evidence.ts"
import { explainButton } from "./explain.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, hidden, intervalColumn, numeric } from "./lists.ts"
import { emptyPeriod, filePeriod, formatPeriod, periodBar, type PeriodContent } from "./period.ts"
import { inQuestions, narrowedTag, startButton } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { spotPanel } from "./spot.ts"
import { alertTitles, describeAlert, noScoreWords, platformName } from "./words.ts"

const changeWords = { names: "other names", rules: "other rules" } as const

/** The points of the trend chart. */
export const makeTrendPoints = (trend: Standing["trend"]): ReadonlyArray<TrendPoint> => {
  const lastChange = trend.findLastIndex(({ changed }) => changed !== null)
  return trend.map(({ breaks, changed, comparable, interval, scan, sov }, i) => ({
    at: scan.startedAt,
    value: sov,
    interval,
    ...sov === null ? { note: noScoreWords[scan.status] } : {},
    ...changed !== null
      ? { changed: changeWords[changed] }
      : breaks.length > 0
      ? { changed: breaks.map((one) => `${one.platform}: ${describeBreak(one)}`).join("; ") }
      : {},
    // Measured with the same names and rules as the newest scan, but not comparable, because too few questions are the
    // same
    ...sov !== null && !comparable && i >= lastChange ? { partial: true } : {}
  }))
}

/** The change of the headline, or why no change can be shown. */
export const describeChange = ({ report: { movements, period } }: Standing): HeadlineData["change"] => {
  const { comparison, previous } = movements
  if (comparison === null) {
    return period !== undefined
      ? "There is no scan of an earlier period to compare with."
      : previous === null
      ? "There is no earlier scan to compare with."
      : `${describeNotComparable(`The scan of ${formatDate(previous.startedAt)}`)}.`
  }
  const { before, breaks, trend } = comparison
  if (trend === null) return describeTrend(comparison)
  const since = period?.against == null ? before.startedAt : formatPeriod(period.against)
  return { ...trend, since, ...breaks.length === 0 ? {} : { note: describeBreaks(breaks) } }
}

/** A share of the brand under another definition of voice, titled as on "Why tools disagree". */
const smallFigure = (definition: VoiceDefinition, { interval, value }: VoiceShare): Fragment =>
  value !== null &&
  html`<div><dt>${definitionWords[definition].title}</dt><dd>${formatPercent(value)}${
    interval !== null && html` <span class="range">${formatRange(interval)}, ${otherQuestions}</span>`
  }</dd></div>`

/** The mention rate and the share of answers that name the brand first. Of a period, only the former is counted. */
const smallFigures = (voice: Voice | null, period: PeriodFacts | undefined): Fragment => [
  period !== undefined && smallFigure("mention_rate", period.mentionRate),
  voice?.columns.filter(({ definition }) => definition === "mention_rate" || definition === "named_first").map(
    ({ definition, shares }) => smallFigure(definition, shares[0]!)
  )
]

const headlinePanel = (
  frame: Frame,
  overview: Overview & { readonly standing: Standing },
  voice: Voice | null
): Html => {
  const { annotations, standing, threshold } = overview
  const { report: { movements, period, scan, score, trackedSet }, trend } = standing
  const { avgSov, competitors } = score
  return html`<section class="panel headline grid" aria-labelledby="sov"><div>${
    headline({
      id: "sov",
      title: `Share of voice of ${visible(trackedSet.brand.name)}`,
      value: score.avgSov,
      surface: surfaceLineOf(standing.report),
      uncertainty: score.uncertainty,
      change: describeChange(standing),
      next: movements.next,
      explain: explainButton
    })
  }<p class="small"><a href="${
    inOrganization(frame.organization.slug, "/definitions")
  }">Why tools disagree</a></p></div><div>${
    trendFigure({
      id: "trend",
      title: `Share of voice of ${visible(trackedSet.brand.name)}`,
      points: makeTrendPoints(trend),
      simulated: scan.simulated,
      height: 260,
      annotations,
      ...threshold === null ? {} : { threshold }
    })
  }<dl class="figures">${
    avgSov !== null && competitors.length > 0 &&
    html`<div><dt>Rank${explainButton("rank")}</dt><dd>${rankOf(avgSov, competitors.map(({ sov }) => sov))} of ${
      competitors.length + 1
    } <span class="range">tracked brands, by share</span></dd></div>`
  }${smallFigures(voice, period)}</dl><p class="small">${
    period !== undefined && "Named first is counted for the latest scan only. "
  }<a href="${inOrganization(frame.organization.slug, "/annotations")}">Annotations</a></p></div></section>`
}

/** One sentence that lists the changes beyond noise. */
const describeMoved = (frame: Frame, { report: { movements: { comparison }, period } }: Standing): string | null => {
  if (comparison === null || comparison.trend === null) return null
  const moved = comparison.platforms.filter(({ beyondNoise }) => beyondNoise)
  const since = period?.against == null
    ? `since ${formatDate(comparison.before.startedAt)}`
    : `against ${formatPeriod(period.against)}`
  return moved.length === 0
    ? `No platform moved by more than noise ${since}.`
    : `Beyond noise ${since}: ${
      moved.map(({ delta, id }) => `${platformName(frame, id)} ${formatPoints(delta)}`).join(", ")
    }.`
}

/** The days of the period, as query parameters for the page of answers. */
const daysOf = ({ report: { period } }: Standing) =>
  period === undefined ? {} : {
    from: period.period.from.toISOString().slice(0, 10),
    to: period.period.to.toISOString().slice(0, 10)
  }

const platformsPanel = (frame: Frame, standing: Standing): Html => {
  const { slug } = frame.organization
  const top = sparklineTop(standing.platforms.flatMap(({ course }) => course))
  const moved = describeMoved(frame, standing)
  return html`<section class="panel" aria-labelledby="platforms"><header><h2 id="platforms">By platform</h2><p>${
    pluralized(standing.report.history.length, "comparable scan")
  }</p></header>
${
    dataTable(
      "platforms",
      [
        { title: "Platform", about: "platform" },
        numeric("Share"),
        intervalColumn,
        { title: "0–100 %", class: "scale" },
        hidden("Trend")
      ],
      standing.platforms.map(({ course, failed, interval, lowCoverage, noOverview, platform, sov }) =>
        html`<tr class="own"><th scope="row"><a class="plain" href="${
          inOrganization(slug, `/platforms/${platform}`)
        }">${visible(platformName(frame, platform))}</a>${
          (failed > 0 || noOverview > 0 || lowCoverage) &&
          html`<br><small>${
            [
              failed > 0 && `${failed} failed`,
              noOverview > 0 && `${noOverview} without an overview`,
              lowCoverage && "few answers"
            ].filter(Boolean).join(", ")
          }</small>`
        }</th><td class="num"><b>${formatPercent(sov)}</b></td><td class="range">${formatRange(interval)}</td><td>${
          estimateBar(sov, interval)
        }</td><td>${sparkline(course, top)}</td></tr>`
      )
    )
  }${moved !== null && html`<footer>${moved}</footer>`}</section>`
}

const namedPanel = (frame: Frame, { named }: Standing): Html => {
  const everybody = named.filter(({ who }) => who !== "nobody")
  const looks = shareClasses(everybody.map(({ who }) => ({ isBrand: who === "brand" })))
  const rows = named.map((one) => ({ ...one, look: looks[everybody.indexOf(one)] ?? ("none" as const) }))
  return html`<section class="panel" aria-labelledby="named"><header><h2 id="named">Who is named</h2><a href="${
    inOrganization(frame.organization.slug, "/competitors")
  }">All competitors</a></header>${shareBar(rows.map(({ look, sov }) => ({ look, share: sov ?? 0 })))}
<div class="scroll" tabindex="0" role="group" aria-labelledby="named"><table class="names"><thead><tr><th scope="col">Name</th><th scope="col" class="num">Share</th><th scope="col">95 %</th><th scope="col" class="scale">0–100 %</th></tr></thead><tbody>
${
    rows.map(({ id, interval, look, name, sov, who }) =>
      html`<tr${attributes({ class: who === "brand" && "you" })}><th scope="row"><i class="key ${look}"></i>${
        who === "nobody"
          ? "No tracked brand"
          : id === null
          ? visible(name ?? "")
          : html`<a class="plain" href="${inOrganization(frame.organization.slug, `/competitors/${id}/share`)}">${
            visible(name ?? id)
          }</a>`
      }</th><td class="num"><b>${formatPercent(sov)}</b></td><td class="range">${formatRange(interval)}</td><td>${
        estimateBar(sov, interval)
      }</td></tr>`
    )
  }</tbody></table></div></section>`
}

const questionsPanel = (frame: Frame, standing: Standing): Html => {
  const { keywordCount, keywords, platforms } = standing
  const { slug } = frame.organization
  const days = daysOf(standing)
  return html`<section class="panel" aria-labelledby="questions"><header><h2 id="questions">Questions and platforms</h2><p>${
    keywords.length < keywordCount
      ? `The ${keywords.length} weakest of ${keywordCount}`
      : `All ${keywordCount}, weakest first`
  }; each share links to its answers</p><a href="${inOrganization(slug, "/keywords")}">All questions</a></header>${
    heatTable({
      labelledBy: "questions",
      columns: platforms.map(({ platform }) => platformName(frame, platform)),
      rows: keywords.map(({ id, platforms: shares, sov, text }) => ({
        text: text ?? id,
        href: inOrganization(slug, `/keywords/${id}`),
        cells: platforms.map(({ platform }) => {
          const share = shares.get(platform)
          return share === undefined
            ? null
            : { share, href: inOrganization(slug, "/answers", { keyword_id: id, platform, ...days }) }
        }),
        all: sov
      }))
    })
  }</section>`
}

const alertsPanel = ({ organization: { slug } }: Frame, { alerts, threshold }: Overview): Html =>
  html`<section class="panel" aria-labelledby="alerts"><header><h2 id="alerts">Alerts</h2><a href="${
    inOrganization(slug, "/alerts")
  }">All alerts</a></header>${
    alerts.length === 0
      ? html`<div class="empty"><h2>No alerts</h2><p>${
        threshold === null
          ? "Get notified when your share falls, a new answer names you, or a competitor moves ahead."
          : `You get an alert when your share falls below ${threshold} %.`
      }</p><p><a class="button" href="${inOrganization(slug, "/settings/alerts")}">Set up alerts</a></p></div>`
      : html`<table><thead class="hidden"><tr><th scope="col">Day</th><th scope="col">Alert</th></tr></thead><tbody>${
        alerts.map(({ alert }) =>
          html`<tr><th scope="row"><time datetime="${alert.createdAt.toISOString()}">${
            formatDay(alert.createdAt)
          }</time></th><td><a href="${inOrganization(slug, `/alerts/${alert.id}`)}">${
            alertTitles[alert.rule]
          }</a><br><small>${visible(describeAlert(alert))}</small></td></tr>`
        )
      }</tbody></table>`
  }</section>`

const statusLook = { completed: "good", running: "on", failed: "bad", cancelled: "warn" } as const

const scansPanel = ({ organization: { slug } }: Frame, { scans, standing }: Overview): Html => {
  const inPeriod = standing?.report.period !== undefined
  const shares = new Map(standing?.trend.map(({ scan, sov }) => [scan.id, sov]) ?? [])
  return html`<section class="panel" aria-labelledby="scans"><header><h2 id="scans">Latest scans</h2><a href="${
    inOrganization(slug, "/scans")
  }">All scans</a></header><table><thead class="hidden"><tr><th scope="col">Scan</th><th scope="col">State</th><th scope="col" class="wide">Asked for</th><th scope="col">Share</th></tr></thead><tbody>${
    scans.map((scan) => {
      const { cellCount, id, startedAt, status } = scan
      return html`<tr><th scope="row"><a class="plain" href="${
        inOrganization(slug, `/scans/${id}`)
      }"><time datetime="${startedAt.toISOString()}">${formatDay(startedAt)}</time></a></th><td><span class="pill ${
        statusLook[status]
      }">${status}</span>${narrowedTag(scan)}</td><td class="num range wide">${
        pluralized(cellCount, "answer")
      }</td><td class="num"><b>${
        // Shares of scans outside the period are not loaded
        (!inPeriod || shares.has(id)) && formatPercent(shares.get(id))}</b></td></tr>`
    })
  }</tbody></table></section>`
}

/** One line about a running scan. */
const runningNote = ({ organization: { slug } }: Frame, { running }: Overview): Fragment => {
  if (running === null) return null
  const { counts, scan } = running
  const ended = counts.reduce((total, one) => total + one.answered + one.failed + one.noOverview + one.cancelled, 0)
  return html`<p class="note">A scan is running: ${ended} of ${scan.cellCount} answers are done. <a href="${
    inOrganization(slug, `/scans/${scan.id}`)
  }">Follow it</a></p>`
}

/** The reasons why the headline does not cover everything that is tracked. */
const limits = ({ organization: { slug } }: Frame, { report: { asked, newer, score } }: Standing): Fragment => {
  const part = inQuestions(formatAsked(asked))
  return [
    part !== null && html`<p class="note warn">The scan asked only ${part}.</p>`,
    newer !== null &&
    html`<p class="note">The <a href="${inOrganization(slug, `/scans/${newer.id}`)}">newest scan</a> asked only ${
      inQuestions(formatNarrowing(newer))
    }. These numbers are of the scan before it.</p>`,
    score.brandedOnly && html`<p class="note warn">${brandedOnlyNote}</p>`
  ]
}

/** The period of the overview, as given in the address. */
type OverviewPeriod = Omit<PeriodContent, "at" | "compares">

const overviewPeriod = ({ organization: { slug } }: Frame, { fault, query }: OverviewPeriod): PeriodContent => ({
  query,
  fault,
  at: (other) => inOrganization(slug, "", { ...other }),
  compares: true
})

/** The page of an organization that has a score. */
export const overviewPage = (
  frame: Frame,
  overview: Overview & { readonly standing: Standing },
  period: OverviewPeriod,
  { namesChanged, next, trust, voice }: {
    readonly namesChanged: boolean
    readonly next: ActionReport | null
    readonly trust: Trust | null
    readonly voice: Voice | null
  }
): Html => {
  const { standing } = overview
  const { period: facts, scan, score } = standing.report
  const { slug } = frame.organization
  return layout(frame, {
    title: "Overview",
    here: "overview",
    simulated: scan.simulated,
    summary: html`${facts === undefined ? "Scan" : "Latest scan"} of <a href="${
      inOrganization(slug, `/scans/${scan.id}`)
    }">${formatMinute(scan.completedAt ?? scan.startedAt)}</a> · ${pluralized(score.resultsCount, "answer")}${
      facts === undefined && html`, ${score.failedCount} failed${describeNoOverview(score.noOverviewCount)}`
    }${score.unmeasuredCount > 0 && `, ${score.unmeasuredCount} not measured`}`,
    actions: html`<span class="actions">${startButton(frame)}<a class="button" href="${
      inOrganization(slug, "/overview.csv", filePeriod(period))
    }">Download CSV</a><a class="button" href="${
      inOrganization(slug, "/report.html", facts === undefined ? {} : { ...period.query, against: undefined })
    }">${facts === undefined ? "Download report" : "Download report of its latest scan"}</a></span>`,
    body: html`${periodBar(overviewPeriod(frame, period), facts ?? null)}${runningNote(frame, overview)}${
      limits(frame, standing)
    }<div class="grid">${headlinePanel(frame, overview, voice)}${nextActionsPanel(frame, next, namesChanged)}${
      trust !== null &&
      html`<div class="grid two">${spotPanel(frame, trust.spot)}${evidencePanel(frame, trust.evidence)}</div>`
    }
<div class="grid two">${platformsPanel(frame, standing)}${namedPanel(frame, standing)}</div>
${questionsPanel(frame, standing)}
<div class="grid two">${alertsPanel(frame, overview)}${scansPanel(frame, overview)}</div></div>`
  })
}

/** The overview for a period without a scan. */
export const emptyOverviewPage = (
  frame: Frame,
  period: OverviewPeriod & { readonly compared: Pick<ComparedPeriods, "period"> | null }
): Html =>
  layout(frame, {
    title: "Overview",
    here: "overview",
    body: html`${periodBar(overviewPeriod(frame, period), null)}${
      period.compared !== null && emptyPeriod(period.compared)
    }`
  })
