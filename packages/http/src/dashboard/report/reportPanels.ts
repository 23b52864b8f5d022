/** The panels of a report: headline, changes, platforms, names, questions, sources, method and answers. */
import { pluralized } from "@sov/core/common"
import type { PlatformId } from "@sov/core/platforms"
import {
  describeReportSurface,
  listNotProven,
  listSealedNames,
  listShownAnswers,
  type ReportEvidence,
  type ReportFigures,
  type ShownAnswer,
  type ShownMentions
} from "@sov/core/reports"
import { describeNoOverview } from "@sov/core/scoring"
import { type CitedSite, minListedAnswers, minListedKeywords } from "@sov/core/sources"
import { estimateBar, shareBar, shareClasses, sparkline, sparklineTop } from "../charts/bars.ts"
import { headline } from "../charts/headline.ts"
import { heatTable } from "../charts/heat.ts"
import { formatCount, formatDate, formatMinute, formatPercent, formatPoints, formatRange } from "../charts/numbers.ts"
import { trendFigure } from "../charts/trend.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { dataTable, hidden, numeric } from "../pages/lists.ts"
import { markNames } from "../pages/marks.ts"
import { describeChange, makeTrendPoints } from "../pages/overview.ts"
import { visible } from "../visible.ts"

/** Data that the parts of the page share. */
export interface Sheet {
  readonly evidence: ReportEvidence
  readonly figures: ReportFigures
  readonly mentions: ShownMentions
  readonly nameOf: (id: PlatformId) => string
}

const panel = (id: string, title: string, note: Fragment, body: Fragment, isLong = false): Html =>
  html`<section class="panel${isLong ? " long" : ""}" aria-labelledby="${id}">
<header><h2 id="${id}">${title}</h2>${note !== null && html`<p>${note}</p>`}</header>
${body}
</section>
`

/** A named figure, which a checker finds by its name. */
const figure = (name: string, text: string): Html => html`<b${attributes({ "data-figure": name })}>${text}</b>`

/** Page version from which the page states the view of its share. */
const surfaceVersion = 5

export const headlinePanel = ({ evidence, figures: { standing } }: Sheet): Html => {
  const { report: { movements, scan, score, trackedSet }, trend } = standing
  return html`<section class="panel headline grid" aria-labelledby="sov">
${
    headline({
      id: "sov",
      title: "Share of voice",
      value: score.avgSov,
      surface: evidence.header.page < surfaceVersion ? null : describeReportSurface(evidence),
      uncertainty: score.uncertainty,
      change: describeChange(standing),
      next: movements.next
    })
  }
${
    trendFigure({
      id: "trend",
      title: `Share of voice of ${visible(trackedSet.brand.name)}`,
      points: makeTrendPoints(trend),
      simulated: scan.simulated,
      height: 220,
      annotations: evidence.header.annotations ?? []
    })
  }
</section>
`
}

/** All changes that exceed noise, one sentence each. */
const listMoved = ({ figures: { standing }, nameOf }: Sheet): ReadonlyArray<string> => {
  const { comparison, keywords } = standing.report.movements
  if (comparison === null || comparison.trend === null) return []
  const texts = new Map(keywords.map(({ id, text }) => [id, text]))
  const names = new Map(standing.named.map(({ id, name }) => [id, name]))
  const line = (kind: string, name: string, { after, before, delta }: typeof comparison.trend) =>
    `${kind} ${visible(name)}: ${formatPoints(delta)} points, from ${formatPercent(before)} to ${formatPercent(after)}`
  const { direction } = comparison.trend
  return [
    ...direction === "flat" ? [] : [line("Share of voice of", standing.report.trackedSet.brand.name, comparison.trend)],
    ...comparison.platforms.filter(({ beyondNoise }) => beyondNoise).map((one) =>
      line("Platform", nameOf(one.id), { ...one, z: 0, direction: "flat" })
    ),
    ...comparison.keywords.filter(({ beyondNoise }) => beyondNoise).map((one) =>
      line("Question", texts.get(one.id) ?? one.id, { ...one, z: 0, direction: "flat" })
    ),
    ...comparison.competitors.filter(({ trend }) => trend.beyondNoise).map(({ id, trend }) =>
      line("Competitor", names.get(id) ?? id, trend)
    )
  ]
}

export const movedPanel = (sheet: Sheet): Html => {
  const { figures: { standing } } = sheet
  const change = describeChange(standing)
  const moved = listMoved(sheet)
  return panel(
    "moved",
    "What moved beyond noise",
    typeof change === "string"
      ? null
      : `since ${typeof change.since === "string" ? change.since : formatDate(change.since)}`,
    typeof change === "string"
      ? html`<p class="small">${change}</p>`
      : moved.length === 0
      ? html`<p>Nothing moved by more than noise.</p>`
      : html`<ul class="moved">
${
        moved.map((words) =>
          html`<li>${words}</li>
`
        )
      }</ul>`
  )
}

