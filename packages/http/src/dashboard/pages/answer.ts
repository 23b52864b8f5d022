/** One answer: its text as received, its measurement, sources and proof, and earlier answers to the same question. */
import { type AnswerDetail, type ComparedNeighbour, describeSighting, type NamedMention } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import { describeFailure } from "@sov/core/measuring"
import type { Source, SourceKind, SourcesStatus } from "@sov/core/sources"
import { externalAddress } from "../Address.ts"
import {
  formatCount,
  formatDate,
  formatDollars,
  formatMinute,
  formatNumber,
  formatPercent,
  nothing
} from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { type Fact, factList } from "./lists.ts"
import { markNames, truncateText } from "./marks.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** Maximum characters of an answer on its page; the whole text is available as a file. */
const maxShownCharacters = 20_000

const textPanel = ({ organization: { slug } }: Frame, { measured, row }: AnswerDetail): Html => {
  const { id, rawResponse } = row
  const shown = truncateText(rawResponse, maxShownCharacters)
  const isCut = shown.length < rawResponse.length
  return html`<section class="panel" aria-labelledby="text"><header><h2 id="text">Answer, as received</h2>${
    row.simulated && html`<span class="tag">Simulated</span>`
  }</header><p class="raw" dir="auto">${markNames(shown, measured?.mentions ?? [])}${isCut && " …"}</p><footer>${
    isCut
      ? `The first ${formatCount(shown.length)} of ${formatCount(rawResponse.length)} characters`
      : `${formatCount(rawResponse.length)} characters`
  }, shown as plain text: nothing in an answer is run or loaded. <a href="${
    inOrganization(slug, `/answers/${id}/text`)
  }" download>Full text</a> · <a href="${
    inOrganization(slug, `/answers/${id}/payload`)
  }" download>Raw response of the platform</a></footer></section>`
}

const kindWords: { readonly [Kind in SourceKind]: string } = {
  cited: "cited",
  retrieved: "read during its search",
  in_text: "linked in the text"
}

/** Reasons why the list of sources may be incomplete; null = the list is complete. */
const statusWords: { readonly [Status in SourcesStatus]: string | null } = {
  complete: null,
  unsupported: "This platform does not report its sources. Only links in the text are known.",
  unreadable: "The platform's response could not be read. Only links in the text are known."
}

/**
 * `target` is the page that the source's redirect leads to, if known. It is shown as plain text, because only the
 * resolver should follow redirects.
 */
const sourceItem = ({ kind, title, url }: Source, target: string | undefined): Html => {
  const link = externalAddress(url)
  return html`<li>${visible(title ?? url)} <span class="pill">${kindWords[kind]}</span><br>${
    link === null
      ? html`<small>${visible(url)}</small>`
      : html`<a class="small" href="${link}" rel="noreferrer noopener nofollow">${visible(new URL(link.href).host)}</a>`
  }${target !== undefined && html`<br><small>leads to ${visible(target)}</small>`}</li>`
}

const sourcesPanel = ({ sources }: AnswerDetail): Html =>
  html`<section class="panel" aria-labelledby="sources"><header><h2 id="sources">Sources</h2></header>${
    sources === null
      ? html`<p class="small">Not extracted yet. Run <code>sov rescore</code> to extract them.</p>`
      : html`${
        sources.sources.length > 0
          ? html`<ol class="sources">${
            sources.sources.map((source) => sourceItem(source, sources.targets.get(source.url)))
          }</ol>`
          : sources.status === "complete" && html`<p class="small">The platform reported none.</p>`
      }${statusWords[sources.status] !== null && html`<p class="small">${statusWords[sources.status]}</p>`}${
        sources.cut > 0 && html`<p class="small">${pluralized(sources.cut, "more source")} not stored.</p>`
      }`
  }</section>${
    sources !== null && sources.queries.length > 0 &&
    html`<section class="panel" aria-labelledby="searches"><header><h2 id="searches">What it searched for</h2></header><ul class="sources">${
      sources.queries.map((query) => html`<li dir="auto">${visible(query)}</li>`)
    }</ul></section>`
  }`

/** How often the answer names each competitor, most frequent first. */
const countNames = (mentions: ReadonlyArray<NamedMention>): ReadonlyArray<readonly [name: string, count: number]> =>
  [...Map.groupBy(mentions.filter(({ who }) => who === "competitor"), ({ competitorId }) => competitorId).values()]
    .map((own) => [own[0]!.name, own.length] as const)
    .toSorted(([, a], [, b]) => b - a)

/** Names to look for in an answer. */
interface AnswerNames {
  /** The brand's name; null if no brand is set. */
  readonly brand: string | null
  /** Suggested brands that the answer names and that are not tracked. */
  readonly untracked: ReadonlyArray<string>
}

const measuredPanel = (
  { organization: { slug } }: Frame,
  { failure, measured, row }: AnswerDetail,
  { brand, untracked }: AnswerNames
): Html => {
  const { brandMentioned, mentionCount, mentionPosition, sentiment, sentimentBy, sovScore } = row
  return html`<section class="panel" aria-labelledby="measured"><header><h2 id="measured">Measurement</h2></header>${
    measured === null ?
      html`<p class="small">${
        failure === null
          ? "Not measured yet."
          : `Not measured: ${describeFailure(failure.reason)}. Run sov rescore to try again.`
      }</p>` :
      html`<dl class="side"><dt>${visible(brand ?? "Your brand")}</dt><dd>${
        brandMentioned === true ? `named ${mentionCount}×, position ${mentionPosition}` : "not named"
      }</dd>${
        countNames(measured.mentions).map(([name, count]) => html`<dt>${visible(name)}</dt><dd>named ${count}×</dd>`)
      }<dt>Share</dt><dd>${formatPercent(sovScore, 1)}</dd><dt>Tone</dt><dd>${
        sentiment ?? (brandMentioned === true ? "not judged" : nothing)
      }${sentiment !== null && html` <span class="range">by ${visible(sentimentBy ?? "rules")}</span>`}</dd>${
        untracked.length > 0 &&
        html`<dt>Not tracked</dt><dd>${
          visible(untracked.join(", "))
        } <span class="range">in no position and no share</span> <a href="${
          inOrganization(slug, "/competitors")
        }">Suggestions</a></dd>`
      }<dt>Measured with</dt><dd>names version ${measured.trackedSetVersion}, rules version ${measured.measureVersion}</dd></dl>`
  }</section>`
}

