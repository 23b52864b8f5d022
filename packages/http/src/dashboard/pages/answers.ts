/** The archive of answers, newest first, with its filters. */
import { type ArchiveRow, describeSighting, type Excerpt, notJudged, type Sighting } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import type { PlatformId } from "@sov/core/platforms"
import type { Scan } from "@sov/core/scanning"
import type { Keyword } from "@sov/core/tracking"
import { formatDate, formatMinute, formatPercent } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { type Choice, dateField, pager, selectField, tagField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { maxSearchLength } from "./listView.ts"
import { narrowedNote } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The query of the page as it was sent. */
export interface AnswerQuery {
  readonly keyword_id?: string
  readonly platform?: string
  readonly scan_id?: string
  readonly named?: string
  readonly sentiment?: string
  readonly from?: string
  readonly to?: string
  readonly tag?: string
  /** Words to search for in the answers. */
  readonly q?: string
  readonly cursor?: string
}

export interface AnswersData {
  readonly query: AnswerQuery
  /** Keywords that the filter offers, including paused and archived ones. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** Tags in use. */
  readonly tags: ReadonlyArray<string>
  /** Platforms that are configured, or that answers on the page come from. */
  readonly platforms: ReadonlyArray<PlatformId>
  readonly answers: ReadonlyArray<{
    readonly row: ArchiveRow
    readonly excerpt: Excerpt
    /** Who saw an answer that was captured in an app, null if that is not stored; undefined for other answers. */
    readonly sighting: Sighting | null | undefined
  }>
  readonly nextCursor: string | null
  /** The scan of the answers; null if they are not limited to one scan. */
  readonly scan: Scan | null
  /** Whether the plan hides older answers that match the filters. */
  readonly windowApplied: boolean
}

const namedChoices: ReadonlyArray<Choice> = [["true", "Named"], ["false", "Not named"]]
const sentimentChoices: ReadonlyArray<Choice> = [
  ["positive", "Positive"],
  ["neutral", "Neutral"],
  ["negative", "Negative"],
  [notJudged, "Not judged"]
]

const filterForm = (frame: Frame, { keywords, platforms, query, tags }: AnswersData): Html => {
  const { slug } = frame.organization
  const { cursor: _, ...filters } = query
  return html`<form class="filters" method="get" autocomplete="off" action="${
    inOrganization(slug, "/answers")
  }" data-live><label class="grow">Search answers<input type="search" name="q" maxlength="${maxSearchLength}" placeholder="all words, or &quot;a phrase&quot;"${
    attributes({ value: query.q })
  }></label>${
    selectField({
      name: "keyword_id",
      label: "Question",
      all: "All questions",
      choices: keywords.map(({ id, text }) => [id, text]),
      chosen: query.keyword_id?.toLowerCase() ?? null,
      grows: true
    })
  }${tagField(tags, query.tag)}${
    selectField({
      name: "platform",
      label: "Platform",
      all: "All platforms",
      choices: platforms.map((id) => [id, platformName(frame, id)]),
      chosen: query.platform ?? null
    })
  }${
    selectField({
      name: "named",
      label: "Your brand",
      all: "Named or not",
      choices: namedChoices,
      chosen: query.named ?? null
    })
  }${
    selectField({
      name: "sentiment",
      label: "Tone",
      all: "Any tone",
      choices: sentimentChoices,
      chosen: query.sentiment ?? null
    })
  }${
    query.scan_id !== undefined &&
    selectField({
      name: "scan_id",
      label: "Scan",
      all: "All scans",
      choices: [[query.scan_id, "This scan only"]],
      chosen: query.scan_id
    })
  }${dateField("from", "From", query.from ?? null)}${dateField("to", "To", query.to ?? null)}<button>Apply</button>${
    Object.keys(filters).length > 0 && html`<a class="button" href="${inOrganization(slug, "/answers")}">Clear</a>`
  }</form>`
}

/** An excerpt with the mentioned names marked. */
export const markExcerpt = ({ cutAfter, cutBefore, parts }: Excerpt): Fragment => [
  cutBefore && "… ",
  ...parts.map(({ text, who }) =>
    who === null
      ? visible(text)
      : who === "brand"
      ? html`<mark class="mine">${visible(text)}</mark>`
      : html`<mark>${visible(text)}</mark>`
  ),
  cutAfter && " …"
]

const verdict = ({ brandMentioned, sovScore }: ArchiveRow): Html =>
  brandMentioned === null
    ? html`<span class="pill">not measured</span>`
    : brandMentioned
    ? html`<span class="pill on">named</span><span><b>${
      formatPercent(sovScore)
    }</b> <span class="range">of the voice</span></span>`
    : html`<span class="pill">not named</span>`

const item = (frame: Frame, { excerpt, row, sighting }: AnswersData["answers"][number]): Html =>
  html`<li><h2><a href="${inOrganization(frame.organization.slug, `/answers/${row.id}`)}">${
    visible(row.promptUsed)
  }</a></h2><blockquote dir="auto">${markExcerpt(excerpt)}</blockquote><p class="facts"><span>${
    visible(platformName(frame, row.platform))
  }</span>${
    sighting !== undefined && html`<span>${visible(describeSighting(sighting))}; imported</span>`
  }<time datetime="${row.createdAt.toISOString()}">${formatMinute(row.createdAt)}</time>${
    row.brandMentioned === true &&
    html`<span>named <b>${row.mentionCount}×</b></span><span>position <b>${row.mentionPosition}</b></span><span>${
      row.sentiment ?? "tone not judged"
    }</span>`
  }${row.simulated && html`<span class="tag">Simulated</span>`}</p><div class="verdict">${verdict(row)}</div></li>`

const nothingFound = (frame: Frame, { query, windowApplied }: AnswersData): Html => {
  const { organization: { slug }, since } = frame
  if (Object.keys(query).length > 0) {
    return html`<div class="empty"><h2>No matching answers</h2><p>${
      windowApplied && since !== null &&
      `Your plan shows answers since ${formatDate(since)}: older ones that match are kept, but not shown. `
    }Remove a filter to see more.</p><a class="button" href="${
      inOrganization(slug, "/answers")
    }">Show all answers</a></div>`
  }
  return windowApplied && since !== null
    ? html`<div class="empty"><h2>All answers are older than your plan shows</h2><p>Your plan shows answers since ${
      formatDate(since)
    }. Older answers are kept, and a plan with a longer history shows them again.</p></div>`
    : html`<div class="empty"><h2>No answers yet</h2><p>A scan asks your questions and archives every answer, unchanged.</p><a class="button" href="${
      inOrganization(slug, "/scans/new")
    }">Start a scan</a></div>`
}

export const answersPage = (frame: Frame, data: AnswersData): Html => {
  const { answers, nextCursor, query, scan, windowApplied } = data
  const { organization: { slug }, since } = frame
  const { cursor, ...filters } = query
  return layout(frame, {
    title: "Answers",
    here: "answers",
    simulated: answers.some(({ row }) => row.simulated),
    summary: "Every answer as it was received, newest first",
    actions: html`<a class="button" href="${inOrganization(slug, "/answers.csv", filters)}">Download CSV</a>`,
    body: html`${filterForm(frame, data)}${scan !== null && narrowedNote(scan)}${
      windowApplied && since !== null && answers.length > 0 &&
      html`<p class="note">Answers before ${formatDate(since)} are kept; a plan with a longer history shows them.</p>`
    }<section class="panel" aria-label="Answers">${
      answers.length === 0 && nextCursor === null ?
        nothingFound(frame, data) :
        html`<ol class="answers">${answers.map((one) => item(frame, one))}</ol>${
          pager({
            label: "Pages of answers",
            words: answers.length === 0
              ? "Nothing found so far: the next page searches older answers"
              : `Newest first · ${pluralized(answers.length, "answer")} on this page`,
            at: (query) => inOrganization(slug, "/answers", { ...filters, ...query }),
            isFirst: cursor === undefined,
            nextCursor
          })
        }`
    }</section>`
  })
}