export const platformsPanel = ({ figures: { standing }, nameOf }: Sheet): Html => {
  const top = sparklineTop(standing.platforms.flatMap(({ course }) => course))
  return panel(
    "platforms",
    "By platform",
    pluralized(standing.report.history.length, "comparable scan"),
    dataTable(
      "platforms",
      ["Platform", numeric("Share"), "95 %", hidden("Drawing from 0 to 100 %"), hidden("Course"), numeric("Answers")],
      standing.platforms.map(({ answered, course, failed, interval, lowCoverage, noOverview, platform, sov }) =>
        html`<tr class="own"><th scope="row">${visible(nameOf(platform))}${
          lowCoverage && html`<br><small>few answers</small>`
        }</th><td class="num">${figure(`platform ${platform}`, formatPercent(sov))}</td><td class="range">${
          formatRange(interval)
        }</td><td>${estimateBar(sov, interval)}</td><td>${sparkline(course, top)}</td><td class="num">${
          formatCount(answered)
        }${failed > 0 && `, ${formatCount(failed)} failed`}${describeNoOverview(noOverview)}</td></tr>
`
      )
    )
  )
}

export const namedPanel = ({ figures: { standing: { named } } }: Sheet): Html => {
  const everybody = named.filter(({ who }) => who !== "nobody")
  const looks = shareClasses(everybody.map(({ who }) => ({ isBrand: who === "brand" })))
  const rows = named.map((one) => ({ ...one, look: looks[everybody.indexOf(one)] ?? ("none" as const) }))
  return panel(
    "named",
    "Who is named",
    null,
    html`${shareBar(rows.map(({ look, sov }) => ({ look, share: sov ?? 0 })))}
${
      dataTable(
        "named",
        ["Name", numeric("Share"), "95 %", hidden("Drawing from 0 to 60 %")],
        rows.map(({ id, interval, look, name, sov, who }) =>
          html`<tr${attributes({ class: who === "brand" && "you" })}><th scope="row"><i class="key ${look}"></i>${
            who === "nobody" ? "No tracked brand" : visible(name ?? id ?? "")
          }</th><td class="num">${
            figure(id === null ? who : `competitor ${id}`, formatPercent(sov))
          }</td><td class="range">${formatRange(interval)}</td><td>${estimateBar(sov, interval, 60)}</td></tr>
`
        )
      )
    }`
  )
}

/** Maximum number of domains in the table of sources. */
const maxSites = 25

const ownerWords = ({ owner }: CitedSite): Fragment =>
  owner?.kind === "own"
    ? html`<span class="pill on">you</span>`
    : owner?.kind === "competitor" && html`<span class="pill">${visible(owner.name)}</span>`

export const sourcesPanel = ({ figures: { sources: { sites, summary } }, nameOf }: Sheet): Html => {
  const listed = sites.filter((site) => site.listed)
  const shown = listed.slice(0, maxSites)
  const rate = (name: string, value: number | null, range = "") =>
    value !== null &&
    html`<div><dt>${name}</dt><dd>${formatPercent(value)}${
      range !== "" && html` <span class="range">95 %: ${range}</span>`
    }</dd></div>
`
  const rest = [
    ...listed.length > shown.length ? [`${listed.length - shown.length} further domains`] : [],
    ...sites.length > listed.length
      ? [
        `${
          pluralized(sites.length - listed.length, "domain")
        } in fewer than ${minListedAnswers} answers or ${minListedKeywords} keywords, most of which would be others in another scan`
      ]
      : []
  ]
  return panel(
    "sources",
    "Sources",
    `${formatCount(summary.grounded)} of ${pluralized(summary.answers, "answer")} cite pages`,
    html`<dl class="figures">
${
      rate(
        "Own pages cited, of answers with sources",
        summary.ownCitationRate,
        formatRange(summary.ownCitationInterval)
      )
    }${rate("You are named, your pages are not cited", summary.namedNotCited)}${
      rate("Your pages are cited, you are not named", summary.citedNotNamed)
    }</dl>
${
      shown.length === 0 ? html`<p class="small">No domain is cited often enough to be listed.</p>` : dataTable(
        "sources",
        ["Domain", numeric("Answers"), numeric("Keywords"), numeric("Share"), "Owner", numeric("Names you")],
        shown.map((site) =>
          html`<tr><th scope="row">${visible(site.name)}</th><td class="num">${
            formatCount(site.answers)
          }</td><td class="num">${formatCount(site.keywords)}</td><td class="num"><b>${
            formatPercent(site.share)
          }</b></td><td>${ownerWords(site)}</td><td class="num">${formatCount(site.namingBrand)}/${
            formatCount(site.answers)
          }</td></tr>
`
        )
      )
    }${rest.length > 0 && html`<footer>Not shown: ${rest.join("; ")}.</footer>`}${
      summary.silent.length > 0 &&
      html`<footer>No sources are known of ${
        visible(summary.silent.map(nameOf).join(", "))
      }: nothing is said of it.</footer>`
    }`,
    true
  )
}