const finishWords = {
  stop: "complete",
  length: "cut off at the maximum length",
  content_filter: "stopped by the platform's filter",
  refusal: "declined",
  other: "ended for another reason"
} as const

const callPanel = ({ call }: AnswerDetail): Html => {
  const { adapter, finish, latencyMs, model, sample, usage } = call
  const facts: ReadonlyArray<Fact> = [
    ["Model", visible(model)],
    ["Adapter", visible(adapter)],
    ["Sample", sample],
    ["Latency", `${formatNumber(latencyMs / 1000, 1)} s`],
    ["Status", finishWords[finish]],
    ["Input tokens", usage.inputTokens === null ? nothing : formatCount(usage.inputTokens)],
    ["Output tokens", usage.outputTokens === null ? nothing : formatCount(usage.outputTokens)],
    ["Searches", usage.searches ?? nothing],
    ["Cost", usage.costUsd === null ? nothing : formatDollars(usage.costUsd)]
  ]
  return html`<section class="panel" aria-labelledby="call"><header><h2 id="call">Request</h2></header>${
    factList(facts)
  }</section>`
}

/** Who saw an answer that no request asked for. */
const capturePanel = (sighting: NonNullable<AnswerDetail["sighting"]>): Html =>
  html`<section class="panel" aria-labelledby="call"><header><h2 id="call">Capture</h2></header>${
    factList([
      ["Captured by", visible(sighting.captured_by)],
      ["Account", visible(sighting.account)],
      ["Captured", formatMinute(new Date(sighting.captured_at))]
    ])
  }<p class="small">That is the word of the person who imported it.</p></section>`

const proofPanel = ({ organization: { slug } }: Frame, { row, seal }: AnswerDetail): Html =>
  html`<section class="panel" aria-labelledby="proof"><header><h2 id="proof">Proof</h2></header>${
    seal === null
      ? html`<p class="small">Not sealed yet. Answers are sealed when their scan ends.</p>`
      : html`<p class="small">Part of seal ${seal.sequence}, made on ${
        formatMinute(seal.sealedAt)
      }. The proof lets anyone verify, without this server, that the archived answer is unchanged.</p><p><a class="button" href="${
        inOrganization(slug, `/answers/${row.id}/proof`)
      }" download>Download proof</a></p>`
  }</section>`

const describeChanges = ({ changes }: ComparedNeighbour): string =>
  changes === null ? "not measured" : changes.length === 0 ? "no change for you" : changes.join(", ")

const neighbourRow = (slug: string, label: string, neighbour: ComparedNeighbour): Html =>
  html`<tr><th scope="row">${label}</th><td><a href="${inOrganization(slug, `/answers/${neighbour.answer.id}`)}">${
    formatDate(neighbour.answer.createdAt)
  }</a></td><td>${describeChanges(neighbour)}</td></tr>`

const neighboursPanel = ({ organization: { slug } }: Frame, { after, before }: AnswerDetail): Html =>
  html`<section class="panel" aria-labelledby="same"><header><h2 id="same">Same question, same platform</h2></header>${
    before === null && after === null
      ? html`<p class="small">No other scan asked this question on this platform.</p>`
      : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="same"><table><thead class="hidden"><tr><th scope="col">When</th><th scope="col">Answer</th><th scope="col">What changed</th></tr></thead><tbody>${
        before !== null && neighbourRow(slug, "Before", before)
      }${after !== null && neighbourRow(slug, "After", after)}</tbody></table></div>`
  }</section>`

export const answerPage = (frame: Frame, detail: AnswerDetail, names: AnswerNames): Html => {
  const { row, sighting } = detail
  const { slug } = frame.organization
  const platform = visible(platformName(frame, row.platform))
  const scan = inOrganization(slug, `/scans/${row.scanId}`)
  return layout(frame, {
    title: row.promptUsed,
    here: "answers",
    simulated: row.simulated,
    summary: html`<a href="${inOrganization(slug, "/answers")}">Answers</a> · <a href="${
      inOrganization(slug, `/keywords/${row.keywordId}`)
    }">question</a> ${
      sighting === undefined
        ? html`asked of ${platform} in the <a href="${scan}">scan</a> ·`
        : html`to ${platform}, ${visible(describeSighting(sighting))}; <a href="${scan}">imported</a>`
    } <time datetime="${row.createdAt.toISOString()}">${formatMinute(row.createdAt)}</time>`,
    body: html`<div class="grid read"><div class="grid">${textPanel(frame, detail)}${
      sourcesPanel(detail)
    }</div><div class="grid">${measuredPanel(frame, detail, names)}${neighboursPanel(frame, detail)}${
      proofPanel(frame, detail)
    }${sighting === undefined ? callPanel(detail) : sighting !== null && capturePanel(sighting)}</div></div>`
  })
}