export const questionsPanel = ({ figures: { standing }, nameOf }: Sheet): Html => {
  const { keywordShares, keywords } = standing.report.movements
  const texts = new Map(keywords.map(({ id, text }) => [id, text]))
  const rows = keywordShares.toSorted((a, b) => a.sov - b.sov)
  return panel(
    "questions",
    "Questions and platforms",
    `all ${rows.length}, the weakest first`,
    heatTable({
      labelledBy: "questions",
      columns: standing.platforms.map(({ platform }) => nameOf(platform)),
      rows: rows.map(({ id, platforms, sov }) => ({
        text: texts.get(id) ?? id,
        href: null,
        cells: standing.platforms.map(({ platform }) => {
          const share = platforms.get(platform)
          return share === undefined ? null : { share, href: null }
        }),
        all: sov
      }))
    }),
    true
  )
}

export const methodPanel = ({ evidence, figures: { standing } }: Sheet): Html => {
  const { header, scans, seals } = evidence
  const { report: { score, trackedSet } } = standing
  const scored = scans.filter(({ measured }) => measured !== null).length
  const answers = seals.reduce((total, one) => total + (one.answers?.length ?? 0), 0)
  const [first, last] = [seals[0]?.header, seals.at(-1)?.header]
  return panel(
    "method",
    "Method and proof",
    null,
    html`<div class="method">
<p>Share of voice: of each answer 100 % are divided among the names in it. Means are taken of the answers to a question on a platform, then over questions, then over platforms. Failed questions are missing, not 0. The 95 % interval is that for questions like these. A change is called more than noise only where two scans of an unchanged world would hardly ever differ by as much.</p>
<p>Measured with rules of version ${score.measureVersion} and names of version ${trackedSet.version}: ${
      visible(trackedSet.brand.name)
    }${trackedSet.competitors.length > 0 && `, beside ${pluralized(trackedSet.competitors.length, "competitor")}`}.</p>
<p>This file contains what its figures follow from: ${pluralized(answers, "answer")} of ${
      pluralized(scored, "scan")
    }, ${
      header.answers ? "with their texts" : "each with the hash of its text, without the texts"
    }, and the seals of the archive over them${
      first !== undefined && last !== undefined &&
      ` (${
        first.sequence === last.sequence ? `seal ${first.sequence}` : `seals ${first.sequence} to ${last.sequence}`
      })`
    }.</p>
${
      last !== undefined &&
      html`<p>Newest seal: <code>${last.sequence}:${last.hash}</code> of ${
        formatMinute(new Date(last.sealed_at))
      }. Compare it with one that was noted elsewhere.</p>
`
    }<p>Check it with <code>sov report verify FILE</code>, which needs no database, no configuration and no network.</p>
${
      listSealedNames(evidence).map((one) =>
        html`<p>Sealed with the scans, ${visible(one)}.</p>
`
      )
    }<p>Not proven:</p>
<ul>
${
      listNotProven(evidence).map(({ text }) =>
        html`<li>${visible(text)}</li>
`
      )
    }</ul>
</div>`
  )
}

const answerArticle =
  ({ evidence, mentions, nameOf }: Sheet) => ({ id, keyword, platform, text }: ShownAnswer): Html => {
    const set = evidence.sets.find(({ version }) => version === evidence.scans[0]?.measured?.tracked_set_version)
    const named = (mentions.get(id) ?? []).map(({ end, entity, start }) => ({
      start,
      end,
      ...entity === "brand"
        ? { who: "brand" as const, competitorId: null, name: set?.brand.name ?? "" }
        : {
          who: "competitor" as const,
          competitorId: set?.competitors[entity]?.id ?? null,
          name: set?.competitors[entity]?.name ?? ""
        }
    }))
    return html`<article class="answer"><h3>${visible(keyword)} · ${
      visible(nameOf(platform as PlatformId))
    }</h3><p class="raw" dir="auto">${
      markNames(text, named as Parameters<typeof markNames>[1])
    }</p><p class="small">answer ${id}</p></article>
`
  }

export const answersPanel = (sheet: Sheet): Fragment => {
  const answers = listShownAnswers(sheet.evidence)
  return answers.length > 0 &&
    panel(
      "answers",
      "The answers",
      `${pluralized(answers.length, "answer")}, as received; nothing in them is run or loaded`,
      answers.map(answerArticle(sheet)),
      true
    )
}
